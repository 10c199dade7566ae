"""Back and forth again is where one was, to the byte."""

from pathlib import Path

import pytest

from tests.laws.conftest import acts
from tests.support.world import act, copy, run

KINDS = (
    "a new rule",
    "a new rule of a person's",
    "the same wish again",
    "an update",
    "a rule loosened",
    "a rule out of force",
    "a rule in another's place",
    "an exception",
)


def _stands(top: Path) -> tuple[str, str]:
    assert run(top, "status", "--porcelain") == ""
    return run(top, "rev-parse", "HEAD^{tree}"), act(top, "rules").out


def _slug(top: Path) -> str:
    """The rule that the last commit was about."""
    message = run(top, "log", "-1", "--format=%B")
    return next(line for line in message.splitlines() if line.startswith("Rule: ")).split()[1].partition("@")[0]


@pytest.mark.parametrize("kind", KINDS)
def test_a_rollback_and_the_way_back_are_nothing(kind: str, seeded: Path, tmp_path: Path) -> None:
    top = copy(seeded, tmp_path / "top")
    before = _stands(top)
    act(top, *acts(top, tmp_path)[kind])
    after, slug, made = _stands(top), _slug(top), run(top, "rev-parse", "HEAD").strip()
    assert after[0] != before[0]
    new = not run(top, "ls-tree", "HEAD~1", f".rules/{slug}.yaml")
    told = act(top, "rollback", slug, *(() if new else ("--to", "HEAD~1"))).out
    assert ("to before it was made" in told) == new
    assert _stands(top) == before
    act(top, "rollback", slug, "--to", made)
    assert _stands(top) == after
    assert "already is as it was" in act(top, "rollback", slug, "--to", made).out
    act(top, "compile", "--check")
