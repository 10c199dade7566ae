"""What a rule did is counted once, wherever it is known from, and the rules to look at come first."""

from dataclasses import replace

import pytest

from rulec.domain.evidence import Evidence, LedgerLine
from rulec.reports.ledger_counts import RuleActivity, account_by_rule, fold_into_evidence

LINE = LedgerLine(
    slug="use-pnpm", at="2026-11-20T10:00:00Z", event="ask", agent="codex", outcome="block", of="npm", id="1"
)
RULES = [RuleActivity(slug=slug, statement="Do.", acts="block") for slug in ("use-pnpm", "no-stash", "quiet")]


def lines(slug: str, **times: int) -> list[LedgerLine]:
    return [
        replace(LINE, slug=slug, outcome=outcome, id=f"{slug}{outcome}{number}")
        for outcome, many in times.items()
        for number in range(many)
    ]


def test_it_makes_no_difference_whether_lines_were_tallied():
    found = lines("use-pnpm", block=3, fixed=2, excepted=1)
    evidence = {"use-pnpm": [one.evidence for one in fold_into_evidence(found[:4])]}
    assert account_by_rule(RULES, found[4:], evidence) == account_by_rule(RULES, found, {})
    (one, *_) = account_by_rule(RULES, found, {})
    assert (one.fired, one.told, one.fixed, one.rate, one.times("excepted")) == (3, 3, 2, 2 / 3, 1)


def test_what_was_before_the_day_is_left_out():
    old = [replace(LINE, at="2026-11-19T23:59:59Z", id="old")]
    against = Evidence(slug="use-pnpm", kind="counterexample", at="2026-11-19T10:00:00Z")
    (one,) = account_by_rule(RULES[:1], [*old, LINE], {"use-pnpm": [against]}, "2026-11-20")
    assert (one.fired, one.wrong) == (1, 0)
    (one,) = account_by_rule(RULES[:1], [*old, LINE], {"use-pnpm": [against]}, "2026-11-19")
    assert (one.fired, one.wrong) == (2, 1)


ORDERS = [
    (lines("no-stash", warn=9) + lines("use-pnpm", block=20, fixed=20), "no-stash"),
    (lines("no-stash", excepted=2) + lines("use-pnpm", audit=50), "no-stash"),
    (lines("use-pnpm", block=2) + lines("no-stash", block=2, fixed=1), "use-pnpm"),
    (lines("no-stash", audit=1), "no-stash"),
]


@pytest.mark.parametrize(("found", "first"), ORDERS)
def test_what_nobody_heeds_comes_first(found: list[LedgerLine], first: str):
    told = account_by_rule(RULES, found, {})
    assert told[0].slug == first
    assert {one.slug for one in told} == {rule.slug for rule in RULES}


NOISY = [
    ({"warn": 5}, 0, True),
    ({"warn": 4}, 0, False),
    ({"warn": 8, "fixed": 2}, 0, True),
    ({"warn": 8, "fixed": 3}, 0, False),
    ({"audit": 100}, 0, False),
    ({"block": 1, "fixed": 1}, 3, True),
    ({"excepted": 6}, 0, True),
    ({}, 0, False),
]


@pytest.mark.parametrize(("times", "wrong", "noisy"), NOISY)
def test_a_rule_is_noisy_where_people_say_so_by_word_or_deed(times: dict[str, int], wrong: int, noisy: bool):
    against = [Evidence(slug="use-pnpm", kind="counterexample", at="2026-11-19T10:00:00Z")] * wrong
    (one,) = account_by_rule(RULES[:1], lines("use-pnpm", **times), {"use-pnpm": against})
    assert one.noisy is noisy


def test_nobody_is_asked_to_look_at_what_is_no_rule_in_force():
    assert not account_by_rule([], lines("gone", warn=50), {})[0].noisy


def test_what_fired_and_is_no_rule_is_told_too():
    assert [one.slug for one in account_by_rule([], [LINE, replace(LINE, slug="rulec-gate", id="2")], {})] == [
        "rulec-gate", "use-pnpm",
    ]  # fmt: skip


@pytest.mark.parametrize(("notes", "fixed"), [(0, 3), (1, 2), (3, 0), (5, 0)])
def test_what_a_person_noted_as_wrong_was_not_fixed(notes: int, fixed: int) -> None:
    against = [Evidence(slug="use-pnpm", kind="counterexample", at=LINE.at)] * notes
    (account,) = account_by_rule([], lines("use-pnpm", block=3, fixed=3), {"use-pnpm": against})
    assert account.fixed == fixed
