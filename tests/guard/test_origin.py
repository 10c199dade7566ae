"""What a rule on paths leaves alone in the hook, by where a file comes from: a real repository, a real session."""

import subprocess

import pytest

from rulec.checkout.worktree import Worktree
from tests.hook.test_hook import asks, bash, denied, hook, repository
from tests.support import guard_rules as rules
from tests.support.session import ClaudeSession

KEPT = rules.path("kept", "kept/", how=["change", "delete"], existing=True)
ALL = rules.path("all", "all/")
GROWN = rules.path("grown", "grown/", how=["change", "delete"])
TOP = rules.path("top", ".", how=["create"])


@pytest.fixture
def repo(tmp_path):
    repo = repository(tmp_path / "repo", KEPT, ALL, GROWN, TOP)
    for name in ("kept/old.sql", "all/old.py", "grown/old.sql"):
        (repo / name).parent.mkdir()
        (repo / name).write_text("a\n")
    subprocess.run(["git", "-C", repo, "add", "-A"], check=True)
    subprocess.run(["git", "-C", repo, "commit", "-qm", "x"], check=True)
    for name in ("kept/new.sql", "all/new.py", "all/strange.py", "grown/new.sql"):
        (repo / name).write_text("b\n")
    (repo / "all/old.py").write_text("b\n")
    return repo


def test_what_is_not_at_head_and_what_is_taken_back_is_left_alone(repo):
    path = (
        ClaudeSession(repo)
        .person("go")
        .writes("all/new.py", "b\n")
        .writes("grown/new.sql", "b\n")
        .save(repo.parent / "t.jsonl")
    )

    def passes(payload):
        return not denied(hook(repo, {**payload, "transcript_path": str(path), "tool_use_id": "n"}))

    def edit(name, old, new):
        return asks(repo, "Edit", file_path=str(repo / name), old_string=old, new_string=new)

    seen = {
        "edit at HEAD": passes(edit("kept/old.sql", "a", "c")),
        "rm at HEAD": passes(bash(repo, "rm kept/old.sql")),
        "rm the folder": passes(bash(repo, "rm -rf kept")),
        "edit what is new": passes(edit("kept/new.sql", "b", "c")),
        "rm what is new": passes(bash(repo, "rm kept/new.sql")),
        "rm by a pattern, at HEAD": passes(bash(repo, "rm kept/*.sql")),
        "rm by a pattern, new": passes(bash(repo, "rm kept/n*")),
        "rm by a pattern, a folder": passes(bash(repo, "rm -f k*")),
        "edit what the session made": passes(edit("grown/new.sql", "b", "c")),
        "edit what others made": passes(edit("grown/old.sql", "a", "c")),
        "change all": passes(edit("all/old.py", "b", "c")),
        "back to HEAD": passes(edit("all/old.py", "b", "a")),
        "restore": passes(bash(repo, "git checkout -- all/old.py")),
        "restore another": passes(bash(repo, "git checkout HEAD~1 -- all/old.py")),
        "rm what the session made": passes(bash(repo, "rm all/new.py")),
        "rm what another made": passes(bash(repo, "rm all/strange.py")),
        "a folder at the top": passes(bash(repo, "mkdir -p scratch/deep")),
        "a folder that is there": passes(bash(repo, "mkdir -p src/deep")),
        "a file at the top": passes(bash(repo, "touch notes.md")),
        "a file elsewhere": passes(bash(repo, "touch /tmp/notes.md src/notes.md")),
    }
    assert {name for name, passed in seen.items() if passed} == {
        "edit what is new",
        "rm what is new",
        "rm by a pattern, new",
        "rm by a pattern, a folder",
        "edit what the session made",
        "back to HEAD",
        "restore",
        "rm what the session made",
        "a folder that is there",
        "a file elsewhere",
    }


@pytest.mark.parametrize(
    ("command", "path", "unsure"),
    [
        ("rm kept/*.sql", "kept/old.sql", False),
        ("cp elsewhere/*.sql kept/", "kept/*.sql", True),  # which of them is there too, nobody knows
        ("git rm -q 'kept/*.sql'", "kept/*.sql", True),  # git's own patterns reach into folders
    ],
)
def test_a_pattern_is_looked_up_where_the_shell_expands_it(repo, command, path, unsure):
    only = rules.path("only", "kept/old.sql")
    event = {"kind": "command", "command": command, "root": str(repo), "cwd": "", "world": Worktree(str(repo))}
    (found,) = rules.decide(only, event)
    assert (found.text.split()[-1], bool(found.unsure)) == (path, unsure)
