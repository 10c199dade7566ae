"""prepare-commit-msg: an agent's commit is judged although git asks no other hook, and no innocent one is refused."""

import subprocess
from pathlib import Path

import pytest

from tests.support.gates import hooked, run

AGENT = {"CLAUDECODE": "1"}
REFUSED = "refused by no-bad-line"


@pytest.fixture
def top(tmp_path: Path) -> Path:
    """A repository behind its git hooks, with a branch of somebody's that breaks a rule and one that does not."""
    top = hooked(tmp_path / "repo")
    for branch, text in (("bad", "XXX\n"), ("good", "x\n")):
        run(top, "git", "checkout", "-qb", branch, "main")
        (top / f"{branch}.txt").write_text(text)
        run(top, "git", "add", "-A")
        run(top, "git", "-c", "core.hooksPath=/dev/null", "commit", "-qm", f"Bring {branch}")
    run(top, "git", "checkout", "-qb", "work", "main")
    (top / "own.txt").write_text("x\n")
    run(top, "git", "add", "-A")
    run(top, "git", "-c", "core.hooksPath=/dev/null", "commit", "-qm", "Work")
    return top


def _write(top: Path, text: str) -> None:
    (top / "new.txt").write_text(text)
    run(top, "git", "add", "new.txt")


BAD = "XXX\n"
DONE = {  # what an agent does -> whether it has to be refused
    "commit --no-verify -m Add": (BAD, True),
    "commit -n -m Add ": ("x\n", False),
    "commit --amend --no-verify --no-edit": (BAD, True),
    "commit --amend --no-verify --no-edit ": ("x\n", False),
    "commit --allow-empty --no-verify -m Nothing": ("", False),
    "merge --no-ff --no-verify -m Merge good": ("", False),
    "merge --no-ff --no-verify -m Merge bad": ("", False),  # what it passes on was judged where it was committed
    "merge --no-ff -m Merge good": ("", False),
    "cherry-pick bad": ("", True),
    "cherry-pick good": ("", False),
    "cherry-pick --no-commit good": ("", False),
    "revert --no-edit HEAD": ("", False),
    "rebase good": ("", False),
    "rebase bad": ("", False),
    "stash": ("x\n", False),
}


@pytest.mark.parametrize("command", DONE)
def test_what_an_agent_commits_past_the_hooks_is_judged(top: Path, command: str) -> None:
    text, refused = DONE[command]
    if text:
        _write(top, text)
    before = run(top, "git", "rev-parse", "HEAD")
    said = run(top, "git", *command.split(), code=None if refused else 0, **AGENT)
    assert (REFUSED in said) is refused
    assert (run(top, "git", "rev-parse", "HEAD") == before) is (
        refused or command in ("stash", "cherry-pick --no-commit good")
    )


def test_a_squashed_branch_is_judged_where_it_is_committed(top: Path) -> None:
    for branch, code in (("good", 0), ("bad", 1)):
        run(top, "git", "merge", "-q", "--squash", branch, **AGENT)
        said = run(top, "git", "commit", "--no-verify", "-m", "Squash it", code=code, **AGENT)
        assert (REFUSED in said) is bool(code)


def test_an_interactive_rebase_of_judged_commits_passes_and_an_edit_that_breaks_a_rule_does_not(top: Path) -> None:
    _write(top, "x\n")
    run(top, "git", "commit", "-qm", "Add it", **AGENT)
    squash = {"GIT_SEQUENCE_EDITOR": "sed -i 2s/pick/fixup/", **AGENT}
    run(top, "git", "rebase", "-q", "-i", "HEAD~2", **squash)
    assert run(top, "git", "rev-list", "--count", "main..HEAD").strip() == "1"
    run(top, "git", "rebase", "-q", "-i", "HEAD~1", **{**AGENT, "GIT_SEQUENCE_EDITOR": "sed -i 1s/pick/edit/"})
    _write(top, BAD)
    assert REFUSED in run(top, "git", "commit", "--amend", "--no-verify", "--no-edit", code=1, **AGENT)
    _write(top, "x\n")
    run(top, "git", "rebase", "--continue", **AGENT)


def test_a_commit_that_was_judged_is_not_judged_again(top: Path) -> None:
    _write(top, "x\n")
    run(top, "git", "commit", "-qm", "Add it", **AGENT)
    said = run(top, "git", "commit", "--amend", "--no-edit", **AGENT)
    assert said.count("rulec: ") <= 1


def test_people_are_asked_nothing(top: Path) -> None:
    _write(top, BAD)
    run(top, "git", "commit", "-qnm", "Add it")
    run(top, "git", "cherry-pick", "bad")


def test_git_makes_a_commit_of_a_tree_without_any_hook(top: Path) -> None:
    tree = run(top, "git", "rev-parse", "HEAD^{tree}").strip()
    assert (
        subprocess.run(["git", "commit-tree", "-m", "x", tree], cwd=top, check=False, capture_output=True).returncode
        == 0
    )
