"""The measures of an evaluation with bootstrap intervals over tasks."""

import random
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from evaluation.experiment.books import Drafted
from evaluation.experiment.players import PlayedAct
from evaluation.experiment.plays import GATES, JUDGED, STEPS, TaskPlays
from evaluation.experiment.scripted import CONDITIONS, Agent, Ending, World
from evaluation.experiment.sessions import TaskSessions

LEVELS = (0.0, 0.3, 0.55, 0.8)
RESAMPLES = 1000
EDGES = (0.025, 0.975)
Pairs = Sequence[tuple[float, float]]  # of each task: what is counted, and out of how many


@dataclass(frozen=True, slots=True, kw_only=True)
class Estimate:
    """A rate with its 95 % interval."""

    rate: float
    low: float
    high: float
    of: int


def estimate(pairs: Pairs, seed: int) -> Estimate:
    """The rate of all, and how much it would vary with other tasks of the kind: tasks are drawn with return."""
    pairs = [pair for pair in pairs if pair[1]]
    if not pairs:
        return Estimate(rate=0.0, low=0.0, high=0.0, of=0)
    draw = random.Random(seed)
    found = sorted(_rate(draw.choices(pairs, k=len(pairs))) for _ in range(RESAMPLES))
    low, high = (found[min(RESAMPLES - 1, int(edge * RESAMPLES))] for edge in EDGES)
    return Estimate(rate=_round(_rate(pairs)), low=_round(low), high=_round(high), of=round(sum(of for _, of in pairs)))


def _rate(pairs: Pairs) -> float:
    return sum(times for times, _ in pairs) / sum(of for _, of in pairs)


def _round(value: float) -> float:
    return round(value, 4)


Drawn = Sequence[Sequence[Ending]]  # the occasions of one task, once for each draw


def _whole(drawn: Drawn) -> tuple[float, float]:
    """The share of the draws in which every occasion passed."""
    passed = [all(one.passed for one in endings) for endings in drawn if endings]
    return (sum(passed) / len(passed), 1.0) if passed else (0.0, 0.0)


def _each(what: Callable[[Ending], float]) -> Callable[[Drawn], tuple[float, float]]:
    """What is counted at each occasion, as the mean of the draws."""
    return lambda drawn: (
        sum(what(one) for endings in drawn for one in endings) / len(drawn), sum(map(len, drawn)) / len(drawn)
    )  # fmt: skip


MEASURES: Mapping[str, Callable[[Drawn], tuple[float, float]]] = {
    "tasks passed": _whole,
    "repeats": _each(lambda one: one.repeat),
    "corrections": _each(lambda one: one.corrections),
    "turns": _each(lambda one: one.turns),
    "tokens": _each(lambda one: one.tokens),
    "refusals": _each(lambda one: one.refusals),
}


def measure(
    world: World, *, levels: Sequence[float] = LEVELS, heeds: float = 1.0, obeys: bool = True
) -> dict[str, Any]:
    """All that is measured, as plain data: the same for the same tasks, rules and seed."""
    ruled = {one.task.id for one in world.plays if one.drafted.slugs}
    return {
        "seed": world.seed,
        "agent": {"heeds": heeds, "obeys": obeys},
        "tasks": len(world.plays),
        "tasks with a rule": len(ruled),
        "tasks with a check": sum(bool(one.drafted.checked) for one in world.plays),
        "rulebooks changed": sum(one.changed for one in world.plays),
        "told": _told(world),
        "curves": [
            _row(world, condition, Agent(compliance=level, heeds=heeds, obeys=obeys), group, only)
            for group, only in (("all tasks", None), ("tasks with a rule", ruled))
            if only is None or 0 < len(only) < len(world.plays)  # else it says the same again
            for condition in CONDITIONS
            for level in levels
        ],
        "kinds": _kinds(world),
        "innocents": _innocents(world),
        "refused innocents": _wrong(world),
        "impossible": [
            {"task": one.task.id, "act": name, "why": played.impossible}
            for one in world.plays
            for name, played in one.bare.items()
            if played.impossible
        ],
        "by task": [_of_task(one, world) for one in world.plays],
    }


def _row(world: World, condition: str, agent: Agent, group: str, only: set[str] | None) -> dict[str, Any]:
    ended = [endings for task, endings in world.endings(condition, agent) if only is None or task.id in only]
    measured = {name: asdict(estimate([of(one) for one in ended], world.seed)) for name, of in MEASURES.items()}
    return {"group": group, "condition": condition, "compliance": agent.compliance, **measured}


def _told(world: World) -> dict[str, Any]:
    """At how many occasions the task's rule is among what the agent is told."""
    ruled = {one.task.id for one in world.plays if one.drafted.slugs}
    told = [one for (task, _), one in world.told.items() if task in ruled]
    return {
        "occasions with a rule": len(told),
        "at the prompt": sum(one.rule for one in told),
        "with steps": sum(one.at_step for one in told),
    }


def _kinds(world: World) -> list[dict[str, Any]]:
    """Repeats that are left with gates by the kind of act, where the agent heeds nothing that it is told."""
    ended = list(world.endings(GATES, Agent(compliance=0)))
    kinds = sorted({task.enforce for task, _ in ended})
    repeats = MEASURES["repeats"]
    return [
        {"kind": kind, **asdict(estimate([repeats(some) for task, some in ended if task.enforce == kind], world.seed))}
        for kind in kinds
    ]


def _harmless(one: TaskPlays, condition: str, *, foreign: bool) -> list[tuple[str, PlayedAct]]:
    judged = one.judged.get(condition, {})
    return [
        (name, played)
        for name, played in judged.items()
        if not name.startswith("bad") and name.startswith("foreign") == foreign and not played.impossible
    ]


def _innocents(world: World) -> list[dict[str, Any]]:
    """How many harmless acts a rule refuses."""
    rows = ((GATES, False, "in family"), (GATES, True, "out of family"), (STEPS, False, "in family"))
    return [
        {
            "condition": condition,
            "acts": family,
            "by a rule": asdict(estimate(_counted(world.plays, condition, foreign=foreign, by_rule=True), world.seed)),
            "otherwise": asdict(estimate(_counted(world.plays, condition, foreign=foreign, by_rule=False), world.seed)),
        }
        for condition, foreign, family in rows
    ]


def _counted(plays: Iterable[TaskPlays], condition: str, *, foreign: bool, by_rule: bool) -> list[tuple[float, float]]:
    """Of each task; acts that a task without a rule cannot have refused do not count."""
    return [
        (sum(bool(played.where) and played.by_rule == by_rule for _, played in acts), len(acts))
        for acts in (_harmless(one, condition, foreign=foreign) for one in plays)
    ]


def _wrong(world: World) -> list[dict[str, Any]]:
    return [
        {"task": one.task.id, "condition": condition, "act": name, "where": played.where, "by a rule": played.by_rule}
        for one in world.plays
        for condition in JUDGED
        for foreign in (False, True)
        for name, played in _harmless(one, condition, foreign=foreign)
        if played.where
    ]


def _of_task(one: TaskPlays, world: World) -> dict[str, Any]:
    return {
        "task": one.task.id,
        "family": one.task.family,
        "kind": one.task.enforce,
        **_drafted(one.drafted),
        "told": sum(world.told[one.task.id, at].rule for at in range(len(one.task.occasions))),
        "missed": [at for at in range(len(one.task.occasions)) if one.possible(f"bad {at}") and not _caught(one, at)],
        "other": one.other,
    }


def _drafted(one: Drafted) -> dict[str, Any]:
    return {"rules": list(one.slugs), "checked": list(one.checked), "not taken": list(one.refused)}


def _caught(one: TaskPlays, at: int) -> bool:
    played = one.judged.get(GATES, {}).get(f"bad {at}")
    return bool(played and played.where and played.by_rule)


def measure_sessions(found: Sequence[TaskSessions], seed: int) -> dict[str, Any]:
    """What a real agent's sessions show: a repeat is what the task's rules see in what was done."""
    judged = [(one.task, session) for one in found for session in one.judged]
    conditions = [name for name in CONDITIONS if any(one.session.condition == name for _, one in judged)]
    return {
        "seed": seed,
        "tasks": len(found),
        "tasks with a rule": sum(bool(one.drafted.slugs) for one in found),
        "rulebooks changed": sum(one.changed for one in found),
        "sessions": [_session_row([one for one in found if one.judged], name, seed) for name in conditions],
        "by session": [
            {
                "task": task.id, "occasion": one.session.at, "condition": one.session.condition,
                "acts": len(one.session.acts), "impossible": one.impossible, "refused": one.session.refused,
                "repeat": one.repeat,
            }
            for task, one in judged
        ],
        "by task": [
            {"task": one.task.id, "family": one.task.family, "kind": one.task.enforce, **_drafted(one.drafted)}
            for one in found
        ],
    }  # fmt: skip


def _session_row(found: Sequence[TaskSessions], condition: str, seed: int) -> dict[str, Any]:
    own = [[one for one in task.judged if one.session.condition == condition] for task in found]
    return {
        "condition": condition,
        "tasks": sum(bool(some) for some in own),
        "repeats": asdict(estimate([(sum(one.repeat for one in some), len(some)) for some in own], seed)),
        "refusals": asdict(estimate([(sum(one.session.refused for one in some), len(some)) for some in own], seed)),
        "tokens": asdict(estimate([(sum(one.session.tokens for one in some), len(some)) for some in own], seed)),
    }
