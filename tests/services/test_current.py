"""A rule that is edited by hand cannot be committed without the check that it now stands for."""

from pathlib import Path

import pytest

from tests.conftest import Run


@pytest.fixture
def ruled(gated: Path, rulec: Run) -> Path:
    """A repository with one rule."""
    rulec("add", "Use pnpm instead of npm", "--yes", "--enforcement", "block")
    return gated / ".rules/use-pnpm.yaml"


@pytest.mark.parametrize(
    ("edit", "says"),
    [
        (
            ("prefer: pnpm", "prefer: yarn"),
            "does not match the compiled files that are staged; run rulec compile, then git add .rules",
        ),
        (("forbid-command", "forbid-comand"), "no template 'forbid-comand'"),
        (("prefer: pnpm", "prefer: 3"), "forbid-command.prefer must be "),
        (("severity: should", "severity: huge"), "severity 'huge' is not one of"),
    ],
)
def test_an_edit_that_was_not_compiled_is_no_commit(
    ruled: Path, rulec: Run, git: Run, edit: tuple[str, str], says: str
) -> None:
    before = git("rev-parse", "HEAD").stdout
    ruled.write_text(ruled.read_text().replace(*edit))
    git("add", "-A")
    done = git("commit", "-m", "Say it otherwise", check=False)
    assert done.returncode != 0
    (line,) = [line for line in done.stderr.splitlines() if says in line]
    assert line.startswith("rulec: .rules/use-pnpm.yaml")
    assert git("rev-parse", "HEAD").stdout == before
    assert says in rulec("check", "--staged", code=2).stderr


def test_once_it_is_compiled_it_is(ruled: Path, rulec: Run, git: Run) -> None:
    ruled.write_text(ruled.read_text().replace("Use pnpm instead of npm.", "We use pnpm here."))
    rulec("compile")
    git("add", "-A")
    git("commit", "-m", "Say it otherwise")


def test_a_rule_goes_with_its_check(ruled: Path, rulec: Run, git: Run) -> None:
    git("rm", "-q", str(ruled))
    said = git("commit", "-m", "Drop it", check=False)
    assert said.returncode != 0
    assert "use-pnpm.yaml: is removed, but its compiled files are still staged; restore it" in said.stderr
    rulec("compile")
    git("add", "-A")
    said = rulec("check", "--staged", code=1).stdout  # it is what it is compiled to, and for a person to approve
    assert "use-pnpm: removed" in said


def test_what_is_not_staged_is_not_looked_at(ruled: Path, git: Run) -> None:
    ruled.write_text("- [")
    (ruled.parents[1] / "notes.txt").write_text("a\n")
    git("add", "notes.txt")
    git("commit", "-m", "Note")
