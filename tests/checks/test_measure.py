"""What a judge said of its examples is counted without mercy: what was not failed was missed."""

import pytest

from rulec.checks.judge.rulings import describe_measure, measure_judge, why_too_few, wrong_rulings
from rulec.domain.evidence import JudgeBar, JudgeMeasure

INVALID = [True, True, False, False]


def reached(*rounds: str) -> tuple[float, float, float]:
    """Precision, recall and agreement of rounds that are written as one letter an example."""
    words = {"f": "fail", "p": "pass", "u": "unsure"}
    said = [[words[letter] for letter in one] for one in rounds]
    found = measure_judge(INVALID, said, model="m", wording=1)
    return found.precision, found.recall, found.agreement


@pytest.mark.parametrize(
    ("rounds", "wanted"),
    [
        (("ffpp", "ffpp", "ffpp"), (1.0, 1.0, 1.0)),
        (("fppp", "fppp", "fppp"), (1.0, 0.5, 1.0)),
        (("ffff", "ffff"), (0.5, 1.0, 1.0)),
        (("pppp", "pppp"), (0.0, 0.0, 1.0)),  # who never fails anything shows nothing
        (("uuuu", "uuuu"), (0.0, 0.0, 1.0)),
        (("fupp", "ffpp"), (1.0, 0.75, 0.75)),  # an offence that it is not sure of was missed
        (("ffpu", "ffpp"), (1.0, 1.0, 0.75)),
        (("ffpp", "ffpp", "ffpf"), (0.857, 1.0, 0.833)),
    ],
)
def test_what_it_fails_what_it_misses_and_how_often_it_says_the_same(rounds, wanted):
    assert reached(*rounds) == wanted


@pytest.mark.parametrize(
    ("rates", "holds"),
    [
        ((0.9, 0.7, 0.9), True),
        ((0.899, 1.0, 1.0), False),
        ((1.0, 0.699, 1.0), False),
        ((1.0, 1.0, 0.899), False),
    ],
)
def test_the_bar_is_reached_by_all_three_or_not_at_all(rates, holds):
    precision, recall, agreement = rates
    found = JudgeMeasure(model="m", wording=1, repeats=3, precision=precision, recall=recall, agreement=agreement)
    assert found.reaches(JudgeBar()) is holds
    assert found.reaches(JudgeBar(precision=0, recall=0, agreement=0))


@pytest.mark.parametrize(
    ("invalid", "enough"),
    [(INVALID, True), ([True, True, False], False), ([True, False, False], False), ([], False)],
)
def test_it_takes_two_examples_of_either_sort(invalid, enough):
    assert bool(why_too_few(invalid)) is not enough


def test_the_examples_that_went_wrong_are_named_with_how_often():
    said = [["fail", "unsure", "pass", "fail"], ["fail", "pass", "pass", "pass"]]
    assert list(wrong_rulings(INVALID, said)) == [(1, 2, 1), (3, 1, 0)]


def test_a_measure_is_told_with_what_it_has_to_reach():
    found = JudgeMeasure(model="m-1", wording=1, repeats=3, precision=1.0, recall=0.83, agreement=0.94)
    assert describe_measure(found, JudgeBar()) == (
        "precision 1.00 recall 0.83 agreement 0.94, bar 0.9/0.7/0.9, 3 times, model m-1"
    )
