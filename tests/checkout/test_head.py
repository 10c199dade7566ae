"""The commit that is checked out, in every form in which git keeps it: always what git says itself."""

import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from rulec.checkout.head import head_commit
from tests.support.world import run


def _plain(top: Path) -> Path:
    return top


def _packed(top: Path) -> Path:
    run(top, "pack-refs", "--all")
    return top


def _detached(top: Path) -> Path:
    run(top, "checkout", "-q", "--detach")
    return top


def _linked(top: Path) -> Path:
    run(top, "worktree", "add", "-q", "-b", "side/branch", str(top.parent / "linked"))
    return top.parent / "linked"


def _packed_in_linked(top: Path) -> Path:
    place = _linked(top)
    run(top, "pack-refs", "--all")
    return place


FORMS: dict[str, Callable[[Path], Path]] = {
    "a loose ref": _plain,
    "a packed ref": _packed,
    "no branch": _detached,
    "a linked work tree": _linked,
    "a packed ref of a linked work tree": _packed_in_linked,
}


@pytest.mark.parametrize("form", FORMS)
def test_the_commit_is_the_one_that_git_names(repo: Path, form: str) -> None:
    place = FORMS[form](repo)
    assert head_commit(str(place)) == run(place, "rev-parse", "HEAD").strip()


def test_without_a_commit_or_a_repository_there_is_none(tmp_path: Path) -> None:
    subprocess.run(["git", "init", "-q", tmp_path / "fresh"], check=True)
    assert [head_commit(str(place)) for place in (tmp_path / "fresh", tmp_path)] == ["", ""]


def test_refs_in_a_form_of_their_own_are_asked_of_git(tmp_path: Path) -> None:
    made = subprocess.run(
        ["git", "init", "-q", "--ref-format=reftable", tmp_path / "new"], capture_output=True, check=False
    )
    if made.returncode:  # a git from before there were such refs
        return
    run(tmp_path / "new", "commit", "-q", "--allow-empty", "-m", "x")
    assert head_commit(str(tmp_path / "new")) == run(tmp_path / "new", "rev-parse", "HEAD").strip()
