"""NEW or NOOP: the same wish is not made twice, and a contrary one is not taken for the same."""

import pytest

from rulec.model.candidate import Candidate, Draft
from rulec.model.rule import Check, Rule
from rulec.model.rulebook import Rulebook
from rulec.stages.resolve import resolve

PNPM = Check(kind="guard", template="forbid-command", parameters={"commands": ["npm"]})
BOOK = Rulebook(rules=(Rule(slug="use-pnpm", statement="Use pnpm instead of npm.", checks=(PNPM,)),))


def _candidate(statement: str, slug: str = "new-rule", *drafts: Draft) -> Candidate:
    return Candidate(rule=Rule(slug=slug, statement=statement), drafts=drafts)


@pytest.mark.parametrize(
    ("statement", "decision"),
    [
        ("Use pnpm instead of npm.", "NOOP"),
        ("please use pnpm instead of npm", "NOOP"),
        ("Always use the pnpm instead of npm!", "NOOP"),
        ("Never use pnpm instead of npm.", "NEW"),
        ("Use npm.", "NEW"),
        ("Run the tests before you say done.", "NEW"),
        ("Use tabs.", "NEW"),
    ],
)
def test_words(statement: str, decision: str) -> None:
    resolution = resolve(_candidate(statement), BOOK)
    assert resolution.decision == decision
    assert resolution.because
    assert resolution.slug == ("use-pnpm" if decision == "NOOP" else "new-rule")


def test_what_is_checked_alike_is_the_same_rule() -> None:
    assert resolve(_candidate("npm is off limits here", "x", Draft(checks=(PNPM,))), BOOK).decision == "NOOP"


def test_a_taken_slug_gets_a_number() -> None:
    assert resolve(_candidate("Only pnpm may touch the lockfile.", "use-pnpm"), BOOK).slug == "use-pnpm-2"


def test_the_line_of_a_resolution_says_all_of_it() -> None:
    assert resolve(_candidate("Use tabs."), BOOK).line().startswith("NEW new-rule -- no rule says this")
