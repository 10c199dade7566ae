"""``rulec check --base``: what it says where a machine's clone does not have the base."""

import subprocess
from pathlib import Path

import pytest

from rulec.domain.change import Change
from rulec.errors import RulecError
from rulec.infra.git import git_changes, git_refs
from tests.conftest import Run


def clone(repo: Path, *how: str) -> Path:
    folder = repo.parent / "clone"
    subprocess.run(["git", "clone", "-q", *how, f"file://{repo}", str(folder)], check=True)
    return folder


def _since(top: Path, base: str) -> Change:
    return git_changes.change_since(top, git_refs.resolve_range(top, base))


@pytest.fixture
def forked(repo: Path, git: Run) -> Path:
    """main has two more commits than the branch that left it, which has one of its own."""
    git("checkout", "-q", "-b", "change")
    (repo / "a.txt").write_text("theirs\n")
    git("add", "-A")
    git("commit", "-qm", "Change it")
    git("checkout", "-q", "main")
    for name in ("b.txt", "c.txt"):
        (repo / name).write_text("ours\n")
        git("add", "-A")
        git("commit", "-qm", f"Add {name}")
    git("checkout", "-q", "change")
    return repo


def refusal(top: Path, name: str) -> str:
    with pytest.raises(RulecError) as error:
        _since(top, name)
    told = str(error.value)
    assert told.startswith("--base: ")
    assert "\n" not in told
    return told


def test_only_what_head_adds_is_its_change_though_the_base_went_on(forked: Path) -> None:
    assert [file.path for file in _since(forked, "main").files] == ["a.txt"]


def test_a_new_branch_has_no_base(forked: Path) -> None:
    for zeros in ("0" * 40, "0" * 64):
        assert "a new branch has no base" in refusal(forked, zeros)


@pytest.mark.parametrize(
    ("name", "hint"),
    [
        ("origin/gone", "where the branch origin/gone is gone, name the commit that it had"),
        ("12ab" * 10, "dropped by a forced push: run git fetch origin 12ab"),
        ("--output=x", "is not a commit here"),
        ("HEAD:", "is not a commit here"),
        ("", "is not a commit here"),
    ],
)
def test_a_base_that_is_not_there_is_told_with_what_to_do(forked: Path, name: str, hint: str) -> None:
    assert hint in refusal(forked, name)


def test_a_shallow_clone_that_lacks_the_base_says_how_to_get_it(forked: Path) -> None:
    shallow = clone(forked, "--depth=1")
    assert "the clone is shallow; fetch more of the history: fetch-depth: 0" in refusal(shallow, "HEAD~1")


def test_a_shallow_clone_that_hides_where_they_parted_is_refused(forked: Path, git: Run) -> None:
    for number in range(3):
        git("commit", "-q", "--allow-empty", "-m", f"Go on {number}")
    shallow = clone(forked, "--depth=2", "--no-single-branch")
    assert "does not show where HEAD left its base" in refusal(shallow, "origin/main")


def test_a_shallow_clone_that_is_deep_enough_is_no_trouble(forked: Path, git: Run) -> None:
    git("merge", "-q", "--no-edit", "main")
    shallow = clone(forked, "--depth=2")
    assert [file.path for file in _since(shallow, "HEAD^2").files] == ["a.txt"]


def test_a_history_of_its_own_is_held_against_the_base_itself(forked: Path, git: Run) -> None:
    git("checkout", "-q", "--orphan", "other")
    git("commit", "-qm", "Begin again")
    assert git_refs.fork_point(forked, "main") == "main"
    assert {file.path: file.status for file in _since(forked, "main").files} == {
        "a.txt": "A", "b.txt": "D", "c.txt": "D",
    }  # fmt: skip


def test_where_there_is_no_commit_there_is_no_change(tmp_path: Path) -> None:
    subprocess.run(["git", "init", "-q", str(tmp_path)], check=True)
    with pytest.raises(RulecError, match="there is no commit yet"):
        git_refs.fork_point(tmp_path, "HEAD")
