"""Which rules are worth saying to whom, in which order, within the limits; and why each other one is left out."""

from __future__ import annotations

import time

from rulec.domain.compiled_rule import RuleScope
from rulec.domain.confidence import is_dormant
from rulec.domain.enforcement import SEVERITIES
from rulec.domain.files import globs
from rulec.domain.record import read_record
from rulec.guard import scopes
from rulec.guard.precedence import LAYERS, sort_key, specificity, timestamp
from rulec.reminders import rule_index, slots
from rulec.reminders.rule_text import count_tokens, count_within, name_the_rest, naming_tokens

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any

    from rulec.reminders.rule_index import TaskMatch


HERE = "local"  # the environment in which agents are at work
MOST_TOKENS = 1_500  # a rulebook whose lines fit in is told whole; of a larger one what ranks first


class Audience:
    """For whom and for what the rules are said; what is "" is not known, and leaves nothing out."""

    __slots__ = (
        "agent", "bonus", "contrary", "max_rules", "max_tokens", "now", "only", "path", "projects", "said", "tags",
        "task",
    )  # fmt: skip

    def __init__(
        self,
        path: str = "",
        agent: str = "",
        task: str = "",
        max_rules: int = 0,
        max_tokens: int = MOST_TOKENS,
        *,
        only: bool = False,
        projects: Sequence[str] = (),
        bonus: Mapping[str, float] | None = None,
        tags: Sequence[str] = (),
        now: float = 0.0,
    ) -> None:
        self.path, self.agent, self.task = path, agent, task
        self.max_rules = max_rules  # 0 is any number; LexSona 4.7, and so is the next
        self.max_tokens = max_tokens
        self.only = only  # nothing but what the task's words lead to
        self.projects = projects  # the names of the repository
        self.bonus = bonus or {}  # by a rule's name: what is added to how much the task has to do with it
        self.tags = tags  # what the work is about; a rule with tags holds where it has one of them
        self.now = now or time.time()  # seconds since 1970: the one clock that ages are compared with
        self.contrary: Mapping[str, Sequence[str]] = {}  # by a rule's key: those of the rules that contradict it
        self.said: frozenset[str] = frozenset()  # keys of what was said before


def why_elsewhere(scope: dict[str, Any], asked: Audience) -> tuple[str, str]:
    """Why a scope does not hold what is asked about, as far as that is known: kind and reason, or nothing."""
    if asked.path and not concerns_path(scope, asked.path):
        return "path", f"not for {asked.path}"
    agents, projects, environments = (scope.get(key) for key in ("agents", "projects", "environments"))
    if agents and asked.agent and asked.agent not in agents:
        return "agent", f"only for {', '.join(agents)}"
    if projects and asked.projects and not any(globs.match(projects, name) for name in asked.projects):
        return "project", f"only for {', '.join(projects)}"
    if environments and HERE not in environments:
        return "environment", f"only in {', '.join(environments)}"
    tags = scope.get("tags")
    if tags and asked.tags and not set(tags).intersection(asked.tags):
        return "tags", f"only for {', '.join(tags)}"
    return "", ""


def concerns_path(scope: dict[str, Any], path: str) -> bool:
    """Whether a rule speaks of a file, or of something in a folder, which ends with "/"."""
    if not path.endswith("/"):
        return scopes.holds_path(read_record(RuleScope, scope), path)
    include, inside = scope.get("include") or ["**"], path + "."
    if globs.match(scope.get("exclude") or (), inside):
        return False
    return globs.match(include, inside) or any(_below(glob, path.rstrip("/")) for glob in include)


def _below(glob: str, folder: str) -> bool:
    """Whether the glob names something that may lie in the folder."""
    start = globs.literal_folder(glob)
    return not start or start == folder or start.startswith(folder + "/") or folder.startswith(start + "/")


HEAD = "Rules that the people of this repository have decided (rulec):"
PERSONAL = "personal"  # the layer that is the person's alone
EVERYWHERE = {"include": ["**"]}  # the scope of most rules


class RankedRules:
    """The lines, what was left out (slug, kind of reason, reason), and the turns of all rules that could be said."""

    __slots__ = ("dropped", "lines", "matches", "rules", "turns", "unsaid")

    def __init__(self, lines: list[str], rules: list[dict[str, Any]], dropped: list[tuple[str, str, str]]) -> None:
        self.lines, self.rules, self.dropped = lines, rules, dropped
        self.turns: list[slots.ScoredRule] = []
        self.unsaid = ""  # the names of the rules for which there was no room, in one line
        self.matches: dict[int, TaskMatch] = {}  # what leads from the task to the rules, by the rule's identity

    def text(self) -> str:
        """What an agent reads; "" where nothing is to be said."""
        return "\n".join([HEAD, *self.lines, *([self.unsaid] if self.unsaid else [])]) if self.lines else ""


def rank_rules(rules: list[dict[str, Any]], asked: Audience, index: list[dict[str, Any]] | None = None) -> RankedRules:
    """The rules that apply: all of them where they fit, else those that rank first; the same for the same rules.

    ``index`` is that of the rules, where it is known: the parts of their rulebooks, one after the other.
    """
    dropped: list[tuple[str, str, str]] = []
    own = _own(rules, dropped)
    matches: dict[int, TaskMatch] = {}
    if asked.task:
        parts = [rule_index.build_index(rules)] if index is None else index
        matches = {id(rules[at]): match for at, match in rule_index.match_task(parts, asked.task).items()}
        turns = _turns_for_task(own, asked, matches, dropped)
    else:
        turns = slots.turns_at_start(_candidates(_applying(own, asked, dropped), asked, dropped))
    if asked.contrary:
        turns = _uncontradicted(turns, asked, dropped)
    taken = turns[: asked.max_rules] if asked.max_rules else turns
    over = f"over {asked.max_rules} {'rule' if asked.max_rules == 1 else 'rules'}"
    dropped += [_left(one.rule, "rules", over) for one in turns[len(taken) :]]
    lines = _fitting([one.rule for one in taken], asked, whole=len(taken) == len(turns))
    dropped += [_left(one.rule, "tokens", f"over {asked.max_tokens} tokens") for one in taken[len(lines) :]]
    fitting = [one.rule for one in taken[: len(lines)]]
    shown = sorted(range(len(fitting)), key=lambda at: SEVERITIES.index(severity_of(fitting[at])))
    said = RankedRules([lines[at] for at in shown], [fitting[at] for at in shown], sorted(dropped))
    said.matches, said.turns = matches, turns
    if not asked.only:
        said.unsaid = name_the_rest([one.rule["slug"] for one in turns[len(lines) :]], _naming_tokens(asked))
    return said


def _naming_tokens(asked: Audience) -> int:
    """The room that is kept for the names of what is left out, where not all rules fit."""
    return 0 if asked.only else naming_tokens(asked.max_tokens)


def _uncontradicted(
    turns: list[slots.ScoredRule], asked: Audience, dropped: list[tuple[str, str, str]]
) -> list[slots.ScoredRule]:
    """The turns without the rules that contradict one which goes before them (LexSona 4.4)."""
    kept: dict[str, str] = {}  # by a rule's key its name
    for one in sorted(turns, key=lambda one: one.order):
        winner = next((kept[key] for key in asked.contrary.get(rule_key(one.rule), ()) if key in kept), "")
        if winner:
            dropped.append(_left(one.rule, "contrary", f"it contradicts {winner}, which goes before it"))
        else:
            kept[rule_key(one.rule)] = one.rule["slug"]
    return [one for one in turns if rule_key(one.rule) in kept]


def _turns_for_task(
    rules: list[dict[str, Any]],
    asked: Audience,
    matches: dict[int, TaskMatch],
    dropped: list[tuple[str, str, str]],
) -> list[slots.ScoredRule]:
    """The rules that may be said for the task, in turns; ``only`` those to which something in it leads."""
    if asked.only:
        rules = slots.leading_rules(rules, matches, asked.bonus)
    found = []
    for one in _candidates(_applying(rules, asked, dropped), asked, dropped):
        near = one.weigh(matches.get(id(one.rule)))
        if near or not asked.only:
            found.append(one)
        else:
            dropped.append(_left(one.rule, "task", "nothing in the task leads to it"))
    return slots.turns_for_task(found)


def _candidates(
    rules: list[dict[str, Any]], asked: Audience, dropped: list[tuple[str, str, str]]
) -> list[slots.ScoredRule]:
    """The rules that were not said before, each with its place by precedence and its bonus."""
    found = []
    for rule in rules:
        if rule_key(rule) in asked.said:
            dropped.append(_left(rule, "said", "said before"))
            continue
        one = slots.ScoredRule(rule, _order(rule, asked), always=not asked.only and _of_every_task(rule))
        one.bonus = 0.0 if one.always else bonus_of(rule, asked)
        found.append(one)
    return found


def applicable_rules(rules: list[dict[str, Any]], asked: Audience) -> list[dict[str, Any]]:
    """The rules that hold for whoever is asked about, by name; of those with one name the team's own."""
    dropped: list[tuple[str, str, str]] = []
    return sorted(_applying(_own(rules, dropped), asked, dropped), key=lambda rule: rule["slug"])


def _left(rule: dict[str, Any], kind: str, reason: str) -> tuple[str, str, str]:
    return rule["slug"], kind, reason


def severity_of(rule: Mapping[str, Any]) -> str:
    """How grave a rule is."""
    known: str = rule.get("severity", "")
    return known if known in SEVERITIES else "should"


def _own(rules: list[dict[str, Any]], dropped: list[tuple[str, str, str]]) -> list[dict[str, Any]]:
    """Of rules with one name that of the layer nearest to the team."""
    if len({rule["slug"] for rule in rules}) == len(rules):
        return rules
    found: dict[str, dict[str, Any]] = {}
    for rule in sorted(rules, key=_layer):
        first = found.setdefault(rule["slug"], rule)
        if first is not rule:
            whose = first.get("layer") or LAYERS[0]
            dropped.append(_left(rule, "layer", f"{whose} has a rule of that name, which stands before it"))
    return list(found.values())


def _layer(rule: dict[str, Any]) -> tuple[int, str, str]:
    layer = rule.get("layer") or LAYERS[0]
    kind = layer.partition(" ")[0]
    return LAYERS.index(kind) if kind in LAYERS else len(LAYERS), layer, rule["slug"]


def _applying(
    rules: list[dict[str, Any]], asked: Audience, dropped: list[tuple[str, str, str]]
) -> list[dict[str, Any]]:
    kept = []
    for rule in rules:
        kind, reason = why_elsewhere(rule.get("scope") or {}, asked)
        if not kind and is_dormant(_time(rule), asked.now):
            kind, reason = "dormant", f"dormant: it last mattered on {rule['at'][:10]}"
        if kind:
            dropped.append(_left(rule, kind, reason))
        else:
            kept.append(rule)
    return kept


def _time(rule: Mapping[str, Any]) -> float:
    """When the rule last mattered; records that are kept have it as a number."""
    known = rule.get("time")
    return known if isinstance(known, float) else timestamp(rule.get("at", ""))


def _personal(rule: Mapping[str, Any]) -> bool:
    return bool(rule.get("layer") == PERSONAL)


def rule_key(rule: dict[str, Any]) -> str:
    """The key of a rule at its revision: it changes when the rule does."""
    return f"{rule['slug']}@{rule.get('revision') or 1}"


def bonus_of(rule: dict[str, Any], asked: Audience) -> float:
    """What the person's own weights add to a rule's score, by its name."""
    return asked.bonus.get(rule["slug"], 0.0) if asked.bonus else 0.0


def _of_every_task(rule: dict[str, Any]) -> bool:
    include = (rule.get("scope") or {}).get("include") or ["**"]
    return rule.get("severity") == "must" and not rule.get("when") and "**" in include


def _order(rule: dict[str, Any], asked: Audience) -> tuple[Any, ...]:
    return sort_key(
        narrow=_narrow(rule.get("scope") or {}, asked),
        severity=severity_of(rule),
        at=_time(rule),
        confidence=float(rule.get("confidence") or 0.0),
        slug=rule["slug"],
        layer=rule.get("layer") or LAYERS[0],
    )


def _narrow(scope: dict[str, Any], asked: Audience) -> float:
    """A scope counts as far as it is known to hold: without a path, being about some paths puts no rule first."""
    if scope == EVERYWHERE:
        return 0.0
    unknown = [] if asked.path else ["include", "exclude"]
    unknown += [] if asked.agent else ["agents"]
    unknown += [] if asked.projects else ["projects"]
    return specificity({key: scope[key] for key in scope if key not in unknown})


def _fitting(rules: list[dict[str, Any]], asked: Audience, *, whole: bool) -> list[str]:
    """The lines of as many rules as the room holds, none passed over; ``whole`` is whether these are all.

    Where all of them fit, what to do instead is added below them: no line goes when the room grows.
    """
    room = asked.max_tokens - count_tokens(HEAD)
    lines, costs = list[str](), list[int]()
    for rule in rules:
        lines.append(ranked_line(rule, where=not asked.path))
        costs.append(count_tokens(lines[-1]))
        if sum(costs) > room:
            whole = False
            break
    if not whole:
        return lines[: count_within(costs, room - _naming_tokens(asked))]
    left = room - sum(costs)
    for at, rule in enumerate(rules):
        if rule.get("do"):
            left -= count_tokens(rule["do"])
            if left < 0:
                break
            lines[at] += f"\n  {rule['do']}"
    return lines


def ranked_line(rule: dict[str, Any], *, where: bool) -> str:
    """One rule as an agent reads it; ``where`` it holds is said too, unless that is known."""
    whose = f" ({PERSONAL})" if _personal(rule) else ""
    place = f" in {rule['where']}" if where and rule.get("where") else ""
    return f"{severity_of(rule).upper()}{whose}: {rule['says']} (`{rule['slug']}`{place})"
