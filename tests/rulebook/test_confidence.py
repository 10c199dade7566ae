"""How sure a rule is: the formulas to the number, freshness beside them, whatever the order or branch."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from itertools import permutations
from math import exp, log

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rulec.domain.confidence import TAU, base_confidence, freshness, is_active
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
    assert ("may block" in told.arithmetic) == active


def test_a_persons_yes_counts_in_full_whatever_else_was_said_in_that_session() -> None:
    accepted = Evidence(slug="x", kind="correction", weight=3.0, transcript="a", turn=9)
    assert fold_confidence((*voiced("a", "a"), accepted)).weight == 3.75


# prior, N_min and C_min of each category in LexSona 4.2 -> how many reinforcements make a rule active, and for how long
PAPER = [
    ("all others", 0.7, 10, 1.5),
    ("security", 0.8, 18, 0.0),
    ("style and tooling", 0.6, 6, 4.6),
]


@pytest.mark.parametrize(("category", "least", "times", "days"), PAPER)
def test_the_formulas_give_the_papers_own_arithmetic(category: str, least: float, times: int, days: float) -> None:
    """LexSona 4.2 with its own constants; what a rule just activated has left is what rulec's constants answer to."""
    means = [base_confidence(pro, 0, prior=(2, 5)) for pro in range(times + 1)]
    assert [is_active(mean, 7 + pro, least, 5) for pro, mean in enumerate(means)] == [False] * times + [True], category
    lasts = TAU * log(means[-1] / least)
    assert lasts == pytest.approx(days, abs=0.06)
    assert means[-1] * freshness(lasts) == pytest.approx(least)


@pytest.mark.parametrize(
    ("pro", "against", "mean"), [(0, 0, 1 / 2), (3, 0, 4 / 5), (3, 1, 4 / 6), (1.5, 0, 2.5 / 3.5), (0, 2, 1 / 4)]
)
def test_a_confidence_is_the_mean_over_its_prior(pro: float, against: float, mean: float) -> None:
    assert base_confidence(pro, against) == pytest.approx(mean)


def test_time_never_disarms_a_rule() -> None:
    told = fold_confidence((YES,), at=after(3650))
    assert told.active
    assert told.state == "dormant"


@pytest.mark.parametrize(
    ("evidence", "days", "state"),
    [
        ((YES,), 365, "fresh"),
        ((YES,), 700, "fresh"),  # bears enough to be active: not weak
        (reinforced(1), 365, "fresh"),
        (reinforced(1), 366, "stale"),
        (reinforced(1), 731, "dormant"),
        ((YES,), 730, "fresh"),
        ((YES,), 731, "dormant"),
        ((), 9999, "fresh"),  # nothing says when it mattered
    ],
)
def test_a_weak_rule_is_stale_after_a_year_and_any_dormant_after_two(
    evidence: Sequence[Evidence], days: float, state: str
) -> None:
    assert fold_confidence(evidence, at=after(days)).state == state


def test_freshness_is_counted_from_when_the_rule_last_mattered() -> None:
    assert fold_confidence((YES,), at=after(180)).freshness == pytest.approx(exp(-1))
    assert fold_confidence((YES,), at=after(180), mattered=after(90)).freshness == pytest.approx(exp(-0.5))
    assert fold_confidence((YES,), at=after(800), mattered=after(790)).state == "fresh"
    assert fold_confidence((YES,)).freshness == 1
    assert fold_confidence((YES,), at=after(-30)).freshness == 1  # a clock that is behind
    assert fold_confidence((replace(YES, at="yesterday"),), at=after(0)).freshness == 1


def test_one_turns_words_count_once_the_heaviest_of_them() -> None:
    words = Evidence(slug="x", kind="correction", weight=1.0, transcript="s", turn=4, quote="pnpm!", at=after(0))
    again = replace(words, weight=3.0, offence="npm i", at=after(9))
    assert fold_confidence((words, again)) == fold_confidence((again,))
    assert fold_confidence((again, words, again)) == fold_confidence((again,))
    assert fold_confidence((again, replace(words, turn=5))).weight > fold_confidence((again,)).weight


def test_times_of_any_zone_are_compared_as_moments() -> None:
    early = replace(YES, at="2024-01-01T23:00:00+05:00")
    assert fold_confidence((early,), at="2024-01-01T18:00:00Z").freshness == 1
    assert fold_confidence((early,), at="2024-01-01 18:00").freshness == 1


def _fold(items: Sequence[Evidence]) -> Confidence:
    return fold_confidence(items, at=after(900))


TIMED = st.builds(replace, observations("use-pnpm"), at=st.sampled_from(["", after(0), after(200), after(800.5)]))


@given(st.lists(TIMED, max_size=4))
def test_confidence_does_not_depend_on_order(items: list[Evidence]) -> None:
    assert len({_fold(order) for order in permutations(items)}) == 1


@given(st.lists(TIMED, max_size=6), st.lists(TIMED, max_size=6), st.lists(TIMED, max_size=3))
def test_merged_branches_are_the_union_of_their_evidence(
    ours: list[Evidence], theirs: list[Evidence], before: list[Evidence]
) -> None:
    def files(*parts: list[Evidence]) -> tuple[Evidence, ...]:
        return tuple({evidence_file.evidence_id(item): item for part in parts for item in part}.values())

    assert _fold(files(before, ours, theirs)) == _fold(files(before, theirs, ours))
    assert _fold(files(before, ours, theirs, ours)) == _fold(files(before, ours, theirs))


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
