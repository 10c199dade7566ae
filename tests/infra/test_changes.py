"""What is staged is what is judged, whatever the files are called and whatever the work tree holds."""

import os
import subprocess
from pathlib import Path

import pytest

from rulec.errors import RulecError
from rulec.infra.git import git_changes, git_refs, git_session
from tests.conftest import Run


def test_the_index_is_read_not_the_work_tree(repo: Path, git: Run) -> None:
    (repo / "a.py").write_text("staged = 1\n")
    git("add", "-A")
    (repo / "a.py").write_text("unstaged = 1\n")
    (file,) = git_changes.staged_beside(repo, ".rules/compiled")[0].files
    assert (file.path, file.status, file.content, file.added) == ("a.py", "A", b"staged = 1\n", None)


def test_only_touched_lines_are_added(repo: Path, git: Run) -> None:
    (repo / "a.py").write_text("".join(f"line {n}\n" for n in range(1, 11)))
    git("add", "-A")
    git("commit", "-qm", "Ten lines")
    text = (repo / "a.py").read_text().replace("line 3\n", "line 3a\nline 3b\n").replace("line 9\n", "")
    (repo / "a.py").write_text(text)
    git("add", "-A")
    (file,) = git_changes.staged_beside(repo, ".rules/compiled")[0].files
    assert (file.status, file.added) == ("M", ((3, 4),))
    assert file.base is not None
    assert file.base.startswith(b"line 1\n")


NAMES = ["a b.py", "-n.py", "ü.py", 'quo"te.py', "new\nline.py", "tab\t.py", "@@ -1 +1 @@.py"]


@pytest.mark.parametrize("name", NAMES)
def test_names_are_never_misread(repo: Path, git: Run, name: str) -> None:
    (repo / name).write_text("x\n")
    (repo / "zz.py").write_text("diff --git a b\n@@ -1 +7,9 @@\n")
    git("add", "-A")
    assert {f.path: f.content for f in git_changes.staged_beside(repo, ".rules/compiled")[0].files}[name] == b"x\n"
    git("commit", "-qm", "Names")
    (repo / name).write_text("x\ny\n")
    git("add", "-A")
    (file,) = git_changes.staged_beside(repo, ".rules/compiled")[0].files
    assert (file.path, file.added) == (name, ((2, 2),))


def test_a_name_that_is_no_utf8_survives(repo: Path, git: Run) -> None:
    (repo / os.fsdecode(b"\xff.py")).write_text("x\n")
    git("add", "-A")
    (file,) = git_changes.staged_beside(repo, ".rules/compiled")[0].files
    assert os.fsencode(file.path) == b"\xff.py"


def test_links_deletions_renames_and_binaries(repo: Path, git: Run) -> None:
    (repo / "old.py").write_text("".join(f"{n}\n" for n in range(50)))
    (repo / "gone.py").write_text("gone\n")
    git("add", "-A")
    git("commit", "-qm", "Two")
    git("mv", "old.py", "new.py")
    git("rm", "-q", "gone.py")
    (repo / "link").symlink_to("/etc/passwd")
    (repo / "bin").write_bytes(bytes(range(256)))
    git("add", "-A")
    found = {
        f.path: (f.status, f.content is not None, f.added)
        for f in git_changes.staged_beside(repo, ".rules/compiled")[0].files
    }
    assert found == {
        "new.py": ("R", True, None),
        "gone.py": ("D", False, None),
        "link": ("A", False, None),
        "bin": ("A", True, None),
    }


def test_a_range_begins_where_the_branches_parted(repo: Path, git: Run) -> None:
    git("switch", "-qc", "work")
    (repo / "mine.py").write_text("mine\n")
    git("add", "-A")
    git("commit", "-qm", "Mine")
    git("switch", "-q", "main")
    (repo / "theirs.py").write_text("theirs\n")
    git("add", "-A")
    git("commit", "-qm", "Theirs")
    git("switch", "-q", "work")
    assert [f.path for f in git_changes.change_since(repo, git_refs.resolve_range(repo, "main")).files] == ["mine.py"]


def test_a_repository_without_commits_has_a_change_too(tmp_path: Path) -> None:
    git_session.git_output(tmp_path, "init", "-q")
    (tmp_path / "a.py").write_text("x\n")
    git_session.git_output(tmp_path, "add", "-A")
    assert [f.path for f in git_changes.staged_beside(tmp_path, ".rules/compiled")[0].files] == ["a.py"]


def test_files_outside_are_refused(repo: Path) -> None:
    with pytest.raises(RulecError, match="outside"):
        git_changes.whole_files_change(repo, ["/etc/passwd"])
    with pytest.raises(RulecError, match="no such file"):
        git_changes.whole_files_change(repo, [str(repo / "nothing.py")])


def test_the_tree_beside_a_change_is_the_index_and_not_the_work_tree(repo: Path, git: Run) -> None:
    (repo / "a b.txt").write_text("staged\n")
    git("add", "-A")
    (repo / "a b.txt").write_text("later\n")
    (repo / "c.txt").write_text("untracked\n")
    tree = git_changes.staged_beside(repo, ".rules/compiled")[0].tree
    assert tree
    assert "a b.txt" in tree.paths()
    assert "c.txt" not in tree.paths()
    assert (tree.read("a b.txt"), tree.read("c.txt")) == ("staged\n", None)


def test_a_merge_is_judged_for_what_neither_side_brought(repo: Path, git: Run) -> None:
    (repo / "a").write_text("one\ntwo\nthree\n")
    git("add", "-A")
    git("commit", "-qm", "Begin")
    git("switch", "-qc", "side")
    (repo / "a").write_text("one\nTWO theirs\nthree\nfour\n")
    (repo / "theirs").write_text("new\n")
    git("add", "-A")
    git("commit", "-qm", "Side")
    git("switch", "-q", "-")
    (repo / "a").write_text("one\nTWO ours\nthree\n")
    git("commit", "-qam", "Main")
    assert git("merge", "side", check=False).returncode == 1
    (repo / "a").write_text("one\nTWO of both\nthree\nfour\n")
    git("add", "-A")
    (file,) = git_changes.staged_beside(repo, ".rules/compiled")[0].files
    assert (file.path, file.added) == ("a", ((2, 2),))


def test_the_work_tree_is_held_against_the_last_commit(repo: Path, git: Run) -> None:
    (repo / "a.py").write_text("one\ntwo\n")
    (repo / "b.py").write_text("one\n")
    (repo / "gone.py").write_text("one\n")
    (repo / ".gitignore").write_text("*.log\n")
    git("add", "-A")
    git("commit", "-qm", "Begin")
    (repo / "a.py").write_text("one\nand\ntwo\n")
    (repo / "new *.py").write_text("all of it\n")
    (repo / "added.py").write_text("staged\n")
    (repo / "x.log").write_text("ignored\n")
    (repo / "other.py").write_text("nobody asked\n")
    (repo / "gone.py").unlink()
    git("add", "added.py")
    named = ["a.py", "b.py", "new *.py", "added.py", "gone.py", "x.log", "nowhere.py"]
    found = {
        file.path: (file.status, file.content, file.added) for file in git_changes.uncommitted_change(repo, named).files
    }
    assert found == {
        "a.py": ("M", b"one\nand\ntwo\n", ((2, 2),)),
        "added.py": ("A", b"staged\n", None),
        "gone.py": ("D", None, None),
        "new *.py": ("A", b"all of it\n", None),
    }


def test_before_the_first_commit_all_of_the_work_tree_is_new(tmp_path: Path) -> None:
    top = tmp_path / "fresh"
    subprocess.run(["git", "init", "-q", str(top)], check=True)
    (top / "a.py").write_text("x\n")
    assert [(file.path, file.added) for file in git_changes.uncommitted_change(top, ["a.py"]).files] == [("a.py", None)]
