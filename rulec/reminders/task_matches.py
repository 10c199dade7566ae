"""A task and some rules -> what leads from the one to each of the others, and whether that is enough to say it."""

from __future__ import annotations

from rulec.reminders import relevance, rule_index

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from rulec.reminders.rule_index import TaskMatch
    from rulec.reminders.slots import ScoredRule


def matches_of(rules: list[dict[str, Any]], task: str, index: list[dict[str, Any]] | None) -> dict[int, TaskMatch]:
    """What leads from the task to each rule, by the rule's identity."""
    parts = [rule_index.build_index(rules)] if index is None else index
    return {id(rules[at]): match for at, match in rule_index.match_task(parts, task).items()}


def leading_rules(
    rules: list[dict[str, Any]], matches: dict[int, TaskMatch], bonus: Mapping[str, float]
) -> list[dict[str, Any]]:
    """The rules that a message names or has to do with; ``bonus`` is by name."""
    if not bonus:
        near = {at for at, match in matches.items() if match.named or match.points >= relevance.ENOUGH}
        return [rule for rule in rules if id(rule) in near]
    found = []
    for rule in rules:
        match, more = matches.get(id(rule)), bonus.get(rule["slug"], 0.0)
        if match is None and more <= 0:
            continue
        known = match.log_probability() if match else relevance.NOTHING
        if (match and match.named) or known + more >= relevance.RELEVANT:
            found.append(rule)
    return found


def weigh(one: ScoredRule, match: TaskMatch | None) -> bool:
    """Give a candidate its score for the task; whether the task names it or has to do with it."""
    one.match = match
    one.named = match.named if match else ""
    one.score = (match.log_probability() if match else relevance.NOTHING) + one.bonus
    one.matches = bool(one.named) or one.score >= relevance.MATCHING
    return bool(one.named) or one.score >= relevance.RELEVANT
