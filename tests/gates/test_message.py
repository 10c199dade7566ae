"""The message that is judged is the one that git commits."""

import os
import subprocess
from pathlib import Path

import pytest

from rulec.gates.message_file import clean_message
from tests.conftest import Run

SCISSORS = "# ------------------------ >8 ------------------------\n"
DIFF = """\
# Do not modify or remove the line above.
# Everything below it will be ignored.
diff --git a/a.py b/a.py
new file mode 100644
index 0000000..e69de29
--- /dev/null
+++ b/a.py
@@ -1,2 +1,2 @@ def f():
-Fixed stuff that is long
+Co-Authored-By: A <a@example.com>

 x = 1
\\ No newline at end of file
"""
EDITED = [
    ("fix: x\n\n# Please enter the message\n# On branch main\n", "fix: x\n"),
    ("\n# comment\ndocs: say so\n", "docs: say so\n"),
    ("# fix: only a comment\nBad line\n", "Bad line\n"),
    ("Add x\n# WIP in a comment\n", "Add x\n"),
    ("Add x\n# PROJ-12\n\nWhy\n", "Add x\n\nWhy\n"),
    ("fix: x\n" + SCISSORS + DIFF, "fix: x\n"),
    ("fix: x\r\n# c\r\n", "fix: x\r\n"),
    ("Add x\n" + SCISSORS + "Co-Authored-By: A <a@example.com>\n", "Add x\nCo-Authored-By: A <a@example.com>\n"),
    ("Add x\n" + SCISSORS + DIFF + "Co-Authored-By: A\n", "Add x\nCo-Authored-By: A\n"),
    ("Add x\n # no comment\nx # y\n", "Add x\n # no comment\nx # y\n"),
    ("# only\n", ""),
    ("", ""),
]


@pytest.mark.parametrize(("text", "left"), EDITED)
def test_what_the_editor_session_put_there_is_left_out(text: str, left: str) -> None:
    assert clean_message(text, edited=True) == left


@pytest.mark.parametrize("text", [text for text, _ in EDITED] + ["#123 broke everything\n"])
def test_without_an_editor_every_line_stands(text: str) -> None:
    assert clean_message(text, edited=False) == text


def test_the_comment_may_be_another_sign_or_several() -> None:
    assert clean_message("; a\n#1 b\n", edited=True, comment=";") == "#1 b\n"
    assert clean_message("// a\n/ b\n", edited=True, comment="//") == "/ b\n"
    assert clean_message(f"a\n; {SCISSORS[2:]}diff --git a b\n", edited=True, comment=";") == "a\n"


AUTO = [
    ("#12 fix it\n\n; Please enter the message\n;\tmodified: a\n", "#12 fix it\n"),
    (f"#12 fix it\n; {SCISSORS[2:]}; Do not modify\ndiff --git a b\n", "#12 fix it\n"),
    ("Add it\n\n# Please enter the message\n#\n", "Add it\n"),
    ("Add it\n\n;no comment\n", "Add it\n\n;no comment\n"),
    ("", ""),
]


@pytest.mark.parametrize(("text", "left"), AUTO)
def test_the_sign_that_git_chose_is_found(text: str, left: str) -> None:
    assert clean_message(text, edited=True, comment="auto") == left


def test_where_git_strips_no_comments_only_the_diff_goes() -> None:
    assert clean_message("Add x\n# PROJ-12\n" + SCISSORS + DIFF, edited=True, strips=False) == "Add x\n# PROJ-12\n"


@pytest.mark.parametrize("options", [[], ["-v"], ["--cleanup=strip"]])
def test_git_commits_that_message(repo: Path, git: Run, options: list[str]) -> None:
    (repo / "a.py").write_text("Co-Authored-By: A\n")
    git("add", "-A")
    editor = 'f() { printf \'Add it\\n\\n# a comment\\nWhy\\n\' | cat - "$1" >new; cat new >"$1"; cp new seen; }; f'
    done = {**os.environ, "GIT_EDITOR": editor}
    subprocess.run(["git", "commit", "-q", *options], cwd=repo, env=done, check=True, capture_output=True)
    committed = git("log", "-1", "--format=%B").stdout.rstrip("\n") + "\n"
    assert clean_message((repo / "seen").read_text(), edited=True) == committed == "Add it\n\nWhy\n"


def test_git_keeps_all_lines_of_a_message_that_nobody_edited(repo: Path, git: Run) -> None:
    text = "#123 broke everything\n\n" + SCISSORS + "Co-Authored-By: A\n"
    git("commit", "-q", "--allow-empty", "-m", text)
    committed = git("log", "-1", "--format=%B").stdout.rstrip("\n") + "\n"
    assert clean_message(text, edited=False) == committed
