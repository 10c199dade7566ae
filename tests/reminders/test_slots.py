"""Who gets a slot: rules that the task names, rules for every task, rules that match, and the others."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rulec.compiling.agent_briefing import rule_record
from rulec.domain.rule import Rule
from rulec.reminders import selection, slots
from tests.support.crowded_rulebooks import crowded_rulebook, displaced

LIMITS = st.tuples(st.integers(1, 25), st.sampled_from([80, 200, 500, 2_000]))
BONUS = st.dictionaries(st.integers(0, 90).map("topic-{}x".format), st.floats(-20, 20), max_size=30)


@given(st.randoms(use_true_random=True), LIMITS, BONUS, st.booleans())
def test_no_named_rule_is_left_out_for_another_whatever_the_limits_and_the_weights(random, limits, bonus, only):
    asked = selection.Audience(max_rules=limits[0], max_tokens=limits[1], bonus=bonus, only=only)
    assert displaced(crowded_rulebook(random), asked) == []


def records(**kinds):
    """So many rules of each kind: of every task, about queues, or about something else."""
    always = [Rule(slug=f"always-{n:02}", statement="Mind it.", severity="must") for n in range(kinds["always"])]
    queues = [Rule(slug=f"queue-{n:02}", statement="Mind the queue.") for n in range(kinds["queues"])]
    others = [Rule(slug=f"other-{n:02}", statement=f"Mind item{n}.") for n in range(kinds["others"])]
    return [rule_record(rule) for rule in (*always, *queues, *others)]


def counted(said):
    kinds = [one["slug"].partition("-")[0] for one in said.rules]
    return tuple(kinds.count(kind) for kind in ("always", "queue", "other"))


SHARES = [  # rules for every task, about the task, others; slots; how many of each are said
    ((30, 12, 30), 20, (10, 10, 0)),
    ((30, 3, 30), 20, (10, 3, 7)),
    ((30, 0, 30), 20, (10, 0, 10)),
    ((30, 12, 30), 6, (3, 3, 0)),
    ((30, 12, 30), 5, (2, 3, 0)),
    ((30, 12, 30), 1, (0, 1, 0)),
    ((2, 12, 30), 20, (2, 12, 6)),
    ((30, 0, 0), 20, (20, 0, 0)),
    ((30, 3, 5), 20, (12, 3, 5)),
    ((0, 0, 0), 20, (0, 0, 0)),
]


@pytest.mark.parametrize(("there", "most", "wanted"), SHARES)
def test_at_least_half_of_the_slots_go_to_rules_that_match_and_ten_to_those_of_every_task_first(there, most, wanted):
    rules = records(**dict(zip(("always", "queues", "others"), there, strict=True)))
    said = selection.rank_rules(rules, selection.Audience(task="mend the queue", max_rules=most, max_tokens=5_000))
    assert counted(said) == wanted
    assert len(said.rules) + len(said.dropped) == len(rules)


def test_without_a_task_too_no_more_than_ten_of_every_task_go_before_the_others():
    rules = records(always=12, queues=3, others=0)
    said = selection.rank_rules(rules, selection.Audience(max_rules=13))
    assert counted(said) == (10, 3, 0)
    assert said.dropped == [(f"always-{n}", "rules", "over 13 rules") for n in (10, 11)]
    assert counted(selection.rank_rules(rules, selection.Audience())) == (12, 3, 0)


def test_a_rule_that_is_named_and_of_every_task_takes_one_of_their_slots():
    rules = records(always=30, queues=0, others=0)
    said = selection.rank_rules(rules, selection.Audience(task="what always-29 and always-28 mean", max_rules=10))
    assert [one["slug"] for one in said.rules] == ["always-28", "always-29", *(f"always-{n:02}" for n in range(8))]


def test_a_bonus_reorders_only_what_is_not_of_every_task():
    rules = records(always=2, queues=0, others=4)
    asked = selection.Audience(max_rules=4, bonus={"other-03": 0.2, "other-00": -0.2, "always-01": 9.0})
    assert [one["slug"] for one in selection.rank_rules(rules, asked).rules] == [
        "always-00", "always-01", "other-03", "other-01",
    ]  # fmt: skip


def test_a_bonus_can_bring_a_rule_to_a_message_that_says_nothing_of_it():
    rules = records(always=2, queues=1, others=4)
    asked = selection.Audience(task="mend the queue", only=True, bonus={"other-03": 9.0, "other-02": 0.1})
    assert [one["slug"] for one in selection.rank_rules(rules, asked).rules] == ["other-03", "queue-00"]
    assert slots.MOST_ALWAYS == 10
