"""What resolve is worth on pairs that it was not fitted to, and that its tables hold no word twice."""

from evaluation.bench import resolve as bench
from rulec.language.semantics import senses

PAIRS = bench.pairs()


def test_there_are_enough_pairs_of_every_kind_and_half_were_held_back() -> None:
    assert len(PAIRS) >= 120
    held = [pair for pair in PAIRS if pair.held]
    assert len(held) >= 60
    assert {pair.label for pair in held} == set(bench.EXPECTED)
    assert {pair.plain for pair in held if pair.plain} == set(bench.PLAIN)


def test_the_bars_are_met_on_the_pairs_that_were_held_back() -> None:
    for checked in (False, True):
        found = bench.figures(bench.judged([pair for pair in PAIRS if pair.held], checked=checked))
        assert found.precision >= 0.90
        assert found.recall >= 0.85
        assert found.false_conflicts < 0.05
        assert found.plain == set(bench.PLAIN)


def test_every_plain_contradiction_is_found_and_no_other_pair_is_one() -> None:
    found = bench.figures(bench.judged(PAIRS))
    assert found.plain == set(bench.PLAIN)
    assert found.precision >= 0.95
    assert found.false_conflicts < 0.01


def test_no_phrase_has_two_senses() -> None:
    known: dict[tuple[str, ...], str] = {}
    for words, sense in senses._phrase_senses():
        assert words, sense
        assert known.setdefault(words, sense) == sense, words


def test_a_careful_answer_settles_whatever_is_in_doubt() -> None:
    held = [pair for pair in PAIRS if pair.held]
    alone, asked = bench.judged(held), bench.judged(held, asked=True)
    assert any(one.decision == "review" for one in alone)
    assert not any(one.decision == "review" for one in asked)
    assert sum(one.right for one in asked) - sum(one.right for one in alone) == sum(
        one.decision == "review" for one in alone
    )
