"""The signs by which a turn is likely to hold for next time too, each with its weight."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from rulec.mining.turn_weights import BASE, WEIGHTS
from rulec.sentences.literals import is_marked
from rulec.sentences.names import Names
from rulec.sentences.reading import read_sentence
from rulec.sentences.splitting import split_sentences

MOST_READ = 6_000  # characters of a turn that are read; wishes stand at its head or tail
WHOLE = 700  # characters in which signs are looked for; of a longer turn, its head and its tail
SHORT, LINES = 300, 12
PLAIN = 250  # characters; in a longer text too much else speaks for something to act on it alone
MARKED_ODDS = 12.0  # log odds of "rule: ...": a person who says so means it
TELLING, MOST = 0.3, 5  # a sign that weighs less, or comes later, is not worth a person's reading
LONGEST_NOTE = 300  # a longer text behind "# " is a document with a heading

# Of a turn that holds one, a person reads the name.
_REFUSES = re.compile(
    r"\b(?:don'?t|do not|never|avoid|stop|no longer|must ?n[o']t|must not|should ?n'?t|should not|not allowed)\b"
    r"|(?:^|[.!?]\s+)no (?!problem|idea|worries|need|way|thanks)\w+"
)
_SIGNS = {
    "makes a general rule": re.compile(
        r"\b(?:from (?:now|here) on|going forward|as a (?:general )?rule|in (?:the )?future|always|never|"
        r"every ?time|each time|ever|whenever|next time|at all times|no exceptions?)\b"
    ),
    "forbids something": _REFUSES,
    "says what to use": re.compile(r"\b(?:instead|rather than|prefer|use|not the)\b|, not\b"),
    "makes sure": re.compile(r"\b(?:make sure|be sure|ensure|forget to|remember to|needs? to also|also needs?)\b"),
    "asks for an order of work": re.compile(
        r"\bfirst\W*$|\bbefore (?:you|making|any|we|committing|pushing|\w+ing)\b|\bafter (?:each|every)\b|"
        r"\bas you go\b|\bone (?:at a time|by one)\b|\bonce (?:you|each|every)\b"
    ),
    "says please": re.compile(r"\b(?:please|pls|plz)\b"),
    "only asks": re.compile(
        r"^(?!.*\b(?:can|could|why|should(?:n'?t)?|shall|did|didn'?t|don'?t|use|aren'?t|isn'?t)\b).*\?\s*$", re.DOTALL
    ),
    "says what the agent must or may": re.compile(
        r"\byou (?:must|should|need|have to|can|are to|shouldn'?t|don'?t|can'?t|may|will)\b"
    ),
}
_WISH = ("makes a general rule", "forbids something", "says what to use", "makes sure", "asks for an order of work")
# A paste, a log, or a prompt written for a machine: rules may stand in it, but nobody lays them down here and now.
_DOCUMENT = re.compile(
    r"\A\W*you are (?:a|an|the|helping|now|in)\b|```|^[ \t]*(?:[$>#%\u279c\u276f]|\w+@\w+)|\btraceback\b|"
    r"^[ \t]*(?:[{<]|\[(?!image))|^\W{0,3}\d{4}-\d\d-\d\d|^\|",
    re.IGNORECASE | re.MULTILINE,
)
_MOMENT = re.compile(
    r"\b(?:yet|for now|(?:right|just) now|this (?:time|once|one time)|at the moment|for the moment|today|tonight)\W*$",
    re.IGNORECASE,
)
_ASKS_WHY = re.compile(r"\W*(?:\w+,? )?(?:why|how come|what|who|where|when)\b.*\?", re.IGNORECASE | re.DOTALL)
_MARK = re.compile(r"^\s*(?:CORRECT\[(?P<slug>[A-Za-z0-9_-]{1,60})\]\s*:|rule\s*:|#\s(?=\S))\s*", re.IGNORECASE)


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnContext:
    """How a turn came, and whether the agent had just worked."""

    kind: str = "typed"
    interrupted: bool = False
    acted: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnWords:
    """What a person's turn says: its sentences, those that ask for something, and whether they mark it as a rule."""

    text: str  # without the mark
    sentences: tuple[str, ...]
    wishes: tuple[str, ...]
    marked: bool = False
    slug: str = ""  # of CORRECT[slug]: ...

    @property
    def is_plain(self) -> bool:
        """Whether the turn is a wish and little else, so that it may be acted on alone where its odds are high."""
        return self.marked or (bool(self.wishes) and len(self.text) <= PLAIN and not reads_like_document(self.text))

    @property
    def is_certain(self) -> bool:
        """Whether a sentence of it says something in a form that nobody can mistake."""
        return len(self.text) <= SHORT and any(read_sentence(wish, Names()) for wish in self.wishes)

    @property
    def refuses(self) -> bool:
        """Whether one of its wishes forbids something."""
        return any(_REFUSES.search(_lower(wish)) for wish in self.wishes)

    @property
    def only_asks_why(self) -> bool:
        """Whether all that it asks for is why something was done."""
        return bool(self.wishes) and all(map(_ASKS_WHY.match, self.wishes))


def read_turn(text: str) -> TurnWords:
    """A turn in its sentences; what a person marks as a rule is a wish whatever its words are."""
    mark = _MARK.match(text)
    marked = bool(mark) and (is_marked(text) and (text.lstrip()[0] != "#" or _is_note(text)))
    slug = (mark["slug"] or "").lower().replace("_", "-") if mark and marked else ""
    own = text[mark.end() :].partition("\n>")[0] if mark and marked else text
    own = own if own.strip() else text
    if len(own) > MOST_READ:
        own = f"{own[: MOST_READ // 2]}\n{own[-MOST_READ // 2 :]}"
    sentences = tuple(split_sentences(own))
    wishes = sentences if marked else tuple(one for one in sentences if _asks(one))
    return TurnWords(text=own, sentences=sentences, wishes=wishes, marked=marked, slug=slug)


def _is_note(text: str) -> bool:
    return "\n" not in text.strip() and len(text) <= LONGEST_NOTE


def _asks(sentence: str) -> bool:
    """Whether a sentence asks for something, and for more than this moment."""
    plain = _lower(sentence)
    return any(_SIGNS[name].search(plain) for name in _WISH) and not _MOMENT.search(plain)


def signs_of(said: TurnWords, around: TurnContext) -> list[str]:
    """The names of all signs that a turn has, on which the weights are trained."""
    return list(_signs(said, around))


def _signs(said: TurnWords, around: TurnContext) -> Iterator[str]:
    lasting = _both_ends(one for one in said.sentences if not _MOMENT.search(_lower(one)))
    wished = _both_ends(said.wishes)
    for name, pattern in _SIGNS.items():
        if pattern.search(lasting):
            yield name
        if wished and pattern.search(wished):
            yield f"wish: {name}"
    held = {
        "is a short wish": bool(said.wishes) and len(said.text) < SHORT,
        "begins with what it forbids": any(_REFUSES.match(_lower(wish)) for wish in said.wishes),
        "reads like a document": reads_like_document(said.text),
        "was typed": around.kind not in ("queued", "rejection", "slash_args"),
        "the person stopped the agent": around.interrupted,
    }
    yield from (name for name, holds in held.items() if holds)


def _both_ends(sentences: Iterable[str]) -> str:
    """The sentences in lower case, of many the first and the last."""
    text = _lower("\n".join(sentences))
    return text if len(text) <= WHOLE else f"{text[: WHOLE // 2]}\n{text[-WHOLE // 2 :]}"


def odds_of(said: TurnWords, around: TurnContext) -> tuple[float, tuple[str, ...]]:
    """The log odds that a turn is a lasting wish, and the signs that speak for it, the weightiest first."""
    found = {name: WEIGHTS.get(name, 0.0) for name in _signs(said, around)}
    if said.marked:
        found["is marked as a rule"] = MARKED_ODDS
    telling = sorted(((weight, name) for name, weight in found.items() if weight >= TELLING), reverse=True)
    reasons = dict.fromkeys(name.removeprefix("wish: ") for _, name in telling)
    return BASE + sum(found.values()), tuple(reasons)[:MOST]


def reads_like_document(text: str) -> bool:
    """Whether the text reads like a paste, a log or a prompt for a machine."""
    return bool(_DOCUMENT.search(text[: 4 * WHOLE])) or text.count("\n") > LINES


def quoted_wish(said: TurnWords, turn: str, most: int) -> str:
    """The stretch of a turn, word for word, that carries its wishes."""
    carrying: Sequence[str] = said.wishes or said.sentences
    if not carrying:
        return turn.strip()[:most]
    start = turn.find(carrying[0])
    end = turn.find(carrying[-1], start) + len(carrying[-1])
    if 0 <= start < end <= start + most:
        return turn[start:end]
    return max(carrying, key=lambda one: (bool(_SIGNS["makes a general rule"].search(_lower(one))), -len(one)))[:most]


def _lower(text: str) -> str:
    return text.replace("\u2019", "'").lower()
