"""Code in the wrong place: what the pair shows to have moved, or to have been done by other means."""

import re
from collections.abc import Iterator, Sequence

from rulec.fits._code_files import DEFINING, check, code_language
from rulec.fits._code_parts import calls, constructs, definitions
from rulec.fits._code_placed import Wish, placed
from rulec.fits._pair import added
from rulec.fits._words import pieces, stem, stems
from rulec.language import Clause
from rulec.language.terms import table
from rulec.model.candidate import Draft
from rulec.model.rule import Check
from rulec.model.transcript import Action

_WRONG_PLACE = re.compile(
    r"(?:\bout of|\bnot (?:to )?(?:be |go |live |belong |stay |put |add )*(?:in|into|to|inside|from)|"
    r"n['o]?t (?:be |go |live |belong |stay |put \w+ |add \w+ )*(?:in|into|to|inside)|"
    r"\brather than(?: in| into)?|\binstead of(?: in| into)?|\b(?:move|moved|moving|remove) [^.;]{0,60}?\bfrom)"
    r"\s+(?:the\s+|our\s+)?[`'\"@]?(?:\./)?$",
    re.IGNORECASE,
)
_BRANCHES = re.compile(
    r"\b(?:if[-/ ]?(?:and[- ]|/)?else|if[- ]statements?|ifs|switch(?:es|[- ](?:case|statement)s?)?|conditionals?|"
    r"branch(?:es|ing) on|type checks?|instanceof)\b",
    re.IGNORECASE,
)
_MEANS = re.compile(
    r"\b(?:interfaces?|polymorphi\w+|strateg(?:y|ies)|registr(?:y|ies)|dispatch\w*|abstractions?|providers?|methods?|"
    r"subclass\w*|plug-?ins?|call[- ]?sites?|generic)\b",
    re.IGNORECASE,
)
_COMPARED = re.compile(
    r"(?P<left>[\w.]+(?:\(\))?)\s*[!=]==?\s*(?P<right>[\"'`]\w|(?:\w+(?:\.|::))*[A-Z]\w*|\w+\.[A-Z]\w*)|"
    r"\b(?:switch|match)\s*\(?\s*(?P<tag>[\w.]+)"
)
_BRANCHING = ("python", "javascript", "go", "java", "ruby", "php", "rust")
_CONSTRUCTING = ("go", "javascript", "java", "php")
_USE_PLAIN = re.compile(
    r"\b(?:just|simply|directly|plain|only) (?:use|call)\b|\buse \S+ directly\b|\bwhy\b", re.IGNORECASE
)
_USUAL = table("string strings error errors context value values data type types name names code file files main test")


def fit(clause: Clause, before: Sequence[Action], after: Sequence[Action]) -> Iterator[Draft]:
    """Drafts of forbid-construct, forbid-call, forbid-definition, forbid-branching and forbid-text from the pair."""
    if clause.addressed == "product":
        return
    yield from _misplaced(clause, before, after)
    yield from _branching(clause, before, after)
    yield from _wrapped(clause, before, after)


def _misplaced(clause: Clause, before: Sequence[Action], after: Sequence[Action]) -> Iterator[Draft]:
    """What a file is not to hold: it was put there, and the accepted change put the same into another file."""
    for wrong in wrong_places(clause):
        for action in before:
            if action.path.rpartition("/")[2] != wrong.rpartition("/")[2] or not action.path.endswith(wrong):
                continue
            elsewhere = "\n".join(added(other) for other in after if other.path != action.path)
            for checks, sign in _signs(clause, action, elsewhere):
                because = f"{wrong} is named as the wrong place"
                wish = Wish(checks=checks, sign=sign, because=because, include=(action.path,))
                yield from placed(wish, before, after)


def wrong_places(clause: Clause) -> list[str]:
    """The files that the words name as those where something is not to be."""
    found = []
    for term in clause.terms:
        name = term.text.lstrip("@./")
        at = clause.text.find(name)
        if term.kind == "path" and at > 0 and not name.endswith("/") and _WRONG_PLACE.search(clause.text[:at]):
            found.append(name)
    return found


def _signs(clause: Clause, action: Action, elsewhere: str) -> Iterator[tuple[tuple[Check, ...], re.Pattern[str]]]:
    """The checks on what moved, and the pattern by which a text shows it."""
    text, said = added(action), stems(clause.text)
    language = code_language(action.path, _CONSTRUCTING)
    for name, fields in constructs(text, language).items():
        if name in constructs(elsewhere, language) and {stem(piece) for piece in pieces(name)} & said:
            others = sorted(fields)[1:] and [field for field in fields if field != next(iter(fields))]
            given = {"fields": "|".join(_root(field) for field in others)} if language == "go" and others else {}
            yield (
                (check("forbid-construct", language, types=[name], **given),),
                re.compile(rf"\b{re.escape(name)}\b\s*[({{]"),
            )
    names = [name for name in definitions(text) if name.lower() in clause.text.lower()]
    language = code_language(action.path, DEFINING)
    if names and language:
        moved = [name for name in calls(text) if "." in name and name in calls(elsewhere) and _akin(name, clause)]
        own = check("forbid-definition", language, names=rf"{re.escape(names[0])}$")
        sign = re.compile(rf"\b(?:def|func|function|fn|const|let|var)\b[^\n(=]*\b{re.escape(names[0])}\b")
        if moved:
            yield (own, check("forbid-call", language, functions=moved[:2])), sign
        yield (own,), sign


def _root(field: str) -> str:
    """The field without a last capital, which tells two of a kind apart: "RunE" and "Run"."""
    return re.escape(re.sub(r"(?<=[a-z])[A-Z]$", "", field))


def _akin(call: str, clause: Clause) -> bool:
    """Whether the place that the words give instead is called like what was called."""
    named = {piece for term in clause.terms for piece in pieces(term.text)} - _USUAL
    return any(len(piece) > 3 and piece in call.lower() for piece in named)


def _branching(clause: Clause, before: Sequence[Action], after: Sequence[Action]) -> Iterator[Draft]:
    """A phrase like "no if-else on the provider": comparisons of what the words name decide nothing any more."""
    if not (_BRANCHES.search(clause.text) and _MEANS.search(clause.text)):
        return
    said = stems(clause.text)
    for action in before:
        language = code_language(action.path, _BRANCHING)
        subjects = [word for word in _compared(added(action)) if stem(word) in said and word not in _USUAL]
        if not language or not subjects:
            continue
        sign = re.compile(
            rf"(?i)(?:==|!=|\bswitch\b|\bmatch\b|\bcase\b)[^\n]*{subjects[0]}|{subjects[0]}[\w.()]*\s*[!=]==?"
        )
        checks = (check("forbid-branching", language, subjects=subjects[:1]),)
        own = (f"{subjects[0]}/", f"{subjects[0]}s/")
        yield from placed(
            Wish(checks=checks, sign=sign, because=f"{subjects[0]} decided what was done", spared=own), before, after
        )


def _compared(text: str) -> list[str]:
    words = [
        piece
        for match in _COMPARED.finditer(text)
        for side in match.group("left", "right", "tag")
        for piece in pieces(side or "")
    ]
    return [word for word in dict.fromkeys(words) if word.isalpha() and len(word) > 3]


def _wrapped(clause: Clause, before: Sequence[Action], after: Sequence[Action]) -> Iterator[Draft]:
    """A phrase like "drop priceCache(), simply call lru.New": no function of one's own around what is there."""
    if not _USE_PLAIN.search(clause.text):
        return
    for action in before:
        language = code_language(action.path, DEFINING)
        for name, returned in definitions(added(action)).items() if language else ():
            kind = (re.findall(r"[A-Z]?[a-z]+", name) or [""])[-1]
            if name not in clause.text or len(kind) < 4 or stem(kind) in _USUAL:
                continue
            type_name = re.split(r"\W+", returned.strip(") "))[-1]
            given = {"returns": rf"\W*(?:\w+[.])*{type_name}$"} if type_name.lower().endswith(kind.lower()) else {}
            own = rf"(?:\w+_)?{kind.lower()}$|\w*{kind.capitalize()}$"
            sign = re.compile(rf"\b(?:def|func|function|fn|const)\b[^\n=]*(?i:{kind})\s*(?:\(|=)")
            checks = (check("forbid-definition", language, names=own, **given),)
            spared = (
                f"{kind.lower()}/",
                f"{kind.lower()}.*",
                *(("log/", "logging/") if kind.lower() == "logger" else ()),
            )
            yield from placed(
                Wish(checks=checks, sign=sign, because=f"{name}() is named", spared=spared), before, after
            )
