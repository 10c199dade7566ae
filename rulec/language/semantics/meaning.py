"""A statement's meaning: what is wanted, what is not, of whom it asks leave, and where it holds."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from itertools import accumulate
from typing import Literal

from rulec.language.semantics.senses import MARKS, compounds, sense_tokens
from rulec.language.semantics.vocabulary import STYLES, TOPICS

Leave = Literal["", "ask", "free"]
LEAVE = "~leave"  # a sense of whatever speaks of the person's word
Slot = Literal["core", "of", "in", "when", "before", "but"]
_INTO: dict[str, Slot] = {"OF": "of", "IN": "in", "WHEN": "when", "BEFORE": "before", "EXCEPT": "but"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Meaning:
    """The senses of a statement by the part that they play in it."""

    wanted: frozenset[str] = frozenset()
    unwanted: frozenset[str] = frozenset()
    around: frozenset[str] = frozenset()  # what it is about, neither wanted nor not
    place: frozenset[str] = frozenset()
    when: frozenset[str] = frozenset()
    before: frozenset[str] = frozenset()  # what it has to come before
    but: frozenset[str] = frozenset()  # where it does not hold
    leave: Leave = ""  # ask: only with the person's word; free: it is allowed without
    listed: frozenset[str] = frozenset()  # what stands in a list of equals
    words: frozenset[str] = frozenset()  # all of it, what it comes before marked with "<", exceptions with "!"
    senses: frozenset[str] = frozenset()  # by what a rulebook's index knows it: words, wider kinds and choices

    @property
    def core(self) -> frozenset[str]:
        """A thing that is wanted or unwanted."""
        return self.wanted | self.unwanted


_BEGINS = ("use", "show", "write", "run", "read", "delete", "format", "update")


class _MeaningScan:
    """The state of a reading: which way the words count, and into which slot they go."""

    def __init__(self) -> None:
        self.slots: dict[str, set[str]] = {name: set() for name in ("+", "-", "of", "in", "when", "before", "but")}
        self.listed: set[str] = set()
        self.leave: Leave = ""
        self.here: list[str] = []  # what of this thought is wanted or not, to be turned by what follows it
        self.sign, self.slot, self.began, self.last, self.joining = "+", "core", True, "", False

    def cut(self) -> None:
        self.here, self.sign, self.slot, self.last, self.joining = [], "+", "core", "", False

    def mark(self, mark: str) -> None:
        if mark in _DOES:
            _DOES[mark](self)
        elif self.slot != "but":
            self.slot = _INTO[mark]

    def join(self) -> None:
        self.joining = True
        if self.slot in ("when", "in", "before") and not self.here:
            self.slot = "core"  # "when a flag changes, update the README"

    def refuse(self) -> None:
        self.sign, self.slot = "-", "core"

    def turn(self) -> None:
        self.sign, self.slot = "-" if self.sign == "+" else "+", "core"

    def refused(self) -> None:
        self.move("+", "-")

    def ask(self) -> None:
        self.leave = "ask"
        self.move("-", "+")
        self.sign, self.slot = "+", "core"

    def free(self) -> None:
        self.leave = self.leave or "free"
        self.slot = "core"

    def alone(self) -> None:
        self.leave = "ask" if self.sign == "-" else "free"
        self.move("-", "+")
        self.sign = "+"

    def without(self) -> None:
        """Of "no X without Y": Y comes first; where nothing is refused, it is Y that is."""
        if self.sign == "-" and self.here:
            self.first()
        else:
            self.refuse()

    def unless(self) -> None:
        if self.sign == "-" and self.here:
            self.first()
        else:
            self.slot = "but"

    def first(self) -> None:
        """Of "no X until Y": Y is wanted, before X."""
        for sense in self.here:
            self.slots["+"].discard(sense)
            self.slots["-"].discard(sense)
            self.slots["before"].add(sense)
        self.here, self.sign, self.slot = [], "+", "core"

    def move(self, source: str, target: str) -> None:
        for sense in self.here:
            if sense in self.slots[source]:
                self.slots[source].discard(sense)
                self.slots[target].add(sense)

    def word(self, sense: str) -> None:
        if sense in STYLES and self.slot in ("of", "in"):
            self.slot = "core"  # "answer in German"
        if sense in _BEGINS and self.slot in ("in", "when", "before") and not self.here and self.slots[self.slot]:
            self.slot = "core"  # "in legacy/ use npm"
        name = self.sign if self.slot == "core" else self.slot
        self.slots[name].add(sense)
        if self.slot == "core":
            self.here.append(sense)
        if self.joining:
            self.listed |= {sense, self.last} - {""}
        self.last, self.joining = sense, False


_DOES: dict[str, Callable[[_MeaningScan], None]] = {
    "CUT": _MeaningScan.cut,
    "AND": _MeaningScan.join,
    "NO": _MeaningScan.refuse,
    "TURN": _MeaningScan.turn,
    "REFUSED": _MeaningScan.refused,
    "ASK": _MeaningScan.ask,
    "FREE": _MeaningScan.free,
    "ALONE": _MeaningScan.alone,
    "FIRST": _MeaningScan.first,
    "LESS": _MeaningScan.without,
    "UNLESS": _MeaningScan.unless,
}


@lru_cache(maxsize=32_768)  # every rule is compared with every candidate
def meaning_of(statement: str, when: str = "", but: str = "") -> Meaning:
    """What a statement says, with the when and the exceptions of its rule."""
    scan = _MeaningScan()
    for token in sense_tokens(statement):
        if token in MARKS:
            scan.mark(token)
        else:
            scan.word(token)
    scan.slots["when"].update(sense for sense in sense_tokens(when) if sense not in MARKS)
    scan.slots["but"].update(sense for sense in sense_tokens(but) if sense not in MARKS)
    return _settle_choices(scan)


def _settle_choices(scan: _MeaningScan) -> Meaning:
    """Where a choice is made, the choice alone is wanted or not, and the words that only name its field say nothing."""
    slots = {name: {sense for sense in senses if sense != "use"} for name, senses in scan.slots.items()}
    chosen = {sense for name in "+-" for sense in slots[name] if sense in TOPICS}
    for sense in chosen:
        topic = TOPICS[sense]
        for name in ("+", "-", "of", "in", "when"):
            slots[name] -= topic.field - chosen
    if chosen:
        slots["beside"] = (slots["+"] | slots["-"]) - chosen
        slots["+"] &= chosen
        slots["-"] &= chosen
    for sense in chosen:
        if TOPICS[sense].binary:
            _close_choice(slots, sense)
    slots["before"] -= slots["+"]
    both = slots["+"] & slots["-"]  # "no token of your own, get one from the app": about tokens, neither way
    slots["of"] |= both
    slots["+"] -= both
    slots["-"] -= both
    said = {name: frozenset(senses) for name, senses in slots.items()}
    everything = said.get("beside", frozenset()) | said["+"] | said["-"] | said["of"] | said["in"] | said["when"]
    leave = {LEAVE} if scan.leave else set()
    words = everything | {f"<{sense}" for sense in said["before"]} | {f"!{sense}" for sense in said["but"]}
    return Meaning(
        wanted=said["+"], unwanted=said["-"], around=said["of"], place=said["in"], when=said["when"],
        before=said["before"], but=said["but"], leave=scan.leave, listed=frozenset(scan.listed),
        words=words, senses=words | {wider for sense in words for wider in wider_sense(sense)} | leave,
    )  # fmt: skip


def _close_choice(slots: dict[str, set[str]], sense: str) -> None:
    """Where one of two values is refused, want the other one."""
    values = TOPICS[sense].values
    first = {"2-space": "space", "4-space": "space", "8-space": "space"}.get(sense, sense)
    (other, *more) = (value for value in values if value != first and "-space" not in value)
    if sense in slots["-"] and not slots["+"] & values and not more:
        slots["+"].add(other)


def wider_sense(sense: str) -> tuple[str, ...]:
    """The wider kind of a sense, such as "test" of "unit-test", and the choice of which it is a value."""
    mark, plain = ("<", sense[1:]) if sense.startswith("<") else ("", sense)
    found = [mark + plain.rpartition("-")[2]] if plain in compounds() else []
    if "/" in sense.rstrip("/"):  # a folder is part of the one that it stands in
        parents = accumulate(sense.removeprefix(mark).split("/")[:-1], "{}/{}".format)
        found += [mark + folder for folder in parents if folder][:_DEEP]
    topic = TOPICS.get(plain)
    return (*found, f"~{min(topic.values)}") if topic and not mark else tuple(found)


_DEEP = 5
