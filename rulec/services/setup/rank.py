"""Which rules would be said now, in which turn, and every part of the reason."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rulec.checkout import contrary_rules, personal_scope
from rulec.domain.outcome import Outcome
from rulec.domain.precedence import LAYERS, timestamp
from rulec.infra import clock
from rulec.infra.rulebooks import rulebook_files
from rulec.reminders import relevance, rule_index, selection
from rulec.reminders.rule_text import count_tokens
from rulec.reminders.slots import ScoredRule
from rulec.reminders.work_kinds import MARK
from rulec.services.setup import snapshot
from rulec.weights import person_bonus

BonusParts = Mapping[str, Mapping[str, float]]  # by a rule's name: each part of its bonus, by what it comes from


@dataclass(frozen=True, slots=True, kw_only=True)
class RankRequest:
    """What the rules are ranked for; "" is unknown and excludes nothing."""

    task: str = ""
    path: str = ""  # as the person gave it
    agent: str = ""
    explain: bool = False


def rank(top: Path, here: Path, wanted: RankRequest, parts: BonusParts | None = None) -> Outcome:
    """The rules that would be said, in their turns; with ``explain`` why each stands where it does."""
    if not rulebook_files.has_rulebook(top):
        return Outcome(f"{top}: {snapshot.NONE}", data={"rules": [], "dropped": [], "note": snapshot.NONE})
    rules, index = snapshot.indexed_records(top, sure=False)
    parts = person_bonus.bonus_parts(str(top), rules) if parts is None else parts
    asked = selection.Audience(
        path=snapshot.path_within(top, here, wanted.path) if wanted.path else "",
        agent=wanted.agent,
        task=wanted.task,
        projects=personal_scope.repository_names(str(top)),
        now=timestamp(clock.now()),
        bonus={slug: sum(some.values()) for slug, some in parts.items()},
    )
    asked.contrary = contrary_rules.contrary_keys(str(top))
    said = selection.rank_rules(rules, asked, index)
    terms = _terms(rules, index, wanted.task) if wanted.task else {}
    rows = [_row(one, said, terms.get(id(one.rule), {}), parts.get(one.rule["slug"], {})) for one in said.turns]
    _count_places(rows, asked)
    dropped = [{"slug": slug, "kind": kind, "because": because} for slug, kind, because in said.dropped]
    data = {"task": asked.task, "path": asked.path, "agent": asked.agent, "rules": rows, "dropped": dropped}
    return Outcome(_text(rows, dropped, asked, explain=wanted.explain), data=data)


def _terms(rules: Sequence[dict[str, Any]], index: list[dict[str, Any]], task: str) -> dict[int, dict[str, float]]:
    """The points that each word and kind of work of the task gives each rule, by the rule's identity."""
    found: dict[int, dict[str, float]] = {}
    for term, points in rule_index.term_points(index, task):
        for at, more in points:
            found.setdefault(id(rules[at]), {})[term] = more
    return found


def _row(
    one: ScoredRule, said: selection.RankedRules, terms: dict[str, float], bonus: Mapping[str, float]
) -> dict[str, Any]:
    rule, match = one.rule, one.match
    log = match.log_probability() if match else relevance.NOTHING
    whys = {slug: because for slug, _, because in said.dropped}
    return {
        "slug": rule["slug"],
        "severity": selection.severity_of(rule),
        "rule": rule,
        "always": one.always,
        "named": one.named,
        "matches": one.matches,
        "terms": {
            term: round(points, 4) for term, points in sorted(terms.items(), key=lambda pair: (-pair[1], pair[0]))
        },
        "path": match.path if match else "",
        "points": round(match.points, 4) if match else 0.0,
        "log_probability": round(log, 4),
        "bonus": {name: round(value, 6) for name, value in bonus.items()},
        "score": round(one.score, 4),
        "precedence": {
            "specificity": -one.order[0],
            "layer": rule.get("layer") or LAYERS[0],
            "at": rule.get("at", ""),
            "confidence": rule.get("confidence", 0.0),
        },
        "said": rule["slug"] not in whys,
        "because": whys.get(rule["slug"], ""),
    }


def _count_places(rows: list[dict[str, Any]], asked: selection.Audience) -> None:
    """Write into each row its turn, and how many tokens are used with it."""
    used = count_tokens(selection.HEAD)
    for turn, row in enumerate(rows, 1):
        row["text"] = selection.ranked_line(row.pop("rule"), where=not asked.path)
        used += count_tokens(row["text"])
        row |= {"turn": turn, "tokens": used, "of_tokens": asked.max_tokens}


def _text(
    rows: list[dict[str, Any]], dropped: list[dict[str, str]], asked: selection.Audience, *, explain: bool
) -> str:
    shown = rows if explain else [row for row in rows if row["said"]]
    lines = []
    for row in shown:
        lines.append(f"{row['turn']:>3}. {row['text']}")
        if explain:
            lines += [f"     {line}" for line in _reasons(row, asked)]
    beside = [one for one in dropped if one["slug"] not in {row["slug"] for row in shown}]
    if explain:
        lines += [f"  -  `{one['slug']}`: left out, {one['because']}" for one in beside]
    elif beside:
        lines.append(f"{len(beside)} more are left out; --explain says why, and how each is ranked")
    return "\n".join(lines) or "no rules to rank"


def _reasons(row: dict[str, Any], asked: selection.Audience) -> list[str]:
    """Every part of why a rule stands where it does."""
    found = []
    if asked.task:
        terms = [f"{_in_words(term)} {points:.2f}" for term, points in row["terms"].items()]
        terms += [f"{row['path']} in its scope {rule_index.PATH:.2f}"] if row["path"] else []
        found.append(f"shares with the task: {', '.join(terms) or 'nothing'}; {row['points']:.2f} points")
        chance = 100 * math.exp(row["log_probability"])
        found.append(f"probability that the task has to do with it: {chance:.0f} % (log {row['log_probability']:.2f})")
    if row["bonus"]:
        found.append("bonus: " + ", ".join(f"{name} {value:+.3f}" for name, value in row["bonus"].items()))
    if asked.task:
        found.append(f"score: {row['score']:.2f}")
    place = row["precedence"]
    last = f", last mattered {place['at'][:10]}" if place["at"] else ""
    layer = "" if place["layer"] == LAYERS[0] else f", {place['layer']}"
    found.append(
        f"precedence: specificity {place['specificity']:g}{layer}, {row['severity']}{last},"
        f" confidence {place['confidence']:.2f}"
    )
    found.append(f"turn: {_kind(row, asked)}")
    outcome = "said" if row["said"] else f"left out, {row['because']}"
    found.append(f"{outcome}: {row['tokens']} of {row['of_tokens']} tokens with it")
    return found


def _kind(row: dict[str, Any], asked: selection.Audience) -> str:
    """What decides about the turn of a rule."""
    if row["named"]:
        return f"the task names it ({row['named']}), so it goes before all that it does not name"
    if row["always"]:
        return "it is for every task, and takes turns with those that match" if asked.task else "it is for every task"
    if not asked.task:
        return "by precedence"
    return "it matches the task" if row["matches"] else "it does not match the task, and comes after those that do"


def _in_words(term: str) -> str:
    return f"kind of work {term[len(MARK) :]}" if term.startswith(MARK) else term
