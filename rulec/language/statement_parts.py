"""A statement in parts: its wishes and conditions, the concrete things it names, and the side each word is on."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Literal

from rulec.domain.files import languages
from rulec.domain.rule import Example, Rule
from rulec.language.words import (
    ABBREVIATIONS,
    CONDITIONAL,
    EXCEPTING,
    FORBIDDEN,
    FORBIDDING,
    PLACING,
    REPLACING,
    TIMING,
    WEIGHTLESS,
    any_of,
    telling_stems,
)

_HIDDEN = "\ue000"  # stands for each letter of what is quoted: no word within it splits a sentence
_MARKUP = re.compile(r"(?<![\w/*.])(\*\*|__|\*)([^*_\s/.](?:[^*\n]*[^*\s/])?)\1(?![\w/*.])")
_QUOTED = re.compile(r"``[^`\n]+``|`[^`\n]+`|[\"“„][^\"“”„\n]{1,80}[\"”“]")

# Behind these words stands a reason, up to the end of its sentence, or of its brackets.
_REASON = re.compile(
    r"(?i)[,;:]?\s*\b(?:because|since (?:it|they|we|others|the|that|this|our|my)|so that|so (?:it|they|we|you|that)|"
    r"otherwise|or else|which is why|as (?:it|they|that|this)|for the sake of)\b"
    r"(?:(?![.!?](?:\s|$)|[;)\n]|,\s+(?:unless|except|only|and|but)\b).)*"
)
_WISHES = r"(?:never|always|please|don['\u2019]t|do not)"
_ASIDE = re.compile(  # what neither asks for more nor bounds what is asked
    rf"(?i),?\s*\bnot even\b[^,;.()\n]*|\((?!\s*(?:and|also|but|no|not|only|unless|except|if|when|{_WISHES})\b)[^()]*\)"
)
_AND = r"(?:and then|and also|as well as|but also)"
_NEXT = re.compile(  # where one wish ends and the next begins
    "(?i)"
    + "|".join(
        (
            r"(?<=[.!?])\s+(?=\S)",
            r"\s*;\s+|\s*\n\s*|\s+[\u2014\u2013-]\s+|\s*[()]\s*",
            rf",?\s+{_AND}\s+",
            rf",?\s+(?:and|but|then)\s+(?={_WISHES}\b)",
            r",\s+(?:and|but|then)\s+(?=[^\s,;.!?]+\s+[^\s,;.!?]+)",  # with a comma two words make a wish
            r"\s+(?:and|but)\s+(?=(?:[^\s;.!?]+\s+){2})",
            rf",\s+(?=(?:{_WISHES}|also|we|they|make sure|keep|leave|tell|ask|mention|no)\b)",
        )
    )
)
_EVEN = re.compile(r"(?i)\b(?:even|not|based|depends?|relys?|rely|relies|settled?|insists?|log|check|sign)\s+\Z")
_AGAIN = r"\s+(?:(?:we|you)\s+)?(?:never|always|don['\u2019]t|do not|must|should|please|use|run|no)\b"
_WHEN = any_of(EXCEPTING, CONDITIONAL, TIMING, ("without",))
_WHERE = rf"(?:{any_of(PLACING)})(?!\s+\d)"  # "under 60 characters" is a measure
_ONLY = r"(?<=only )(?:for|by|through|via|with|to)"
_CONDITION = re.compile(rf"(?i)(?<![\w-])(?:(?:only|except)\s+)?\b({_WHEN}|{_WHERE}|{_ONLY})\s+")
_END = re.compile(rf"(?i)[,;:()]|{_AGAIN}|\s+(?:(?:(?:only|except)\s+)?(?:{_WHEN})|in|on)\s|[.!?](?:\s|$)")
# A clause that goes on about what was said, and asks for nothing.
_ABOUT = re.compile(
    r"(?i)(?:it|they|this|that|these|those|which|there (?:is|are))\b"
    r"(?!.*\b(?:must|should|shall|has to|have to|needs? to)\b)"
)


@dataclass(frozen=True, slots=True)
class StatementPart:
    """A wish of a statement, or a condition of the wish before or behind it."""

    kind: Literal["wish", "condition"]
    text: str
    of: int = 0  # the number of the clause that it stands in
    whole: str = ""  # that clause
    span: tuple[int, int] = (0, 0)  # where that clause stands
    marker: str = ""  # the word that makes a condition of it


def without_markup(statement: str) -> str:
    """A statement without its markup."""
    return _MARKUP.sub(r"\2", statement)


def split_statement(statement: str) -> tuple[StatementPart, ...]:
    """The wishes and conditions of a statement; what only gives a reason or an aside is left away."""
    text = without_markup(statement)
    hidden = _QUOTED.sub(lambda found: _HIDDEN * len(found.group()), text)
    for pattern in (_REASON, _ASIDE):
        for one in pattern.finditer(hidden):
            blank = " " * (one.end() - one.start())
            text = text[: one.start()] + blank + text[one.end() :]
            hidden = hidden[: one.start()] + blank + hidden[one.end() :]
    found: list[StatementPart] = []
    start = number = 0
    for end, after in [*((one.start(), one.end()) for one in _NEXT.finditer(hidden)), (len(text), len(text))]:
        own = list(_clause(text, hidden, start, end, number))
        start = max(start, after)
        if own and not (number and own[0].kind == "wish" and _ABOUT.match(own[0].text)):
            found += own
            number += any(part.kind == "wish" for part in own)  # a condition before its wish is of its clause
    return tuple(found)


def _clause(text: str, hidden: str, start: int, end: int, number: int) -> Iterator[StatementPart]:
    """The wish of one clause without its conditions, then these."""
    bounds = list(_conditions(text, hidden, start, end))
    rest, last = "", start
    for first, upto, _ in bounds:
        rest, last = f"{rest} {text[last:first]}", upto
    whole, wish = _trimmed(text[start:end]), _trimmed(f"{rest} {text[last:end]}")
    if number and bounds and re.search(r"\w", wish) and not telling_stems(wish):
        wish = whole  # it asks for something in words that say nothing by themselves
    if re.search(r"\w", wish):
        yield StatementPart("wish", wish, number, whole, (start, end))
    for first, upto, marker in bounds:
        yield StatementPart("condition", _trimmed(text[first:upto]), number, whole, (start, end), marker)


def _conditions(text: str, hidden: str, start: int, end: int) -> Iterator[tuple[int, int, str]]:
    """Where the conditions of a clause begin and end, and the words that make them."""
    at = start
    while found := _CONDITION.search(hidden, at, end):
        at = found.end()
        if _EVEN.search(hidden, max(start, found.start() - 20), found.start()):
            continue
        stop = _END.search(hidden, at, end)
        upto = stop.start() if stop else end
        if telling_stems(text[at:upto]):
            yield found.start(), upto, found.group(1).lower()
        at = max(at, upto)


def _trimmed(text: str) -> str:
    """A piece of a sentence without what joins it to the rest."""
    return re.sub(r"(?i)^(?:and|but|then|also)\s+", "", " ".join(text.split()).strip(" ,.;:!?-()"))


ThingKind = Literal["code", "quoted", "path", "flag", "number", "name", "extension", "language", "member"]


@dataclass(frozen=True, slots=True)
class NamedThing:
    """One concrete thing that a statement names, and its position."""

    kind: ThingKind
    text: str
    start: int = field(default=0, compare=False)


_FORMS: tuple[tuple[ThingKind, "re.Pattern[str]"], ...] = (  # what one takes, the later ones do not see
    ("code", re.compile(r"``([^`\n]+)``|`([^`\n]+)`")),
    ("quoted", re.compile(r"[\"“„]([^\"“”„\n]{1,80})[\"”“]|(?<!\w)['\u2018]([^'\u2018\u2019\n]{1,80})['\u2019](?!\w)")),
    ("path", re.compile(r"(?<![\w:/])((?:https?://\S+)|(?:~?[\w.*{}@$-]*/)+[\w.*{}@-]*|[\w./-]*\*[\w./*-]+)")),
    ("flag", re.compile(r"(?<![\w-])(--?[A-Za-z][\w-]*(?:=[^\s,;)]+)?)")),
    ("number", re.compile(r"(?<![\w.-])(\d+(?:\.\d+)*)(?![\w-])")),
    ("name", re.compile(r"(?<![\w.])([\w-]+(?:\.[\w-]+)+(?:\(\))?)(?!\w)")),
    ("extension", re.compile(r"(?<![\w./])(\.[A-Za-z][\w-]{0,15})\b")),
    ("name", re.compile(r"(?<![\w@$])([@$][A-Za-z_]\w*|\w+\(\)|_*[A-Za-z][A-Za-z0-9]*_\w+|__?[A-Za-z]\w*)")),
    ("name", re.compile(r"\b([a-z][a-z0-9]*[A-Z]\w*|[A-Z][a-z0-9]+[A-Z]\w*)\b")),
)
_NO_PATH = re.compile(r"(?i)(?:and/or|he/she|his/her|s/he|yes/no|n/a|w/o|[A-Z]{2,3}/[A-Z]{2,3}|/|\d+/\d+)\Z")
_NO_NAME = re.compile(rf"(?i)(?:{any_of(ABBREVIATIONS)}|a\.k\.a|p\.s|[a-z]\.[a-z])\.?\Z")


# What people call a language, where it can be nothing else: "in Go", "Java code".
_LANGUAGES = "|".join(map(re.escape, sorted({*languages.SUFFIXES, *languages.SPOKEN_NAMES}, key=len, reverse=True)))
_LANGUAGE = re.compile(
    rf"(?i)(?<![\w.-])(?:(?<=\bin )(?P<a>{_LANGUAGES})(?!\w|[.-]\w)|"
    rf"(?P<b>{_LANGUAGES})(?= (?:code|files?|modules?|sources?|scripts?|tests?)\b))"
)
# Members of a list: words up to where the sentence ends or goes on about something else.
_WORD = r"(?:``[^`\n]+``|`[^`\n]+`|[\w@./*-]*[\w/*])"
_STOP = (
    r"(?=\s*(?:[,;:.!?)\u2013\u2014]|$|\s(?:in|on|for|to|at|when|if|unless|here|directly|anywhere|ever|instead|please|"
    r"because|with|by|and|or|nor)\b))"
)
_BEHIND = re.compile(
    rf"(?i)\s*,?\s+(?:or|nor)\s+(?P<or>{_WORD}(?:\s+{_WORD}){{0,2}}?){_STOP}|\s*,?\s+and\s+(?P<and>{_WORD}){_STOP}|"
    rf"\s*,\s+(?P<comma>{_WORD})(?=\s*,|,?\s+(?:or|nor|and)\s)"
)
_AHEAD = re.compile(rf"(?P<word>{_WORD})(?:\s*,\s*|\s*,?\s+(?:or|nor|and)\s+)$", re.IGNORECASE)


def literals_of(statement: str) -> tuple[NamedThing, ...]:
    """Every concrete thing that a statement names, once, in its order: code, quotes, paths, flags, numbers, names."""
    text = without_markup(statement)
    found: dict[tuple[int, str], NamedThing] = {}
    for kind, pattern in _FORMS:
        for one in pattern.finditer(text):
            word = next(group for group in one.groups() if group is not None)
            word = word.strip() if kind in ("code", "quoted") else word.rstrip(".,:;!?" + ")" * ("(" not in word))
            if word and _is_concrete(kind, word, text, one.start()):
                found[one.start(), word] = NamedThing(kind, word, one.start())
                text = text[: one.start()] + " " * (one.end() - one.start()) + text[one.end() :]
    for one in _LANGUAGE.finditer(text):
        word = one["a"] or one["b"]
        found[one.start(), word] = NamedThing("language", word, one.start())
    return tuple(dict.fromkeys(found[key] for key in sorted(found)))


def members_of(statement: str, known: Iterable[str]) -> Iterator[NamedThing]:
    """The other members of a list with a named thing: yarn and bun of "npm, yarn or bun"."""
    text = without_markup(statement)
    names = {one.strip("`").lower() for one in known}
    for word in sorted(filter(None, names), key=len, reverse=True):
        for one in re.finditer(rf"(?<![\w`.-])`*{re.escape(word)}`*(?![\w-])", text, re.IGNORECASE):
            for start, end in (*_listed_behind(text, one.end()), *_listed_ahead(text, one.start())):
                said = text[start:end].strip("`")
                if said.lower() not in names and not WEIGHTLESS & set(said.lower().split()):
                    yield NamedThing("member", said, start)


def _listed_behind(text: str, at: int) -> Iterator[tuple[int, int]]:
    spans: list[tuple[int, int]] = []
    closed = False
    while found := _BEHIND.match(text, at):
        name = next(key for key, value in found.groupdict().items() if value)
        spans.append(found.span(name))
        closed, at = closed or name != "comma", found.end(name)
    if closed:
        yield from spans


def _listed_ahead(text: str, at: int) -> Iterator[tuple[int, int]]:
    """Those before it; commas alone may join clauses, so that its last two must be joined by a word."""
    joined = re.search(r"\b(?:or|nor|and)\s+$", text[:at]) is not None or re.match(
        rf"\s*,?\s+(?:or|nor|and)\s|\s*,\s+{_WORD}\s*,?\s+(?:or|nor|and)\s", text[at:]
    )
    while joined and (found := _AHEAD.search(text, 0, at)):
        yield found.span("word")
        at = found.start("word")


def _is_concrete(kind: ThingKind, word: str, text: str, start: int) -> bool:
    """Whether what looks like a concrete thing is one: not "and/or", "e.g." or the number of a list's entry."""
    if kind == "path":
        return not _NO_PATH.match(word) and bool(re.search(r"\w", word))
    if kind == "name":
        return not _NO_NAME.match(word)
    if kind == "number":
        line = text[text.rfind("\n", 0, start) + 1 : start]
        return bool(line.strip()) or not re.match(r"\d+[.)]\s", text[start:])
    return True


Side = Literal["wanted", "forbidden", ""]
_CUE = re.compile(
    rf"(?i)(?P<no>\b(?:{any_of(FORBIDDING, REPLACING, ('without',))})\b|\w+n['\u2019]t\b)"
    r"|(?P<yes>\b(?:always|use|prefer|only|just|instead|but)\b)|(?P<end>[.!?](?=\s|$)|[;\n])"
)
_BANNED = re.compile(rf"(?i)\b(?:{any_of(FORBIDDEN)}|not allowed|off limits|frozen|deprecated)\b")
_BOUNDED = re.compile(r"(?i)\b(?:unless|without|except|if|when)\b")  # such a sentence has more than two sides
_PHRASE = re.compile(
    r"(?i)[,;:.!?()](?:\s|$)|\s+(?:for|to|in|on|when|if|and|or|here|instead|directly|please|with|as)\b"
)
_LEAD = re.compile(r"(?i)\s*(?:(?:the|a|an|use|run|call|ever|of|plain)\s+)*")
_MOST = 3  # words of what is named without quotes


def sides_of(statement: str) -> list[tuple[Side, int, int]]:
    """The spans of a statement with their sides, in order; words before the first cue have none."""
    spans: list[tuple[Side, int, int]] = []
    side: Side = ""
    start = 0
    for cue in _CUE.finditer(statement):
        again = cue["yes"] and cue["yes"].lower() in ("use", "only", "just") and side == "forbidden"
        if again and not re.search(r"[,:\u2013\u2014]|\binstead\b", statement[start : cue.start()]):
            continue  # never use, do not just
        spans.append((side, start, cue.start()))
        side = "forbidden" if cue["no"] else "wanted" if cue["yes"] else ""
        start = cue.end()
    spans.append((side, start, len(statement)))
    return spans


def side_of(statement: str, at: int) -> Side:
    """The side of a span; in a sentence that forbids nothing everything is wanted."""
    if not _CUE.search(statement) and not _BANNED.search(statement):
        return "wanted"
    found: Side = next((side for side, start, end in sides_of(statement) if start <= at < end), "")
    if not found and not _BANNED.search(statement):
        return "wanted"
    return found


def _phrases(statement: str, wanted: Side) -> Iterator[tuple[str, ...]]:
    """The first words of one side, as they would be typed."""
    for side, start, end in sides_of(statement):
        text = statement[_LEAD.match(statement, start).end() : end]  # type: ignore[union-attr]  # it matches the empty text, too
        code = re.match(r"`([^`]+)`", text)
        said = _words_typed_in(code[1] if code else _PHRASE.split(text, maxsplit=1)[0])
        opens = not side and wanted == "wanted" and statement[end : end + 3].lower() in ("not", "nev")
        if (side == wanted or opens) and said and (code or len(said) <= _MOST):
            yield said


def examples_contradict(rule: Rule) -> str:
    """Why the examples contradict the statement, in a line; "" where that is not clear."""
    statement = without_markup(rule.statement)
    if _BOUNDED.search(statement) or _BANNED.search(statement):
        return ""
    wanted, forbidden = ([*_phrases(statement, side)] for side in ("wanted", "forbidden"))
    forbidden = [said for said in forbidden if said not in wanted]
    invalid, valid = (list(filter(None, map(_typed_words, side))) for side in (rule.invalid, rule.valid))
    if not forbidden or any(_holds_words(words, said) for words in invalid for said in forbidden):
        return ""
    known = any(_holds_words(words, said) for words in valid for said in forbidden)
    for said in wanted:
        caught = [words for words in invalid if (_holds_words(words, said) if known else words[: len(said)] == said)]
        if caught and not any(_holds_words(words, said) for words in valid):
            asked, shown = " ".join(said), " ".join(caught[0])[:60]
            return f"the statement asks for {asked!r}, and the invalid example {shown!r} says that it is wrong"
    return ""


def _typed_words(example: Example) -> tuple[str, ...]:
    """The words of what an example does."""
    return _words_typed_in((example.steps[-1] if example.steps else example).text)


def _words_typed_in(text: str) -> tuple[str, ...]:
    return tuple(re.findall(r"[\w.@/:=-]+", text.lower()))


def _holds_words(words: tuple[str, ...], said: tuple[str, ...]) -> bool:
    return any(words[at : at + len(said)] == said for at in range(len(words)))
