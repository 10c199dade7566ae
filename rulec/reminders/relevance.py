"""How much a task has to do with a rule, as a log-probability; and which rules speak of the same."""

from __future__ import annotations

import heapq
import math
import re

from rulec.reminders.naming import SPAN
from rulec.reminders.words import task_words
from rulec.reminders.work_kinds import kinds_of_stems

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any


# What a word gives by its place in the rule: its name, condition, tags and code; its sentences; its examples.
TELLING, PASSING, SHOWN = 2.0, 1.0, 0.5
KIND = 0.5  # what a kind of work or thing gives, as a share of a word in the same place
# The calibration: log-probability = log sigmoid(SLOPE * points + SHIFT). Fitted by ``bench rank fit`` of evaluation
# (logistic regression) to the pairs of step and rule that are labelled in evaluation/cases/attach.
SLOPE, SHIFT = 2.31, -3.89
RELEVANT = math.log(0.25)  # from this log-probability on a rule is said at a message that has to do with it
ENOUGH = (RELEVANT - math.log1p(-math.exp(RELEVANT)) - SHIFT) / SLOPE  # the same in points
MATCHING = math.log(0.05)  # and from this one on, twice that of any rule, it is among those that match a task


def log_probability(points: float) -> float:
    """The log-probability that a rule with so many points has to do with the task."""
    odds = SLOPE * points + SHIFT
    return -math.log1p(math.exp(-odds)) if odds > 0 else odds - math.log1p(math.exp(odds))


NOTHING = log_probability(0.0)  # of a rule that shares no word with the task


def words_about(rule: dict[str, Any]) -> dict[str, float]:
    """The words and kinds of work that lead to a rule, each with its weight, which is added up over its places."""
    scope = rule.get("scope") or {}
    said = f"{rule.get('says', '')} {rule.get('do', '')}"
    narrow = [glob for glob in scope.get("include") or () if glob != "**"]
    fields = [(PASSING, said), (PASSING, rule.get("category", "")), (PASSING, " ".join(narrow))]
    fields += [(TELLING, text) for text in (rule["slug"], rule.get("when", ""), " ".join(scope.get("tags") or ()))]
    fields.append((TELLING, " ".join([*(rule.get("names") or ()), *re.findall(SPAN, said)])))
    fields.append((SHOWN, rule.get("shown", "")))
    found: dict[str, float] = {}
    for weight, text in fields:
        if text:
            words = task_words(text)
            for word in words:
                found[word] = found.get(word, 0.0) + weight
            for kind in kinds_of_stems(words):
                found[kind] = found.get(kind, 0.0) + weight * KIND
    return found


MOST_SIMILAR = 20  # rules beside one rule
LEAST_SIMILAR = 0.05  # cosine below which two rules share no more than a passing word


def similar_rules(rules: list[dict[str, Any]], of: Iterable[str] | None = None) -> dict[str, list[tuple[str, float]]]:
    """For each rule, or those named in ``of``, the rules that speak of the same: name and cosine, nearest first.

    The vectors hold a rule's own words and their weights, none of them weighed by how many rules have it: so two rules
    are as similar as before whatever is added, retired or renamed beside them.
    """
    vectors = {rule["slug"]: _unit_vector(rule) for rule in rules}
    holders: dict[str, list[tuple[str, float]]] = {}
    for slug, vector in vectors.items():
        for word, weight in vector.items():
            holders.setdefault(word, []).append((slug, weight))
    wanted = vectors if of is None else [slug for slug in of if slug in vectors]
    return {slug: _nearest(slug, vectors[slug], holders) for slug in wanted}


def _unit_vector(rule: dict[str, Any]) -> dict[str, float]:
    """The words about a rule: not those of its name, which may change, nor of its category, which many share."""
    words = words_about({**rule, "slug": "", "category": ""})
    length = math.sqrt(sum(weight * weight for weight in words.values()))
    return {word: weight / length for word, weight in words.items()} if length else {}


def _nearest(
    slug: str, vector: dict[str, float], holders: dict[str, list[tuple[str, float]]]
) -> list[tuple[str, float]]:
    found: dict[str, float] = {}
    for word, weight in vector.items():
        for other, share in holders[word]:
            found[other] = found.get(other, 0.0) + weight * share
    found.pop(slug, None)
    near = [(other, min(1.0, cosine)) for other, cosine in found.items() if cosine >= LEAST_SIMILAR]
    return heapq.nsmallest(MOST_SIMILAR, near, key=lambda one: (-one[1], one[0]))
