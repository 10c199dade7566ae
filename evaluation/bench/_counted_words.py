"""What relevance is compared with: the count of shared words that rulec had before, each word by its place."""

import re
from typing import Any

from rulec.domain.files import globs
from rulec.reminders.naming import SPAN
from rulec.reminders.words import task_paths, task_words

TELLING, PASSING, NAMED = 2, 1, 3  # a word of its name, condition or code; any other; at most, and for a path
ENOUGH = 2  # from here on a rule has to do with the task
FEW, SHARE = 10, 10  # rules that may share a word before it says nothing, or one rule of so many


def words_about(rule: dict[str, Any]) -> dict[str, int]:
    """The words that lead to a rule, each with its weight."""
    scope = rule.get("scope") or {}
    said = f"{rule.get('says', '')} {rule.get('do', '')}"
    narrow = [glob for glob in scope.get("include") or () if glob != "**"]
    fields = [(PASSING, said), (PASSING, rule.get("category", "")), (PASSING, " ".join(narrow))]
    fields += [(TELLING, text) for text in (rule["slug"], rule.get("when", ""), " ".join(scope.get("tags") or ()))]
    fields.append((TELLING, " ".join([*(rule.get("names") or ()), *re.findall(SPAN, said)])))
    found: dict[str, int] = {}
    for weight, text in fields:
        for word in task_words(text):
            found[word] = min(NAMED, found.get(word, 0) + weight)
    return found


def scores(rules: list[dict[str, Any]], task: str) -> list[float]:
    """For each rule how much the task has to do with it; a word that many rules share says nothing."""
    asked, named = task_words(task), task_paths(task)
    known = [words_about(rule) for rule in rules]
    held = {word: sum(word in one for one in known) for word in asked}
    telling = [word for word in asked if held[word] <= max(FEW, len(rules) // SHARE)]
    return [
        sum(one.get(word, 0) for word in telling) + NAMED * _in_scope(rule, named)
        for rule, one in zip(rules, known, strict=True)
    ]


def _in_scope(rule: dict[str, Any], named: list[str]) -> bool:
    include = (rule.get("scope") or {}).get("include") or ["**"]
    return "**" not in include and any(globs.match(include, path) for path in named)
