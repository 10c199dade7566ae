from pathlib import Path

import pytest

from rulec.infra.git import git_changes
from rulec.infra.git.git_changes import LARGEST_READ
from tests.conftest import Run


@pytest.fixture
def full(repo: Path, git: Run) -> Path:
    for number in range(git_changes.PART_FILES + 2):
        (repo / f"{number:05}.txt").write_text(f"{number}\n")
    (repo / "big").write_bytes(b"x" * (LARGEST_READ + 1))
    (repo / "a b\nü").write_text("odd\n")
    (repo / "link").symlink_to("big")
    git("add", "-A")
    git("commit", "-qm", "Add them")
    return repo


def test_a_commit_and_the_work_tree_have_the_same_files(full: Path) -> None:
    there = [file for part in git_changes.files_in_parts(full, "HEAD") for file in part]
    assert {f.path: f.content for part in git_changes.files_in_parts(full) for f in part} == {
        f.path: f.content for f in there
    }
    contents = {file.path: file.content for file in there}
    assert contents["a b\nü"] == b"odd\n"
    assert contents["big"] is None
    assert "link" not in contents


def test_no_part_is_large(full: Path) -> None:
    for revision in ("HEAD", ""):
        assert [len(part) <= git_changes.PART_FILES for part in git_changes.files_in_parts(full, revision)] == [
            True,
            True,
        ]


def test_what_was_deleted_but_not_yet_committed_is_not_there(full: Path) -> None:
    (full / "big").unlink()
    assert "big" not in {file.path for part in git_changes.files_in_parts(full) for file in part}
