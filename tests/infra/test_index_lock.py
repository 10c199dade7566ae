"""The lock of the person's index: a killed command's is known by the next one, another git's is left alone."""

import os
from pathlib import Path

import pytest

from rulec.errors import RulecError
from rulec.infra.git import committing
from rulec.infra.git.committing import FileToCommit
from tests.support.world import run

FILES = [FileToCommit("a.txt", b"new\n")]


def _left_over(top: Path) -> Path:
    """The lock, as a kill leaves it: a link to rulec's own file."""
    own, lock = top / ".git/rulec/index-lock", top / ".git/index.lock"
    own.parent.mkdir(exist_ok=True)
    own.touch()
    os.link(own, lock)
    return lock


def test_a_lock_of_ours_is_no_obstacle(repo: Path) -> None:
    lock = _left_over(repo)
    committing.update_index(repo, FILES)
    assert not lock.exists()
    assert "a.txt" in run(repo, "ls-files")


def test_the_lock_of_another_git_stays(repo: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(committing, "_PATIENCE", 1)
    lock = repo / ".git/index.lock"
    lock.touch()
    with pytest.raises(RulecError, match=r"index\.lock is there"):
        committing.update_index(repo, FILES)
    assert lock.exists()
    assert "a.txt" not in run(repo, "ls-files")


def test_where_no_links_can_be_made_the_lock_is_held_all_the_same(repo: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise PermissionError

    monkeypatch.setattr(os, "link", refuse)
    seen = []
    real = committing.index_info
    monkeypatch.setattr(
        committing, "index_info", lambda *given: seen.append((repo / ".git/index.lock").exists()) or real(*given)
    )
    committing.update_index(repo, FILES)
    assert seen == [True]
    assert not (repo / ".git/index.lock").exists()
