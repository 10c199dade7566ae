"""Reward and gate of a rule after a turn, from what happened."""

from rulec.weights.turn_rewards import TurnFacts, reward_of, rewards_of

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
        if (found := reward_of(TurnFacts(**dict(zip(names, map(bool, row), strict=True))))) != expected
    }
    assert not wrong


def test_rules_of_which_a_turn_teaches_nothing_have_no_reward() -> None:
    facts = {"use-pnpm": TurnFacts(told=True, kept=True), "use-logger": TurnFacts(told=True)}
    assert rewards_of(facts) == {"use-pnpm": (1.0, 0.6)}
