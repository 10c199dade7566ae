"""In which turn rules get the few places that there are: those that the task names, those that match it, the others."""

from __future__ import annotations

from rulec.reminders import relevance

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from rulec.reminders.rule_index import TaskMatch


MOST_ALWAYS = 10  # rules of every task that go before others (VARS: global cards)


class ScoredRule:
    """A rule that may be said, with all that decides about its turn."""

    __slots__ = ("always", "bonus", "matches", "named", "order", "rule", "score")

    def __init__(self, rule: dict[str, Any], order: tuple[Any, ...], *, always: bool) -> None:
        self.rule, self.order = rule, order  # by precedence, where all else is the same
        self.always = always  # it holds for every task
        self.named = ""  # what the task calls it by
        self.score = self.bonus = 0.0  # the score is its log-probability with the bonus of a person's own weights
        self.matches = False  # the task has to do with it, or names it

    def weigh(self, match: TaskMatch | None) -> bool:
        """Take the score for a task; whether that names the rule or has to do with it."""
        self.named = match.named if match else ""
        self.score = (match.log_probability() if match else relevance.NOTHING) + self.bonus
        self.matches = bool(self.named) or self.score >= relevance.MATCHING
        return bool(self.named) or self.score >= relevance.RELEVANT


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


def turns_at_start(candidates: list[ScoredRule]) -> list[ScoredRule]:
    """The rules in their turns where no task is known.

    Precedence decides. A bonus changes turns among the rules that are not for every task, and only among these. Of
    those for every task some go before the rest; the others come last.
    """
    ordered = sorted(candidates, key=lambda one: one.order)
    if any(one.bonus for one in ordered):
        raised = iter(sorted((one for one in ordered if not one.always), key=lambda one: (-one.bonus, one.order)))
        ordered = [one if one.always else next(raised) for one in ordered]
    too_many = set(map(id, [one for one in ordered if one.always][MOST_ALWAYS:]))
    return sorted(ordered, key=lambda one: id(one) in too_many)


def turns_for_task(candidates: list[ScoredRule]) -> list[ScoredRule]:
    """The rules in their turns for a task.

    First come those that the task names, so that none of them goes for the sake of another rule. Then some of those for
    every task take turns with those that match, such that of however many turns at least half go to rules that match,
    while there are any. Then come the others, first those that hold whatever is done.
    """
    ordered = sorted(candidates, key=lambda one: (-one.score, one.order))
    turns = [one for one in ordered if one.named]
    others = [one for one in ordered if not one.named]
    always = sorted((one for one in others if one.always), key=lambda one: not one.matches)
    matching = [one for one in others if one.matches and not one.always]
    free = max(0, MOST_ALWAYS - sum(one.always for one in turns))
    always, too_many = always[:free], always[free:]
    matched = len(turns)
    waiting, near = iter(always), iter(matching)
    heeded, next_near = next(waiting, None), next(near, None)
    while heeded or next_near:
        if heeded and (not next_near or 2 * (matched + heeded.matches) >= len(turns) + 1):
            turns.append(heeded)
            matched += heeded.matches
            heeded = next(waiting, None)
        elif next_near:
            turns.append(next_near)
            matched += 1
            next_near = next(near, None)
    rest = [one for one in others if not (one.always or one.matches)]
    return [*turns, *sorted(rest, key=lambda one: bool(one.rule.get("when"))), *too_many]
