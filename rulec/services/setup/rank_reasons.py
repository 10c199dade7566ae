"""Why an agent is told some rules before others: each part of a rule's rank, and its turn."""

import math
from collections.abc import Mapping, Sequence
from typing import Any

from rulec.guard.precedence import LAYERS
from rulec.reminders import relevance, rule_index, selection
from rulec.reminders.rule_text import count_tokens
from rulec.reminders.slots import ScoredRule
from rulec.reminders.work_kinds import MARK


def ranked_rows(
    said: selection.RankedRules,
    asked: selection.Audience,
    terms: Mapping[int, Mapping[str, float]],
    parts: Mapping[str, Mapping[str, float]],
) -> list[dict[str, Any]]:
    """The rules in their turns with every part of their rank, in JSON's types.

    ``terms`` has the points that each word of the task gives a rule, by the rule's identity; ``parts`` each part of
    its bonus, by its name and what it comes from.
    """
    whys = {slug: because for slug, _, because in said.dropped}
    rows, used = [], count_tokens(selection.HEAD)
    for turn, one in enumerate(said.turns, 1):
        text, slug = selection.ranked_line(one.rule, where=not asked.path), one.rule["slug"]
        used += count_tokens(text)
        row = _row(one, terms.get(id(one.rule), {}), parts.get(slug, {}))
        place = {"turn": turn, "text": text, "tokens": used, "of_tokens": asked.max_tokens}
        rows.append({**row, **place, "said": slug not in whys, "because": whys.get(slug, "")})
    return rows


def task_terms(rules: Sequence[dict[str, Any]], index: list[dict[str, Any]], task: str) -> dict[int, dict[str, float]]:
    """The points that each word and kind of work of the task gives each rule, by the rule's identity."""
    found: dict[int, dict[str, float]] = {}
    for term, points in rule_index.term_points(index, task) if task else ():
        for at, more in points:
            found.setdefault(id(rules[at]), {})[term] = more
    return found


def _row(one: ScoredRule, terms: Mapping[str, float], bonus: Mapping[str, float]) -> dict[str, Any]:
    rule, match = one.rule, one.match
    log = match.log_probability() if match else relevance.NOTHING
    ordered = sorted(terms.items(), key=lambda pair: (-pair[1], pair[0]))
    return {
        "slug": rule["slug"],
        "severity": selection.severity_of(rule),
        "always": one.always,
        "named": one.named,
        "matches": one.matches,
        "terms": {term: round(points, 4) for term, points in ordered},
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
    }


def explain_rank(rows: Sequence[dict[str, Any]], said: selection.RankedRules, asked: selection.Audience) -> str:
    """Those rows in words, and why the other rules are left out."""
    lines = []
    for row in rows:
        lines.append(f"{row['turn']:>3}. {row['text']}")
        lines += [f"     {line}" for line in _reasons(row, asked)]
    ranked = {row["slug"] for row in rows}
    lines += [f"  -  `{slug}`: left out, {why}" for slug, _, why in said.dropped if slug not in ranked]
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
