"""Ids of steps: a hash of the normalised text and its parent, kept where a list is reordered or a word is changed."""

import re

from rulec.steps.step import LONGEST, MOST_STEPS, PENDING, Step

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from rulec.steps.step import PlanItem


DIGITS = 10  # of an id, in hexadecimal
_NUMBER = re.compile(
    r"^\s*(?:[-*+]\s+)?(?:\[[ xX/~-]\]\s*)?"
    r"(?:#?(?:(?:step|phase|task)\s+\d{1,4}(?:\.\d+)*|T\d{1,5}[a-z]?|\d{1,4}(?:\.\d+)+|\d{1,4}[a-z]?(?=[.):]))[.):]?\s+)?"
    r"(?:\[[a-z]{1,3}\d{0,3}\??\]\s+)*",
    re.IGNORECASE,
)
_SIGNS = re.compile(r"[^\w/.@:-]+")


def normalised(text: str) -> str:
    """The text without case, markup, numbering, check box and punctuation at its end."""
    plain = _NUMBER.sub("", text, count=1)
    words = (_SIGNS.sub("", word) for word in plain.lower().split())  # "app's" and `{id}/x` stay a word each
    return " ".join(filter(None, words)).rstrip(".:-")


def step_id(text: str, parent: str = "") -> str:
    """The id of a step below a parent's id."""
    import hashlib  # noqa: PLC0415 (it costs 3 ms that only a call with a plan pays)

    told = f"{parent}\n{normalised(text)}".encode("utf-8", "surrogatepass")
    return hashlib.sha256(told).hexdigest()[:DIGITS]


def steps_of_items(items: "Sequence[PlanItem]") -> "list[Step]":
    """Steps with ids of what a reader found; of two steps with one text below one parent the second gets a number."""
    from rulec.domain.text.redaction import redact  # noqa: PLC0415 (as above)
    from rulec.reminders.rule_text import one_line  # noqa: PLC0415 (as above)
    from rulec.steps.rule_lines import words_like_rules  # noqa: PLC0415 (as above)
    from rulec.steps.step_paths import MOST_PATHS, paths_named  # noqa: PLC0415 (as above)

    found: "list[Step]" = []
    taken: "set[str]" = set()
    counts: "dict[str, int]" = {}
    for item in items[:MOST_STEPS]:
        parent = found[item.parent].id if 0 <= item.parent < len(found) else ""
        text = redact(one_line(item.text[: 4 * LONGEST]))[:LONGEST]
        step = Step(_free_id(text, parent, taken, counts), text, parent, item.status, item.key)
        step.paths = list(dict.fromkeys([*paths_named(text), *item.paths]))[:MOST_PATHS]
        step.named = item.named or words_like_rules(text)
        taken.add(step.id)
        found.append(step)
    return found


def _free_id(text: str, parent: str, taken: "set[str]", counts: "dict[str, int]") -> str:
    """The id of a text, or where that is taken of the text with the first number that makes it another one."""
    first = name = step_id(text, parent)
    while name in taken:
        counts[first] = counts.get(first, 1) + 1  # where the search for the next one goes on
        name = step_id(f"{text} {counts[first]}", parent)
    return name


def with_known_ids(new: "Sequence[Step]", old: "Sequence[Step]") -> "list[Step]":
    """The new steps; those that are old ones, moved or with one word changed, keep their id and what is known of them.

    The word counts against the text that the id was made of, so that no step becomes another one a word at a time. A
    step whose text changed more is a new one, and its proofs no longer count.
    """
    match = _Match(new, old)
    match.pair(near=False)
    match.pair(near=True)
    taken = {step.id for step in match.kept.values()}
    found: "list[Step]" = []
    names: "dict[str, str]" = {}  # id of a new step -> the id that it gets
    counts: "dict[str, int]" = {}
    for at, step in enumerate(new):
        parent = names.get(step.parent, step.parent)
        known = match.kept.get(at)
        if known is None:
            one = _moved(step, step.id if step.id not in taken else _free_id(step.text, parent, taken, counts), parent)
            taken.add(one.id)
        else:
            one = _continued(step, known, parent)
        names[step.id] = one.id
        found.append(one)
    return found


class _Match:
    """Which old step each of the new ones is."""

    def __init__(self, new: "Sequence[Step]", old: "Sequence[Step]") -> None:
        self.new = new
        self.kept: "dict[int, Step]" = {}  # number of a new step -> the old one
        self.left = list(old)
        self.words = {step.id: _words(step.text) for step in old}
        self.origins = {step.id: _words(step.origin or step.text) for step in old}
        self.numbers = {step.id: number for number, step in enumerate(new)}
        self.places = _places(old)
        self.new_places = _places(new)

    def pair(self, *, near: bool) -> None:
        """Give each new step that has none the best of the old ones whose text is the same, or near, and still free."""
        for at, step in enumerate(self.new):
            if at in self.kept or not self.left:
                continue
            words = _words(step.text)
            best = None
            parent = self._parent(step)
            for number, one in enumerate(self.left):
                if not near:
                    if words != self.words[one.id]:
                        continue
                elif not _may_be_near(words, self.origins[one.id]):
                    continue
                beside = one.parent == parent
                placed = beside and self.places[one.id] == self.new_places[step.id]
                if not near or _is_near(words, self.origins[one.id], placed=placed):
                    rank = (not beside, not (one.key and one.key == step.key), not placed, number)
                    best = min(best, rank) if best is not None else rank
            if best is not None:
                self.kept[at] = self.left.pop(best[-1])

    def _parent(self, step: Step) -> str:
        """The id of the old step that the step above is, or its own."""
        above = self.kept.get(self.numbers.get(step.parent, -1))
        return above.id if above is not None else step.parent


def _places(steps: "Sequence[Step]") -> "dict[str, int]":
    """Id -> which of the steps below its parent a step is."""
    counts: "dict[str, int]" = {}
    found = {}
    for step in steps:
        found[step.id] = counts[step.parent] = counts.get(step.parent, -1) + 1
    return found


def _words(text: str) -> "list[str]":
    return normalised(text).split()


def _may_be_near(words: "list[str]", origin: "list[str]") -> bool:
    """Whether texts share their first or their last word, as all do that are a word apart."""
    return bool(words and origin) and (words[0] == origin[0] or words[-1] == origin[-1])


def _is_near(words: "list[str]", origin: "list[str]", *, placed: bool) -> bool:
    """Whether one word was changed, added or left out; of two words that is half, so the place must be the same."""
    if abs(len(words) - len(origin)) > 1:
        return False
    most = min(len(words), len(origin))
    start = 0
    while start < most and words[start] == origin[start]:
        start += 1
    end = 0
    while end < most - start and words[-1 - end] == origin[-1 - end]:
        end += 1
    shared = start + end
    return max(len(words), len(origin)) - shared <= 1 and (shared >= 2 or (shared == 1 and placed))


def _moved(step: Step, name: str, parent: str) -> Step:
    """The step with another id, below another parent."""
    found = Step(name, step.text, parent)
    for slot in Step.__slots__:
        if slot not in ("id", "parent"):
            setattr(found, slot, getattr(step, slot))
    return found


def _continued(step: Step, known: Step, parent: str) -> Step:
    """The step with what is known of an old one; what was begun stays so."""
    found = _moved(step, known.id, parent)
    found.key = step.key or known.key
    origin = known.origin or known.text
    found.origin = origin if normalised(origin) != normalised(step.text) else ""
    found.paths, found.rules = step.paths or known.paths, step.rules or known.rules
    found.known, found.named = known.known, step.named or known.named
    found.started, found.by, found.base, found.edits = known.started, known.by, known.base, known.edits
    if known.by == "edit" and step.status == PENDING:  # the agent has not said so yet
        found.status = known.status
    return found
