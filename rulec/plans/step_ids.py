"""Ids of steps: a hash of the normalised text and its parent, kept where a list is reordered."""

from __future__ import annotations

import re

from rulec.plans.plan import LONGEST, MOST_STEPS, PENDING, Step

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from rulec.plans.plan import PlanItem


DIGITS = 10  # of an id, in hexadecimal
_SIGNS = re.compile(r"[^\w/.@:-]+")


def normalised(text: str) -> str:
    """The text without case, markup and punctuation at its end."""
    words = (_SIGNS.sub("", word) for word in text.lower().split())  # "app's" and `{id}/x` stay a word each
    return " ".join(filter(None, words)).rstrip(".:-")


def step_id(text: str, parent: str = "") -> str:
    """The id of a step below a parent's id."""
    import hashlib  # noqa: PLC0415 (it costs 3 ms that only a call with a plan pays)

    told = f"{parent}\n{normalised(text)}".encode("utf-8", "surrogatepass")
    return hashlib.sha256(told).hexdigest()[:DIGITS]


def steps_of_items(items: Sequence[PlanItem]) -> list[Step]:
    """Steps with ids of what a reader found; of two steps with one text below one parent the second gets a number."""
    from rulec.domain.text.redaction import redact  # noqa: PLC0415 (as above)
    from rulec.plans.texts.step_names import MOST_PATHS, paths_named, words_like_rules  # noqa: PLC0415 (as above)
    from rulec.reminders.rule_text import one_line  # noqa: PLC0415 (as above)

    found: list[Step] = []
    taken: set[str] = set()
    for item in items[:MOST_STEPS]:
        parent = found[item.parent].id if 0 <= item.parent < len(found) else ""
        text = redact(one_line(item.text[: 4 * LONGEST]))[:LONGEST]
        step = Step(free_id(text, parent, taken), text, parent, item.status, item.key)
        step.paths = list(dict.fromkeys([*paths_named(text), *item.paths]))[:MOST_PATHS]
        step.named = item.named or words_like_rules(text)
        taken.add(step.id)
        found.append(step)
    return found


def free_id(text: str, parent: str, taken: set[str]) -> str:
    """The id of a text, or where that is taken of the text with the first number that makes it another one."""
    name, count = step_id(text, parent), 1
    while name in taken:
        count += 1
        name = step_id(f"{text} {count}", parent)
    return name


def with_known_ids(new: Sequence[Step], old: Sequence[Step]) -> list[Step]:
    """The new steps; those whose text an old one has, wherever it stood, keep its id and what is known of it.

    A step with another text is a new one, however little of it changed: its rules are those of its own words, and what
    was edited in the old one still belongs to that.
    """
    left = list(old)
    names: dict[str, str] = {}  # id of a new step -> the id that it gets
    taken: set[str] = set()
    found = [(step, _same_step(step, left, names)) for step in new]
    taken.update(known.id for _, known in found if known is not None)
    for step, known in found:
        step.parent = names.get(step.parent, step.parent)
        if known is not None:
            _continue(step, known)
        elif step.id in taken:
            names[step.id] = step.id = free_id(step.text, step.parent, taken)
        taken.add(step.id)
    return list(new)


def _same_step(step: Step, left: list[Step], names: dict[str, str]) -> Step | None:
    """The old step that this is, taken from those that are left: of several the one in the same place or by its key."""
    alike = [one for one in left if one.id == step.id or normalised(one.text) == normalised(step.text)]
    if not alike:
        return None
    parent = names.get(step.parent, step.parent)
    known = max(alike, key=lambda one: (one.parent == parent, bool(one.key) and one.key == step.key))
    left.remove(known)
    names[step.id] = known.id
    return known


def _continue(step: Step, known: Step) -> None:
    """Give the step what is known of an old one; what was begun stays so."""
    step.id, step.key, step.paths = known.id, step.key or known.key, step.paths or known.paths
    step.rules, step.named = step.rules or known.rules, step.named or known.named
    step.started, step.by, step.edits = known.started, known.by, known.edits
    if known.by == "edit" and step.status == PENDING:  # the agent has not said so yet
        step.status = known.status
