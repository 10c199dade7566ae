"""The formulas of VARS: reward and gate by their table, the step against the gradient, the sum, explicit vectors."""

import math
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rulec.weights import formulas
from rulec.weights.formulas import (
    LONG_RATE,
    LONG_SHARE,
    SHORT_KEPT,
    SHORT_RATE,
    SHORT_SHARE,
    RuleWeights,
    TurnFacts,
    reward_and_gate,
)
from rulec.weights.learning import near_rules
from tests.support.made_personas import made_rules

# told, broken, kept, corrected again, noted, blocked -> reward and gate
TABLE: list[tuple[tuple[int, int, int, int, int, int], tuple[float, float] | None]] = [
    ((0, 0, 0, 0, 0, 0), None),  # nothing happened
    ((1, 0, 0, 0, 0, 0), None),  # told, never exercised
    ((0, 0, 1, 0, 0, 0), None),  # kept without being told
    ((1, 0, 1, 0, 0, 0), (1.0, 0.6)),  # told where it mattered, and kept
    ((1, 1, 0, 0, 0, 0), (1.0, 0.2)),  # the agent's failure
    ((1, 1, 1, 0, 0, 0), (1.0, 0.2)),  # kept at one place, broken at another
    ((0, 1, 0, 0, 0, 0), (1.0, 0.9)),  # retrieval's failure
    ((1, 0, 1, 0, 0, 1), None),  # kept because a gate stopped the first try
    ((0, 1, 0, 0, 0, 1), None),  # stopped: the gate's doing
    ((1, 0, 0, 1, 0, 0), (-1.0, 0.5)),  # corrected again though it had been told
    ((0, 0, 0, 1, 0, 0), (1.0, 0.9)),  # corrected again, and nobody had told it
    ((1, 1, 1, 1, 1, 1), (-1.0, 0.9)),  # a person's note counts before all else
]


def test_every_row_of_the_table_is_decided_so() -> None:
    names = ("told", "broken", "kept", "corrected", "noted", "blocked")
    wrong = {
        row: (expected, found)
        for row, expected in TABLE
        if (found := reward_and_gate(TurnFacts(**dict(zip(names, map(bool, row), strict=True))))) != expected
    }
    assert not wrong


DIMENSIONS = 6
Vectors = dict[str, list[float]]


def vectors_of(count: int, chance: Random) -> Vectors:
    """Unit vectors by name."""
    found = {}
    for number in range(count):
        raw = [chance.gauss(0, 1) for _ in range(DIMENSIONS)]
        length = math.sqrt(sum(value * value for value in raw))
        found[f"r{number}"] = [value / length for value in raw]
    return found


def dot(one: list[float], other: list[float]) -> float:
    """The inner product."""
    return sum(a * b for a, b in zip(one, other, strict=True))


def summed(weights: dict[str, float], vectors: Vectors) -> list[float]:
    """The vector that the weights of rules stand for."""
    return [sum(weights.get(slug, 0.0) * vector[at] for slug, vector in vectors.items()) for at in range(DIMENSIONS)]


def mean_log(z: list[float], fixed: dict[str, float], vectors: Vectors, chosen: list[str]) -> float:
    """The mean log-probability of the chosen candidates where the person's vector is z."""
    scores = {slug: fixed[slug] + dot(z, vectors[slug]) for slug in fixed}
    shares = formulas.softmax(scores)
    return sum(math.log(shares[slug]) for slug in chosen) / len(chosen)


@given(st.integers(0, 10_000), st.integers(1, 4))
def test_the_step_is_the_gradient_of_the_mean_log_probability(seed: int, count: int) -> None:
    """Proposition 1, by central differences over fixed candidates."""
    chance = Random(seed)
    vectors = vectors_of(8, chance)
    fixed = {slug: chance.uniform(-4, 0) for slug in vectors}
    chosen = chance.sample(sorted(vectors), count)
    advantage = chance.uniform(-2, 2)
    z = [chance.gauss(0, 1) for _ in range(DIMENSIONS)]
    scores = {slug: fixed[slug] + dot(z, vectors[slug]) for slug in fixed}
    step = summed(formulas.gradient(scores, chosen), vectors)
    width = 1e-5
    for at in range(DIMENSIONS):
        up, down = ([value + sign * width * (at == one) for one, value in enumerate(z)] for sign in (1, -1))
        slope = (mean_log(up, fixed, vectors, chosen) - mean_log(down, fixed, vectors, chosen)) / (2 * width)
        assert advantage * step[at] == pytest.approx(advantage * slope, abs=1e-6)


def played(turns: int, chance: Random, vectors: Vectors) -> tuple[RuleWeights, list[dict[str, float]]]:
    """Weights after some turns with random candidates and rewards, and the short step of each turn."""
    weights, steps = RuleWeights(), []
    for _ in range(turns):
        scores = {slug: chance.uniform(-4, 0) for slug in vectors}
        rewards = {slug: (chance.choice((-1.0, 1.0)), 0.6) for slug in chance.sample(sorted(vectors), 2)}
        before = dict(weights.short)
        formulas.learn_turn(weights, scores, rewards)
        steps.append({slug: weights.short.get(slug, 0.0) - SHORT_KEPT * before.get(slug, 0.0) for slug in vectors})
    return weights, steps


@given(st.integers(0, 10_000), st.integers(1, 25))
def test_short_weights_unroll_to_the_faded_steps(seed: int, turns: int) -> None:
    """Proposition 2: exact, and what is older than H turns is bounded by G .9^H / .1."""
    chance = Random(seed)
    vectors = vectors_of(6, chance)
    weights, steps = played(turns, chance, vectors)
    for slug in vectors:
        unrolled = sum(SHORT_KEPT ** (turns - 1 - at) * step[slug] for at, step in enumerate(steps))
        assert weights.short.get(slug, 0.0) == pytest.approx(unrolled, abs=turns * formulas.SMALLEST)
    lengths = [math.sqrt(dot(z, z)) for z in (summed(step, vectors) for step in steps)]
    for recent in range(turns):
        old = {
            slug: sum(SHORT_KEPT ** (turns - 1 - at) * steps[at][slug] for at in range(turns - recent))
            for slug in vectors
        }
        z = summed(old, vectors)
        assert math.sqrt(dot(z, z)) <= max(lengths) * SHORT_KEPT**recent / (1 - SHORT_KEPT) + 1e-12


def bonus_of(weights: RuleWeights, near: "formulas.Neighbours") -> dict[str, float]:
    """What long and short weights add together to each rule's score."""
    long, short = formulas.bonus(weights, near)
    return {slug: long.get(slug, 0.0) + short.get(slug, 0.0) for slug in {**long, **short}}


@given(st.integers(0, 10_000), st.integers(1, 21))
def test_the_bonus_is_that_of_the_explicit_vectors(seed: int, count: int) -> None:
    chance = Random(seed)
    vectors = vectors_of(count, chance)
    near = {
        slug: [(other, dot(vectors[slug], vectors[other])) for other in vectors if other != slug] for slug in vectors
    }
    long, short = ({slug: chance.gauss(0, 0.1) for slug in vectors} for _ in range(2))
    found = bonus_of(RuleWeights(long, short), near)
    z = [LONG_SHARE * a + SHORT_SHARE * b for a, b in zip(summed(long, vectors), summed(short, vectors), strict=True)]
    for slug, vector in vectors.items():
        assert found[slug] == pytest.approx(dot(z, vector), abs=1e-9)


def test_a_turn_moves_the_weights_as_the_paper_says() -> None:
    """VARS 3.5 by hand: two candidates of one score, the first rewarded, then blamed."""
    weights = RuleWeights()
    formulas.learn_turn(weights, {"a": 0.0, "b": 0.0}, {"a": (1.0, 0.6)})
    assert weights.long == pytest.approx({"a": LONG_RATE * 0.3, "b": -LONG_RATE * 0.3})
    assert weights.short == pytest.approx({"a": SHORT_RATE * 0.3, "b": -SHORT_RATE * 0.3})
    assert weights.baseline == pytest.approx(0.05)
    formulas.learn_turn(weights, {"a": 0.0, "b": 0.0}, {"a": (-1.0, 0.9)})
    assert weights.long["a"] == pytest.approx(LONG_RATE * (0.3 - 0.9 * 1.05 / 2))
    assert weights.baseline == pytest.approx(0.95 * 0.05 - 0.05)


def test_a_turn_that_shows_nothing_only_lets_short_weights_fade() -> None:
    weights = RuleWeights({"a": 0.02}, {"a": 0.1}, 0.3)
    formulas.learn_turn(weights, {"a": -1.0, "b": -2.0}, {})
    assert (weights.long, weights.short, weights.baseline) == ({"a": 0.02}, {"a": pytest.approx(0.09)}, 0.3)


def test_a_rule_to_which_nothing_led_is_raised_once_it_is_broken() -> None:
    weights = RuleWeights()
    formulas.learn_turn(weights, {"a": -1.0, "b": -3.0}, {"unseen": (1.0, 0.9)})
    assert weights.long["unseen"] > 0 > weights.long["a"]


def rank_correlation(one: list[float], other: list[float]) -> float:
    """Spearman's, with mean ranks for what is the same."""
    ranks = []
    for values in (one, other):
        order = sorted(values)
        ranks.append([(order.index(value) + len(order) - order[::-1].index(value)) / 2 for value in values])
    means = [sum(rank) / len(rank) for rank in ranks]
    apart = [[value - mean for value in rank] for rank, mean in zip(ranks, means, strict=True)]
    return dot(*apart) / math.sqrt(dot(apart[0], apart[0]) * dot(apart[1], apart[1]))


def records(rules: list[dict[str, object]]) -> list[dict[str, object]]:
    """Rules as ranking has them."""
    return [{**rule, "says": rule["statement"], "scope": {"include": ["**"], "tags": rule["tags"]}} for rule in rules]


@pytest.mark.parametrize("change", ["add", "retire", "rename"])
@pytest.mark.parametrize("count", [1, 3, 10])
def test_what_changes_beside_a_rule_leaves_its_place_among_the_others(change: str, count: int) -> None:
    chance = Random(count)
    rules = records(made_rules())
    made = rules[:count]
    weights = RuleWeights({rule["slug"]: chance.gauss(0, 0.05) for rule in rules[count:]})  # type: ignore[misc]
    if change == "add":
        before, after = rules[count:], rules
    elif change == "retire":
        before, after = rules, rules[count:]
    else:
        before, after = rules, [*({**rule, "slug": f"new-{rule['slug']}"} for rule in made), *rules[count:]]
    first, second = (bonus_of(weights, near_rules(book, weights.long)) for book in (before, after))
    others = [str(rule["slug"]) for rule in rules[count:]]
    pairs = [(first.get(slug, 0.0), second.get(slug, 0.0)) for slug in others]
    assert rank_correlation(*map(list, zip(*pairs, strict=True))) >= 0.999  # type: ignore[arg-type]
