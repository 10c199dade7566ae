"""What holds of a turn and of what stood before it: signs, each with a name that a person reads."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from rulec.language._said import SAID
from rulec.language.clause import Clause

WHOLE = 700  # characters of a turn that are read whole; of a longer one, its head and its tail
END = WHOLE // 2
SHORT, LONG, LONGEST = 300, 800, 2_500  # characters
WORD_OR_TWO, LINES = 12, 12  # characters; lines
ASKED = 200  # characters at the end of what the agent said in which a question counts

# A paste, a log, or a prompt written for a machine: rules may stand in it, but nobody lays them down here and now.
_DOCUMENT = re.compile(
    r"\A\W*you are (?:a|an|the|helping|now|in)\b|```|^[ \t]*(?:[$>#%\u279c\u276f]|\w+@\w+)|\btraceback\b|"
    r"^[ \t]*(?:[{<]|\[(?!image))|^\W{0,3}\d{4}-\d\d-\d\d|^\|",
    re.IGNORECASE | re.MULTILINE,
)
_IDENTIFIER = re.compile(r"`|\b\w+_\w+\b|\b[a-z]+[A-Z]\w*\b|\b\w+\(\)|\b[A-Z][a-z]+[A-Z]\w*")
_POINTS = re.compile(r"\b(?:this|that|it|these|those)\b", re.IGNORECASE)
_POLARITIES = {
    "forbid": "forbids something",
    "prefer": "says what to use",
    "require": "asks for something to be done",
}
_KINDS = {
    "typed": "was typed",
    "queued": "was said while the agent worked",
    "rejection": "the person refused the call",
    "slash_args": "was given to a command",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Around:
    """What stood before a turn, and how it came."""

    kind: str = "typed"
    interrupted: bool = False
    acted: bool = False  # the agent had just worked
    said: str = ""  # the end of what the agent had said

    @property
    def asked(self) -> bool:
        """Whether the agent had just asked something."""
        return "?" in self.said.rstrip()[-ASKED:]


def signs(text: str, read: Sequence[Clause], asked: Sequence[Clause], around: Around) -> Iterator[str]:
    """The names of all that holds of a turn; ``asked`` are its clauses that ask something of the agent's work."""
    said, wished = _straight(_ends(text)), _straight(_ends("\n".join(clause.text for clause in asked)))
    said_low, wished_low = said.lower(), wished.lower()
    for sign in SAID:
        held = sign.holds(said, said_low)
        if held:
            yield sign.name
        if wished and (held or sign.placed or len(text) > WHOLE) and sign.holds(wished, wished_low):
            yield f"wish: {sign.name}"
    yield from (name for polarity, name in _POLARITIES.items() if any(one.polarity == polarity for one in asked))
    yield from (name for name, holds in _of_clauses(read, asked) if holds)
    yield from (name for name, holds in _of_shape(text, wish=bool(asked)) if holds)
    yield from (name for name, holds in _of_place(around) if holds)


def document(text: str) -> bool:
    """Whether the text reads like a paste, a log or a prompt for a machine."""
    return bool(_DOCUMENT.search(text[: 4 * WHOLE])) or text.count("\n") > LINES


def _of_clauses(read: Sequence[Clause], asked: Sequence[Clause]) -> tuple[tuple[str, bool], ...]:
    return (
        ("asks nothing of the work", not asked),
        ("asks in every sentence", bool(asked) and len(asked) == len(read)),
        ("names what it wants instead", any(clause.forbidden and clause.preferred for clause in asked)),
        ("says that it lasts", any(clause.cues for clause in asked)),
        ("is said with force", any(clause.forceful for clause in asked)),
        ("names something exactly", any(clause.terms for clause in asked)),
        ("names a thing of the code", any(_IDENTIFIER.search(clause.text) for clause in asked)),
        ("says when or where", any(clause.when for clause in asked)),
        ("points at what is there", any(_POINTS.search(one.text) for one in read if one.polarity != "none")),
    )


def _of_shape(text: str, *, wish: bool) -> tuple[tuple[str, bool], ...]:
    length = len(text)
    return (
        ("is a short wish", wish and length < SHORT),
        ("is long", length > LONG),
        ("is very long", length > LONGEST),
        ("is a word or two", length < WORD_OR_TWO),
        ("has many lines", text.count("\n") > LINES),
        ("reads like a document", document(text)),
    )


def _of_place(around: Around) -> tuple[tuple[str, bool], ...]:
    return (
        (_KINDS.get(around.kind, _KINDS["typed"]), True),
        ("the person stopped the agent", around.interrupted),
        ("the agent had just acted", around.acted),
        ("opens the session", not around.acted and not around.said),
        ("answers a question", around.asked),
    )


def _ends(text: str) -> str:
    return text if len(text) <= WHOLE else f"{text[:END]}\n{text[-END:]}"


def _straight(text: str) -> str:
    return text.replace("\u2019", "'")
