"""What was voiced several times is one candidate; what only sounds alike is not."""

import pytest

from rulec.domain.candidate import Candidate, Correction, Draft
from rulec.domain.rule import Check, Rule, Scope
from rulec.domain.transcript import Turn
from rulec.resolving.grouping import contrary_places, group_candidates, wish_of

NPM = Check(kind="guard", template="forbid-command", parameters={"commands": ["npm"]})
JUDGE = Check(kind="judge", template="judge", parameters={"of": "diff"})


def said(
    statement: str, session: str = "s1", turn: int = 2, check: Check | None = None, slug: str = "", *,
    marked: bool = False,
) -> Candidate:  # fmt: skip
    at = Turn(role="human", kind="typed", text=statement, index=turn, line=1, session=session)
    correction = Correction(quote=statement, turn=at, before=(), after=(), marked=marked, slug=slug)
    drafts = (Draft(checks=(check,)),) if check else ()
    return Candidate(rule=Rule(slug=slug or "x", statement=statement), drafts=drafts, correction=correction)


@pytest.mark.parametrize(
    ("one", "other", "groups"),
    [
        (said("Use pnpm instead of npm."), said("use `pnpm` instead of npm!", "s2"), 1),
        (said("Do not use git stash."), said("Never use git stash."), 2),
        (said("Use pnpm instead of npm."), said("Use npm instead of pnpm.", "s2"), 2),
        (said("Use tabs."), said("Never use tabs.", "s2"), 2),
        (said("Use tabs."), said("Run the tests first.", "s2"), 2),
        (said("Use tabs."), said("Use tabs, except in YAML.", "s2"), 2),
        (said("npm is off limits.", check=NPM), said("Never npm here, please.", "s2", check=NPM), 1),
        (said("Handlers stay thin.", check=JUDGE), said("Comments say why.", "s2", check=JUDGE), 2),
        (said("Handlers stay thin.", check=JUDGE), said("handlers stay thin", "s2", check=JUDGE), 1),
        (said("Use tabs.", slug="tabs"), said("Indent with the tab key.", "s2", slug="tabs"), 1),
        (said("Use tabs.", slug="tabs"), said("Use tabs.", "s2", slug="indent"), 2),
    ],
)
def test_the_same_is_known_by_name_words_or_check(one: Candidate, other: Candidate, groups: int) -> None:
    found = group_candidates([one, other])
    assert len(found) == groups
    assert sum(1 + len(candidate.repeats) for candidate in found) == 2, "nothing that was said is lost"


def test_a_check_of_another_scope_is_another_rule() -> None:
    here = Candidate(rule=Rule(slug="a", statement="No npm."), drafts=(Draft(checks=(NPM,)),))
    there = Draft(checks=(NPM,), scope=Scope(include=("web/**",)))
    assert (
        len(group_candidates([here, Candidate(rule=Rule(slug="b", statement="Web is for yarn."), drafts=(there,))]))
        == 2
    )


def test_gathering_again_changes_nothing() -> None:
    once = group_candidates([said("Use tabs."), said("Use pnpm."), said("use tabs", "s2"), said("Use tabs!", "s3")])
    assert group_candidates(once) == once


def test_several_sessions_come_before_several_turns() -> None:
    talk = [said("Use pnpm.", turn=turn) for turn in (2, 4, 6)]
    others = [said("Use tabs.", "s1"), said("Use tabs.", "s2")]
    assert [candidate.rule.statement for candidate in group_candidates([*talk, *others])] == ["Use tabs.", "Use pnpm."]


def test_the_clearest_time_speaks_for_the_others() -> None:
    plain, marked = said("Use tabs."), said("Use tabs!", turn=9, marked=True)
    (found,) = group_candidates([plain, marked])
    assert (found.correction, found.repeats) == (marked.correction, (plain,))


def test_contraries_are_found_by_values_and_not_by_words() -> None:
    npm = Check(kind="guard", template="forbid-command", parameters={"commands": ["pnpm"], "instead": "npm"})
    pnpm = Check(kind="guard", template="forbid-command", parameters={"commands": ["npm"], "prefer": "pnpm"})
    wish = said("Use pnpm instead of npm.", check=pnpm)
    others = [said("Use npm rather than pnpm.", check=npm), said("Never use pnpm."), said("Use uv.", check=NPM)]
    assert contrary_places(list(map(wish_of, (wish, *others))))[0] == [1]
