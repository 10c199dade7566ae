"""Which rules are worth saying to whom, in which order, within the limits; and why each other one is left out."""

from rulec.domain.enforcement import SEVERITIES
from rulec.domain.files import globs
from rulec.domain.precedence import LAYERS, is_dormant, sort_key, specificity, timestamp
from rulec.guard import scopes
from rulec.reminders import relevance
from rulec.reminders.rule_text import count_tokens

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any


HERE = "local"  # the environment in which agents are at work
MOST_RULES = 20  # LexSona 4.7, and so is the next
MOST_TOKENS = 500


class Audience:
    """For whom and for what the rules are said; what is "" is not known, and leaves nothing out."""

    __slots__ = ("agent", "max_rules", "max_tokens", "only", "path", "projects", "said", "task")

    def __init__(
        self,
        path: str = "",
        agent: str = "",
        task: str = "",
        max_rules: int = MOST_RULES,
        max_tokens: int = MOST_TOKENS,
        *,
        only: bool = False,
        projects: "Sequence[str]" = (),
    ) -> None:
        self.path, self.agent, self.task = path, agent, task
        self.max_rules, self.max_tokens = max_rules, max_tokens
        self.only = only  # nothing but what the task's words lead to
        self.projects = projects  # the names of the repository
        self.said: "frozenset[str]" = frozenset()  # keys of what was said before


def why_elsewhere(scope: "dict[str, Any]", asked: Audience) -> "tuple[str, str]":
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
    return "", ""


def concerns_path(scope: "dict[str, Any]", path: str) -> bool:
    """Whether a rule speaks of a file, or of something in a folder, which ends with "/"."""
    if not path.endswith("/"):
        return scopes.holds_path(scope, path)
    include, inside = scope.get("include") or ["**"], path + "."
    if globs.match(scope.get("exclude") or (), inside):
        return False
    return globs.match(include, inside) or any(_below(glob, path.rstrip("/")) for glob in include)


def _below(glob: str, folder: str) -> bool:
    """Whether the glob names something that may lie in the folder."""
    start = globs.literal_folder(glob)
    return not start or start == folder or start.startswith(folder + "/") or folder.startswith(start + "/")


HEAD = "Rules that the people of this repository have decided (rulec):"
FOOT = "(%d of %d rules left out here; `rulec snapshot --path FILE --task TEXT` says more)"
PERSONAL = "personal"  # the layer that is the person's alone
EVERYWHERE = {"include": ["**"]}  # the scope of most rules


class RankedRules:
    """The lines, and what was left out: (slug, kind of reason, reason)."""

    __slots__ = ("dropped", "lines", "rules")

    def __init__(
        self, lines: "list[str]", rules: "list[dict[str, Any]]", dropped: "list[tuple[str, str, str]]"
    ) -> None:
        self.lines, self.rules, self.dropped = lines, rules, dropped

    def text(self) -> str:
        """What an agent reads; "" where nothing is to be said."""
        if not self.lines:
            return ""
        left = len(self.dropped)
        return "\n".join([HEAD, *self.lines, *([FOOT % (left, left + len(self.rules))] if left else [])])


def rank_rules(rules: "list[dict[str, Any]]", asked: Audience) -> RankedRules:
    """The rules that apply, the first in precedence first, within the limits; the same for the same rules."""
    dropped: "list[tuple[str, str, str]]" = []
    held = _applying(_own(rules, dropped), asked, dropped)
    ranked = _ordered(held, asked, dropped)
    taken = ranked[: max(0, asked.max_rules)]
    dropped += [_left(rule, "rules", f"over {asked.max_rules} rules") for rule in ranked[len(taken) :]]
    fitting, lines = _fitting(taken, asked, len(rules))
    dropped += [_left(rule, "tokens", f"over {asked.max_tokens} tokens") for rule in taken[len(fitting) :]]
    shown = sorted(range(len(fitting)), key=lambda at: SEVERITIES.index(severity_of(fitting[at])))
    return RankedRules([lines[at] for at in shown], [fitting[at] for at in shown], sorted(dropped))


def _left(rule: "dict[str, Any]", kind: str, reason: str) -> "tuple[str, str, str]":
    return rule["slug"], kind, reason


def severity_of(rule: "Mapping[str, Any]") -> str:
    """How grave a rule is."""
    known: str = rule.get("severity", "")
    return known if known in SEVERITIES else "should"


def _own(rules: "list[dict[str, Any]]", dropped: "list[tuple[str, str, str]]") -> "list[dict[str, Any]]":
    """Of rules with one name that of the layer nearest to the team."""
    found: "dict[str, dict[str, Any]]" = {}
    for rule in sorted(rules, key=_layer):
        first = found.setdefault(rule["slug"], rule)
        if first is not rule:
            whose = first.get("layer") or LAYERS[0]
            dropped.append(_left(rule, "layer", f"{whose} has a rule of that name, which stands before it"))
    return [found[slug] for slug in sorted(found)]


def _layer(rule: "dict[str, Any]") -> "tuple[int, str, str]":
    layer = rule.get("layer") or LAYERS[0]
    kind = layer.partition(" ")[0]
    return LAYERS.index(kind) if kind in LAYERS else len(LAYERS), layer, rule["slug"]


def _applying(
    rules: "list[dict[str, Any]]", asked: Audience, dropped: "list[tuple[str, str, str]]"
) -> "list[dict[str, Any]]":
    now: "dict[str, float]" = {}  # by rulebook: a person's own, or another team's, makes no rule of ours look old
    for rule in rules:
        layer = rule.get("layer") or LAYERS[0]
        now[layer] = max(now.get(layer, 0.0), _time(rule))
    kept = []
    for rule in rules:
        kind, reason = why_elsewhere(rule.get("scope") or {}, asked)
        if not kind and is_dormant(_time(rule), now[rule.get("layer") or LAYERS[0]]):
            kind, reason = "dormant", f"dormant: it last mattered on {rule['at'][:10]}"
        if kind:
            dropped.append(_left(rule, kind, reason))
        else:
            kept.append(rule)
    return kept


def _ordered(
    rules: "list[dict[str, Any]]", asked: Audience, dropped: "list[tuple[str, str, str]]"
) -> "list[dict[str, Any]]":
    """By precedence; with a task what every task must heed first, then by how much the task has to do with it."""
    if not asked.task:
        return sorted(rules, key=lambda rule: _order(rule, asked))
    keyed = []
    for rule, score in zip(rules, relevance.relevance_scores(rules, asked.task)):  # noqa: B905 (3.9)
        always = not asked.only and _of_every_task(rule)
        when = rule.get("when", "")
        if rule_key(rule) in asked.said:
            dropped.append(_left(rule, "said", "said before"))
        elif score < relevance.RELEVANT and not always and (asked.only or when):
            dropped.append(_left(rule, "task", f"only when: {when}" if when else "nothing in the task leads to it"))
        else:
            keyed.append((0 if always else 1, -score, _order(rule, asked), rule))
    return [entry[3] for entry in sorted(keyed, key=lambda entry: entry[:3])]


def _time(rule: "Mapping[str, Any]") -> float:
    """When the rule last mattered; records that are kept have it as a number."""
    known = rule.get("time")
    return known if isinstance(known, float) else timestamp(rule.get("at", ""))


def _personal(rule: "Mapping[str, Any]") -> bool:
    return bool(rule.get("layer") == PERSONAL)


def rule_key(rule: "dict[str, Any]") -> str:
    """The key of a rule at its revision: it changes when the rule does."""
    return f"{rule['slug']}@{rule.get('revision') or 1}"


def _of_every_task(rule: "dict[str, Any]") -> bool:
    include = (rule.get("scope") or {}).get("include") or ["**"]
    return rule.get("severity") == "must" and not rule.get("when") and "**" in include


def _order(rule: "dict[str, Any]", asked: Audience) -> "tuple[Any, ...]":
    return sort_key(
        narrow=_narrow(rule.get("scope") or {}, asked),
        severity=severity_of(rule),
        at=_time(rule),
        confidence=float(rule.get("confidence") or 0.0),
        slug=rule["slug"],
        layer=rule.get("layer") or LAYERS[0],
    )


def _narrow(scope: "dict[str, Any]", asked: Audience) -> float:
    """A scope counts as far as it is known to hold: without a path, being about some paths puts no rule first."""
    if scope == EVERYWHERE:
        return 0.0
    unknown = [] if asked.path else ["include", "exclude"]
    unknown += [] if asked.agent else ["agents"]
    unknown += [] if asked.projects else ["projects"]
    return specificity({key: scope[key] for key in scope if key not in unknown})


def _fitting(rules: "list[dict[str, Any]]", asked: Audience, total: int) -> "tuple[list[dict[str, Any]], list[str]]":
    """As many rules as the budget holds, none passed over, each with its lines.

    Where all of them fit, what to do instead is added below them: no line goes when the budget grows.
    """
    left = asked.max_tokens - count_tokens(HEAD) - count_tokens(FOOT % (total, total))
    lines: "list[str]" = []
    for rule in rules:
        text = ranked_line(rule, where=not asked.path)
        left -= count_tokens(text)
        if left < 0:
            return rules[: len(lines)], lines
        lines.append(text)
    for at, rule in enumerate(rules):
        if rule.get("do"):
            left -= count_tokens(rule["do"])
            if left < 0:
                break
            lines[at] += f"\n  {rule['do']}"
    return rules, lines


def ranked_line(rule: "dict[str, Any]", *, where: bool) -> str:
    """One rule as an agent reads it; ``where`` it holds is said too, unless that is known."""
    whose = f" ({PERSONAL})" if _personal(rule) else ""
    place = f" in {rule['where']}" if where and rule.get("where") else ""
    return f"{severity_of(rule).upper()}{whose}: {rule['says']} (`{rule['slug']}`{place})"
