"""How sure a rule is: both profiles to the number, freshness beside them, whatever the order or branch."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from itertools import permutations
from math import exp

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rulec.domain.evidence import Evidence, EvidenceKind, FiringCount
from rulec.rulebook import evidence_file
from rulec.rulebook.confidence import Confidence, fold_confidence
from tests.support.strategies import observations

START = datetime(2024, 1, 1, tzinfo=UTC)
YES = Evidence(slug="x", kind="accepted", weight=3.0, at="2024-01-01T00:00:00Z")
AGAINST = Evidence(slug="x", kind="counterexample", weight=1.0, at="2024-01-01T00:00:00Z", path="legacy/a.py")


def voiced(*sessions: str) -> tuple[Evidence, ...]:
    return tuple(
        Evidence(slug="x", kind="correction", weight=1.0, transcript=session, turn=turn)
        for turn, session in enumerate(sessions)
    )


def after(days: float) -> str:
    return (START + timedelta(days=days)).isoformat()


def reinforced(times: int, against: int = 0) -> tuple[Evidence, ...]:
    """That many corrections and counterexamples on the first day."""
    pro = (replace(one, at=after(0)) for one in voiced(*(f"s{number}" for number in range(times))))
    return (*pro, *(replace(AGAINST, path=f"{number}.py") for number in range(against)))


@pytest.mark.parametrize(
    ("evidence", "weight", "active"),
    [
        (voiced("a"), 1, False),
        (voiced("a", "a"), 1.5, False),
        (voiced("a", "a", "a", "a"), 1.875, False),
        (voiced(*"a" * 50), 2, False),
        (voiced("a", "b", "c"), 3, True),
        (voiced("a", "a", "b", "b"), 3, True),
        (voiced("", "", ""), 3, True),  # sessions without a name are not taken for one
        ((YES,), 3, True),
        ((YES, AGAINST), 4, False),
        ((*voiced("a", "b", "c"), AGAINST), 4, False),
        ((YES, *voiced("a", "b", "c"), AGAINST), 7, True),
    ],
)
def test_by_default_an_acceptance_or_three_sessions_activate(
    evidence: tuple[Evidence, ...], weight: float, active: bool
) -> None:
    told = fold_confidence(evidence)
    assert (pytest.approx(told.weight), told.active) == (weight, active)
    assert f"observed weight {weight:g}" in told.arithmetic


def test_a_persons_yes_counts_in_full_whatever_else_was_said_in_that_session() -> None:
    accepted = Evidence(slug="x", kind="correction", weight=3.0, transcript="a", turn=9)
    assert fold_confidence((*voiced("a", "a"), accepted)).weight == 3.75


@pytest.mark.parametrize(
    ("category", "times"), [("process", 10), ("testing", 10), ("security", 18), ("code-style", 6), ("tooling", 6)]
)
def test_lexsona_takes_as_many_reinforcements_as_its_bar_asks_for(category: str, times: int) -> None:
    active = [fold_confidence(reinforced(n), "lexsona", category=category).active for n in range(times + 1)]
    assert active == [False] * times + [True]


def test_lexsona_folds_as_the_paper_does() -> None:
    told = fold_confidence(reinforced(10), "lexsona", at=after(0))
    assert told.mean == pytest.approx(12 / 17)
    assert told.arithmetic.startswith("(2 + 10) / (7 + 10 + 0) = 0.706; times exp(-0.0 days / 180) = 0.706; active")
    assert fold_confidence(reinforced(10, 1), "lexsona").mean == pytest.approx(12 / 18)
    assert fold_confidence(reinforced(10), "lexsona", at=after(180)).mean == pytest.approx(12 / 17 * exp(-1))
    assert fold_confidence((YES,), "lexsona").mean == pytest.approx(3 / 8)  # a yes counts one, as any observation


@pytest.mark.parametrize(("days", "active"), [(0, True), (1.5, True), (1.51, False), (400, False)])
def test_a_rule_that_lexsona_has_just_activated_lapses_after_a_day_and_a_half(days: float, active: bool) -> None:
    assert fold_confidence(reinforced(10), "lexsona", at=after(days)).active is active


def test_a_counterexample_is_a_correction_and_begins_the_time_anew() -> None:
    twelve = reinforced(12)
    assert not fold_confidence(twelve, "lexsona", at=after(100)).active
    said = replace(AGAINST, at=after(100))
    told = fold_confidence((*twelve, said), "lexsona", at=after(100))
    assert (round(told.mean, 3), told.active) == (0.7, True)  # of the first day it would be .402
    answered = fold_confidence(twelve, "lexsona", at=after(100), answered=[said])  # an exception has taken it up
    assert round(answered.mean, 3) == round(14 / 19, 3)


@given(
    st.integers(1, 40),
    st.integers(0, 8),
    st.sampled_from(["process", "security", "code-style", "tooling"]),
    st.integers(0, 90 * 86_400),
)
def test_a_rule_is_active_until_the_moment_that_its_evidence_says(
    times: int, against: int, category: str, seconds: int
) -> None:
    """The end that is compiled is the last second in which the paper's own formula reaches C_min."""
    bar = {"security": 0.8, "code-style": 0.6, "tooling": 0.6}.get(category, 0.7)
    evidence, at = reinforced(times, against), after(seconds / 86_400)
    told = fold_confidence(evidence, "lexsona", category=category, at=at)
    base, total = (2 + times) / (7 + times + against), 7 + times + against
    exact = base * exp(-seconds / 86_400 / 180)
    assert told.mean == pytest.approx(exact)
    if abs(exact - bar) > 1e-7:  # a second is 6e-8 of it
        assert told.active is (exact >= bar and total >= {"security": 10}.get(category, 3))
    assert told.active is (bool(told.until) and datetime.fromisoformat(at) <= datetime.fromisoformat(told.until))
    assert told.earned is bool(told.until)
    assert fold_confidence(evidence, "lexsona", category=category).until == told.until


def test_time_never_disarms_a_rule_of_the_default_profile() -> None:
    told = fold_confidence((YES,), at=after(3650))
    assert told.active
    assert told.state == "dormant"


@pytest.mark.parametrize(
    ("evidence", "days", "profile", "state"),
    [
        ((YES,), 365, "default", "fresh"),
        ((YES,), 700, "default", "fresh"),  # bears enough to be active: not weak
        (reinforced(1), 365, "default", "fresh"),
        (reinforced(1), 366, "default", "stale"),
        (reinforced(1), 731, "default", "dormant"),
        ((YES,), 730, "default", "fresh"),
        ((YES,), 731, "default", "dormant"),
        (reinforced(1), 365, "lexsona", "fresh"),
        (reinforced(4), 366, "lexsona", "stale"),  # its prior is not counted, else none would be
        (reinforced(5), 366, "lexsona", "fresh"),
        (reinforced(1), 731, "lexsona", "dormant"),
        ((), 9999, "default", "fresh"),  # nothing says when it mattered
    ],
)
def test_a_weak_rule_is_stale_after_a_year_and_any_dormant_after_two(
    evidence: Sequence[Evidence], days: float, profile: str, state: str
) -> None:
    assert fold_confidence(evidence, profile, at=after(days)).state == state


def test_freshness_is_counted_from_when_the_rule_last_mattered() -> None:
    assert fold_confidence((YES,), at=after(180)).freshness == pytest.approx(exp(-1))
    assert fold_confidence((YES,), at=after(180), mattered=after(90)).freshness == pytest.approx(exp(-0.5))
    assert fold_confidence((YES,), at=after(800), mattered=after(790)).state == "fresh"
    assert fold_confidence((YES,)).freshness == 1
    assert fold_confidence((YES,), at=after(-30)).freshness == 1  # a clock that is behind
    assert fold_confidence((replace(YES, at="yesterday"),), at=after(0)).freshness == 1


@pytest.mark.parametrize("profile", ["default", "lexsona"])
def test_one_turns_words_count_once_the_heaviest_of_them(profile: str) -> None:
    words = Evidence(slug="x", kind="correction", weight=1.0, transcript="s", turn=4, quote="pnpm!", at=after(0))
    again = replace(words, weight=3.0, offence="npm i", at=after(9))
    assert fold_confidence((words, again), profile) == fold_confidence((again,), profile)
    assert fold_confidence((again, words, again), profile) == fold_confidence((again,), profile)
    other = replace(words, turn=5)
    assert fold_confidence((again, other), profile).weight > fold_confidence((again,), profile).weight


def test_times_of_any_zone_are_compared_as_moments() -> None:
    early = replace(YES, at="2024-01-01T23:00:00+05:00")
    assert fold_confidence((early,), at="2024-01-01T18:00:00Z").freshness == 1
    assert fold_confidence((early,), at="2024-01-01 18:00").freshness == 1


def _all(items: Sequence[Evidence]) -> tuple[Confidence, Confidence]:
    return tuple(fold_confidence(items, name, category="tooling", at=after(900)) for name in ("default", "lexsona"))


TIMED = st.builds(replace, observations("use-pnpm"), at=st.sampled_from(["", after(0), after(200), after(800.5)]))


@given(st.lists(TIMED, max_size=4))
def test_confidence_does_not_depend_on_order(items: list[Evidence]) -> None:
    assert len({_all(order) for order in permutations(items)}) == 1


@given(st.lists(TIMED, max_size=6), st.lists(TIMED, max_size=6), st.lists(TIMED, max_size=3))
def test_merged_branches_are_the_union_of_their_evidence(
    ours: list[Evidence], theirs: list[Evidence], before: list[Evidence]
) -> None:
    def files(*parts: list[Evidence]) -> tuple[Evidence, ...]:
        return tuple({evidence_file.evidence_id(item): item for part in parts for item in part}.values())

    assert _all(files(before, ours, theirs)) == _all(files(before, theirs, ours))
    assert _all(files(before, ours, theirs, ours)) == _all(files(before, ours, theirs))


@given(TIMED, st.sampled_from([0.0, 1.0, 3.0]))
def test_whatever_an_observation_says_is_in_its_name(item: Evidence, weight: float) -> None:
    other = replace(item, weight=weight)
    assert (evidence_file.evidence_id(other) == evidence_file.evidence_id(item)) is (other == item)


@pytest.mark.parametrize("kind", ["fired", "fixed", "excepted"])
def test_what_gates_saw_keeps_a_rule_fresh_and_makes_it_no_surer(kind: EvidenceKind) -> None:
    seen = Evidence(
        slug="x", kind=kind, at=after(799), seen=(FiringCount(day="2026-03-10", gate="ask", outcome="block"),)
    )
    old, new = (fold_confidence(some, at=after(800)) for some in ((YES,), (YES, seen)))
    assert (old.state, new.state) == ("dormant", "fresh")
    assert (old.mean, old.weight, old.active) == (new.mean, new.weight, new.active)
