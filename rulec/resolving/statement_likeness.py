"""How alike two statements are for a merge: what they share, what one wants and the other refuses, what each names.

`relation.relate` asks what a new wish does to a rule and is strict about every word that it adds. Two rules in force
are often the same wish in other words, so here the shared part counts more; what speaks against a merge is looked for
on its own, and one such sign is enough.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache

from rulec.language.semantics.meaning import LEAVE, meaning_of
from rulec.language.semantics.relation import Relation, overlap_of, relate, sense_weight, total_weight
from rulec.language.semantics.senses import MARKS, mark_words, sense_tokens, without_ending
from rulec.language.terms import terms
from rulec.language.words import WEIGHTLESS, telling_stems, word_table

_TELLING = 0.9  # weight of a sense from which on it may speak against a merge
_OPPOSED = 0.3  # score of a contrary from which on nothing is offered
_CONTEXT = ("WHEN", "BEFORE", "FIRST", "UNLESS", "EXCEPT")


@dataclass(frozen=True, slots=True, kw_only=True)
class Likeness:
    """How alike two statements are, and what speaks against one rule in place of both."""

    score: float = 0.0  # 0 to 1: the mean of the share of all that is said and of the shorter one that is in the other
    shared: tuple[str, ...] = ()
    against: tuple[str, ...] = ()  # what one wants and the other refuses, or what each of them names instead
    contrary: bool = False  # the words are certainly opposed
    same: bool = False  # they certainly say the same


@dataclass(frozen=True, slots=True)
class _Said:
    """A statement taken apart."""

    senses: frozenset[str]
    stems: frozenset[str]
    wanted: frozenset[str]  # words that are asked for, and never refused
    refused: frozenset[str]
    leave: str  # whether it is about the person's word
    named: frozenset[str]  # what it names exactly
    names: frozenset[str]  # the words of it that are not refused
    numbers: frozenset[str]
    order: frozenset[tuple[str, str]]  # what comes before what
    values: frozenset[str]  # words of `_EXCLUSIVE`
    places: frozenset[str]  # where things go, of a statement about that


def likeness_of(one: str, other: str) -> Likeness:
    """How alike two statements are, the same in either order."""
    mine, theirs = _read(one), _read(other)
    shared = mine.senses & theirs.senses
    score = _score(mine, theirs)
    there = relate(meaning_of(one), meaning_of(other)), relate(meaning_of(other), meaning_of(one))
    against = tuple(dict.fromkeys(_against(mine, theirs, there)))
    return Likeness(
        score=round(score, 2),
        shared=tuple(sorted(sense for sense in shared if sense_weight(sense) >= _TELLING)),
        against=against,
        contrary=any(found.kind == "contrary" and found.score >= _SURE for found in there),
        same=not against and all(found.kind == "same" and found.score >= _SURE for found in there),
    )


_SURE = 0.85  # LexSona 4.3: from here on two preferences are one, or contraries


def _score(mine: _Said, theirs: _Said) -> float:
    """By senses and by stems, whichever sees more: a word that no table knows has a stem, a synonym a sense."""
    found = overlap_of(mine.senses, theirs.senses)
    same = total_weight(found.shared) + 0.5 * total_weight(found.kin)
    left = [total_weight(alone) + 0.25 * total_weight(found.kin) for alone in (found.mine, found.theirs)]
    by_sense = _mean_share(same, *left)
    stems = mine.stems & theirs.stems
    by_stem = _mean_share(len(stems), len(mine.stems - stems), len(theirs.stems - stems))
    refused = mine.refused & theirs.refused
    named = any(name in refused or refused & set(re.findall(r"\w+", name)) for name in mine.named & theirs.named)
    return max(by_sense if same >= _LEAST else 0.0, (by_sense + by_stem) / 2, _NAMED if named else 0.0)


_NAMED = 0.6  # both refuse one thing by its exact name


_LEAST = 1.1  # weight that is shared before the senses alone tell anything


def _mean_share(same: float, mine: float, theirs: float) -> float:
    if not same:
        return 0.0
    return (same / (same + mine + theirs) + same / (same + min(mine, theirs))) / 2


@lru_cache(maxsize=8192)  # every rule is compared with its neighbours
def _read(text: str) -> _Said:
    read = said_by_clause(text)
    refused = read.side("-")
    numbers = frozenset(_NUMBER.findall(mark_words(text.lower()))) | {
        str(_COUNTS.index(word)) for word in re.findall(r"[a-z]+", text.lower()) if word in _COUNTS
    }
    return _Said(
        senses=frozenset(_senses(text)),
        stems=frozenset(telling_stems(text)),
        wanted=read.side("+", "in"),
        refused=refused,
        leave=meaning_of(text).leave,
        named=_exact_names(text),
        names=frozenset(word for word in _names(text) if word not in refused),
        numbers=numbers,
        order=frozenset(_order(text)),
        values=frozenset(word for word in re.findall(r"[a-z]+", text.lower()) if word in _EXCLUSIVE),
        places=meaning_of(text).place if _PLACED.search(text) else frozenset(),
    )


_NUMBER = re.compile(r"(?<![\w.-])\d+(?:\.\d+)?(?![\w-])")
_COUNTS = ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")


def _senses(text: str) -> Iterator[str]:
    yield from (sense for sense in sense_tokens(text) if sense not in MARKS and sense != "use")
    if meaning_of(text).leave == "ask":
        yield LEAVE


class _Polarity:
    """Which words of a statement are wanted, refused, or say where it holds.

    What is refused once stays so, whatever is said of it afterwards; what is wanted first and then refused is neither.
    """

    def __init__(self) -> None:
        self.sides: dict[str, str] = {}  # by word: "+", "-", "in", or "~" for what is neither
        self.sign, self.began, self.refused = "+", "+", False
        self.clause: list[str] = []  # what was wanted since the clause began
        self.part: list[str] = []  # or since the last "and"
        self.refusing: set[str] = set()  # all words of what refuses something, also where it does
        self.stating: set[str] = set()  # all other words
        self.using: set[str] = set()  # what it says is to be used
        self.joined = False  # whether the last token was "and", a comma or a colon
        self.uses, self.refuses = False, False  # whether the clause says so, by now

    def read(self, token: str) -> None:
        """Take the next token of `sense_tokens`."""
        match token:
            case "CUT":
                self.sign, self.clause, self.part, self.refused = "+", [], [], False
                self.uses, self.refuses = False, False
            case "AND":
                self.part, self.joined = [], True
                return
            case "NO" | "LESS" | "TURN":
                self._turn(token)
            case "OF" if self.sign == "-" and self.refused:
                self.sign = "~"  # "no floats for money": what is refused is the float
            case "REFUSED":
                self.sides |= dict.fromkeys(self.clause, "-")
                self.refusing |= set(self.clause)
                self.stating -= set(self.clause)
            case "IN":
                self.sign = "in" if self.sign == "+" else "~"
            case _ if token in _CONTEXT:
                self.sign = "~"
            case _ if token in MARKS:
                pass
            case "use" if self.joined:  # "npm is not wanted: use pnpm" begins anew
                self.read("CUT")
                self._word(token)
            case _:
                self._word(token)
        self.joined = False

    def _turn(self, mark: str) -> None:
        if mark == "TURN":
            self.sign = "-" if self.began == "+" else "+"
        elif mark == "LESS" and self.refused:
            self.sign = "+"  # "no service without a test" wants the test
        else:
            self.sign = self.began = "-"
        self.refused, self.refuses = False, self.sign == "-"

    def _word(self, token: str) -> None:
        if token in _OUTDATED:  # "moment is deprecated"
            self.sides |= dict.fromkeys(self.part, "-")
            self.refusing |= set(self.part)
            self.stating -= set(self.part)
            return
        if token == "use":  # noqa: S105 - a word of a sentence
            self.uses = self.sign == "+"
        words = [word for word in dict.fromkeys((token, *token.split("-"))) if word not in ("use", "")]
        (self.refusing if self.refuses else self.stating).update(words)
        if self.uses and self.sign == "+":
            self.using.update(words)
        for word in words:
            known = self.sides.setdefault(word, self.sign)
            if known == "+" and self.sign == "-":
                self.sides[word] = "~"  # "style it by a prop, never by inline styles"
        if self.sign == "+":
            self.clause += words
            self.part += words
        if self.sign in "+-":
            self.began, self.refused = self.sign, self.sign == "-"
            if token in _TAKES_AWAY:  # "never remove the outline" wants it, "remove it" does not
                self.sign, self.refused = "+-"[self.sign == "+"], True

    def side(self, *signs: str) -> frozenset[str]:
        """The telling words of one side."""
        return frozenset(word for word, sign in self.sides.items() if sign in signs and _tells(word))


@lru_cache(maxsize=8192)
def said_by_clause(text: str) -> _Polarity:
    """A statement read word by word: what it wants, refuses, and says is to be used."""
    read = _Polarity()
    for token in sense_tokens(text):
        read.read(token)
    return read


_TAKES_AWAY = word_table("delete remove drop disable")
_OUTDATED = word_table("deprecate deprecated obsolete outdated")


def _tells(word: str) -> bool:
    return sense_weight(word) >= _TELLING and word not in WEIGHTLESS and not word.isdigit()


_CAPITAL = re.compile(r"(?<=[a-z,] )[A-Z][A-Za-z0-9+#]*(?<!s)\b")


def _exact_names(text: str) -> frozenset[str]:
    return frozenset(one.text.lower().strip("`()") for one in terms(text) if one.kind != "flag")


def _names(text: str) -> Iterator[str]:
    """The words of exact names: code, paths, symbols, and proper names within a sentence."""
    said = [one.text for one in terms(text) if one.kind != "flag"] + _CAPITAL.findall(text)
    for name in said:
        yield from (word for word in map(without_ending, re.findall(r"[\w.*-]+", name.lower())) if len(word) > 1)


def _against(mine: _Said, theirs: _Said, there: Iterable[Relation]) -> Iterator[str]:
    """Every sign that one rule in place of both would change what one of them wants."""
    there = tuple(there)
    for found in there:
        if found.kind == "contrary" and found.score >= _OPPOSED:
            yield from found.differing or found.shared
        if "ask" in found.differing:
            yield "ask"
    agreed = all(found.kind == "same" and found.score >= _SURE for found in there)
    if not agreed and not mine.leave == theirs.leave == "ask":  # "ask before X", "no X without asking" are one wish
        yield from sorted((mine.wanted & theirs.refused) | (mine.refused & theirs.wanted))
    yield from sorted({a for a, b in mine.order if (b, a) in theirs.order})
    yield from sorted({word for word in mine.values for other in _rivals(word) & theirs.values} - theirs.values)
    if mine.places and theirs.places and not overlap_of(mine.places, theirs.places).alike():
        yield from sorted(mine.places | theirs.places)
    if mine.numbers and theirs.numbers and not mine.numbers & theirs.numbers:
        yield from sorted(mine.numbers | theirs.numbers)
    if mine.names and theirs.names and not _meet(mine.names, theirs.names):
        yield from sorted(mine.names | theirs.names)


_MARKER = re.compile(r"\b(?:before|prior to|after|once|then|followed by)\b")
_LATE = ("after", "once")  # what follows them comes sooner


def _order(text: str) -> Iterator[tuple[str, str]]:
    """Each two things of which a statement says that the first comes sooner."""
    for sentence in re.split(r"[.;!?](?:\s|$)", text.lower()):
        sooner, later = _parts_in_order(sentence)
        first, second = (
            {one for one in _senses(_FIRST.sub("", part)) if sense_weight(one) >= _ORDERED} for part in (sooner, later)
        )
        yield from ((a, b) for a in first - second for b in second - first)


def _parts_in_order(sentence: str) -> tuple[str, str]:
    """What a sentence says comes sooner, and what later; two empty texts where it says nothing of it."""
    found = _MARKER.search(sentence)
    if found is None:
        first, said, rest = sentence.partition(" first")
        return (first, rest) if said and _THEN.search(rest) else ("", "")
    here, there = sentence[: found.start()], sentence[found.end() :]
    if not here.strip():  # "before you commit, run the tests"
        there, _, here = there.partition(",")
    return (there, here) if found[0] in _LATE else (here, there)


_THEN = re.compile(r"\b(?:afterwards?|later|next)\b")
_FIRST = re.compile(r"\b(?:first|afterwards?|later|next)\b")
_ORDERED = 0.1  # weight of a sense that may come before another

# Values of which one thing has but one.
_PAIRS = ("left right", "top bottom", "upper lower", "horizontal vertical", "light dark", "ascending descending",
          "prefix suffix", "oldest newest", "singular plural", "sentence title", "allow deny")  # fmt: skip
_EXCLUSIVE = {word: frozenset(pair.split()) - {word} for pair in _PAIRS for word in pair.split()}
_PLACED = re.compile(
    r"\b(?:put|place|live|lives|belong|belongs|goes?|sit|sits|reside|resides|kept|keep|stored?|move)\b", re.IGNORECASE
)


def _rivals(word: str) -> frozenset[str]:
    return _EXCLUSIVE[word]


def _meet(one: frozenset[str], other: frozenset[str]) -> bool:
    """Whether both name one thing, be it in a longer or a shorter form."""
    return any(a in b or b in a for a in one for b in other)
