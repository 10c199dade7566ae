"""How likely a turn holds for next time too: signs, each with its weight, and the durable wishes in it."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from rulec.language.clause import Clause
from rulec.language.durability_weights import BASE, WEIGHTS

WHOLE = 700  # characters of a turn that are read whole; of a longer one, its head and its tail
SHORT = 300  # characters of a short wish
LINES = 12

# Of a turn that holds one, a person reads the name; in the wish itself it may weigh otherwise than in the whole turn.
SIGN_PATTERNS = {
    "makes a general rule": re.compile(
        r"\b(?:from (?:now|here) on|going forward|as a (?:general )?rule|in (?:the )?future|always|never|"
        r"every ?time|each time|ever|whenever|next time|at all times|no exceptions?)\b"
    ),
    "makes sure": re.compile(
        r"\b(?:make sure|be sure|ensure|(?:don'?t|do not) forget|remember to|(?:also )?needs? to also|"
        r"also needs?|see to it|mind that)\b"
    ),
    "asks for an order of work": re.compile(
        r"\bfirst\W*$|\bbefore (?:you|making|any|we|committing|pushing|\w+ing)\b|\bafter (?:each|every)\b|"
        r"\bas you go\b|\b(?:one|step) (?:at a time|by (?:one|step))\b|\bonce (?:you|each|every)\b"
    ),
    "says what comes first": re.compile(r"\bfirst\b"),
    "is about the way code is written": re.compile(
        r"\b(?:dry|duplicat\w+|idiomatic|consisten\w+|convention\w*|patterns?|style|naming|best practi[cs]es?|"
        r"copy ?/? ?(?:and )?paste|comments?|spelling|format(?:ting)?|backwards? compat\w*|sprawl|utils?|helpers?|"
        r"framework|code quality|over-?(?:complicat|engineer)\w*|decisions?|hard-?cod\w+|boilerplate|abstraction\w*|"
        r"readab\w+|maintainab\w+|type hints?|docstrings?|magic|hack\w*|workarounds?|architecture|principles?)\b"
    ),
    "says please": re.compile(r"\b(?:please|pls|plz)\b"),
    "only asks": re.compile(
        r"^(?!.*\b(?:can|could|why|should(?:n'?t)?|shall|did|didn'?t|don'?t|use|aren'?t|isn'?t)\b).*\?\s*$", re.DOTALL
    ),
    "says what the agent must or may": re.compile(
        r"\byou (?:must|should|need|have to|can|are to|shouldn'?t|don'?t|can'?t|may|will)\b"
    ),
    "is about the product": re.compile(
        r"\b(?:users?|customers?|page|button|screen|ui|ux|dialog|modal|sidebar|menu|header|footer|icon|player|game|"
        r"colou?rs?|fonts?|click\w*|layout|tabs?|panel|table|chart|card|login|endpoint|image|window|field|display\w*|"
        r"shows?|render\w*)\b"
    ),
    "begins with a task": re.compile(
        r"^\W*(?:(?:ok(?:ay)?|yes|now|and|then|also|great|please|next|so|can you|could you|let'?s|i want you to|"
        r"i'?d like you to|we need to|i need you to)\b[\s,.!:]*)*(?:add|create|implement|fix|update|remove|change|"
        r"make|build|show|move|rename|refactor|check|look|investigate|continue|proceed|merge|open|close|run|deploy|go|"
        r"give|find|analy[sz]e|help|start|try|set|generate|list|see|do|take|get|compare|research|debug|resolve|"
        r"address|finish|complete|convert|delete|revert|undo|restore|design|draft|describe|figure|prepare|resume|"
        r"search|mark|bump)\b"
    ),
}
# A paste, a log, or a prompt written for a machine: rules may stand in it, but nobody lays them down here and now.
_DOCUMENT = re.compile(
    r"\A\W*you are (?:a|an|the|helping|now|in)\b|```|^[ \t]*(?:[$>#%\u279c\u276f]|\w+@\w+)|\btraceback\b|"
    r"^[ \t]*(?:[{<]|\[(?!image))|^\W{0,3}\d{4}-\d\d-\d\d|^\|",
    re.IGNORECASE | re.MULTILINE,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnContext:
    """How a turn came, and whether the agent had just worked."""

    kind: str = "typed"
    interrupted: bool = False
    acted: bool = False


def durability_signs(text: str, asked: Sequence[Clause], around: TurnContext) -> Iterator[str]:
    """The names of the signs that a turn has; ``asked`` are its clauses that ask for something in the agent's work."""
    said, wished = _read(text), _read("\n".join(clause.text for clause in asked))
    for name, pattern in SIGN_PATTERNS.items():
        if pattern.search(said):
            yield name
        if wished and pattern.search(wished):
            yield f"wish: {name}"
    held = {
        "says what to use": any(clause.polarity == "prefer" for clause in asked),
        "forbids something": any(clause.polarity == "forbid" for clause in asked),
        "is a short wish": bool(asked) and len(text) < SHORT,
        "reads like a document": reads_like_document(text),
        "was typed": around.kind not in ("queued", "rejection", "slash_args"),
        "the person stopped the agent": around.interrupted,
    }
    yield from (name for name, holds in held.items() if holds)


def reads_like_document(text: str) -> bool:
    """Whether the text reads like a paste, a log or a prompt for a machine."""
    return bool(_DOCUMENT.search(text[: 4 * WHOLE])) or text.count("\n") > LINES


def _read(text: str) -> str:
    """The part of a text that is read, in lower case: a search that ignores case takes twice as long."""
    ends = text if len(text) <= WHOLE else f"{text[: WHOLE // 2]}\n{text[-WHOLE // 2 :]}"
    return ends.replace("\u2019", "'").lower()


MARKED_ODDS = 12.0  # log odds of "rule: ...": a person who says so means it
TELLING, MOST = 0.3, 5  # a sign that weighs less, or comes later, is not worth a person's reading
PLAIN = 250  # characters; in a longer text too much else speaks for something to act on it alone
_MARKED = "is marked as a rule"


class DurabilityOdds(NamedTuple):
    """The log odds that a turn is a lasting wish, and the signs that speak for it, the weightiest first."""

    value: float
    reasons: tuple[str, ...]


def odds_of(text: str, read: Sequence[Clause], around: TurnContext) -> DurabilityOdds:
    """What the words of a turn and what stood before them say."""
    found = {name: WEIGHTS.get(name, 0.0) for name in signs_of(text, read, around)}
    if any(clause.marked for clause in read):
        found[_MARKED] = MARKED_ODDS
    telling = sorted((weight, name) for name, weight in found.items() if weight >= TELLING)
    reasons = dict.fromkeys(name.removeprefix("wish: ") for _, name in reversed(telling))
    return DurabilityOdds(BASE + sum(found.values()), tuple(reasons)[:MOST])


def signs_of(text: str, read: Sequence[Clause], around: TurnContext) -> list[str]:
    """The names of all signs that a turn has, on which the weights are trained."""
    return list(durability_signs(text, _asked(read) if durable_wishes(read) else [], around))


def is_plain_wish(text: str, read: Sequence[Clause]) -> bool:
    """Whether the turn is a wish and little else, so that it may be acted on alone where its odds are high."""
    marked = any(clause.marked for clause in read)
    return marked or (bool(durable_wishes(read)) and len(text) <= PLAIN and not reads_like_document(text))


def durable_wishes(read: Sequence[Clause]) -> list[Clause]:
    """The clauses that ask something of the agent's work, and of more than this moment."""
    return [clause for clause in _asked(read) if clause.marked or not is_momentary(clause)]


def _asked(read: Sequence[Clause]) -> list[Clause]:
    return [clause for clause in read if clause.marked or (clause.polarity != "none" and clause.addressed == "work")]


_MOMENT = re.compile(
    r"\b(?:yet|for now|(?:right|just) now|this (?:time|once|one time)|at the moment|for the moment|today|tonight)\W*$",
    re.IGNORECASE,
)


_QUESTION = re.compile(
    r"\W*(?:\w+,? )?(?:why|how come|what|who|where|when(?= (?:did|do|does|is|are|was|were|will|would|can|should)\b))\b",
    re.IGNORECASE,
)


def only_asks_why(clause: Clause) -> bool:
    """Whether the clause only asks why something was done and names nothing that is wanted instead."""
    return bool(_QUESTION.match(clause.text)) and clause.polarity != "require" and not clause.preferred


def is_momentary(clause: Clause) -> bool:
    """Whether the clause is about this moment alone: "don't commit yet"."""
    return bool(_MOMENT.search(clause.text)) and not clause.lasting
