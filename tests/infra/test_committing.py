"""Commits beside the person's index, and its lock: what a killed command leaves is known by the next one."""

import os
import time
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


def test_old_temporary_files_of_killed_commands_are_removed(repo: Path) -> None:
    folder = repo / ".git/rulec"
    (folder / "queue").mkdir(parents=True)
    left = [folder / name for name in ("index.4711", ".x.json.99.1763", "queue/.y.json.99.1763", "objects-abc")]
    others = [folder / name for name in ("queue/y.json", "hook", ".z.json.98.1764")]
    for path in (*left, *others):
        path.mkdir() if path.name.startswith("objects") else path.write_text("x")
    long_ago = time.time() - 86_400
    for path in (*left, *others[:-1]):  # the last one is being written right now
        os.utime(path, (long_ago, long_ago))
    committing.make_commit(repo, FILES, "A commit\n", None)
    assert not any(path.exists() for path in left)
    assert all(path.exists() for path in others)
