"""The licence or copyright header that new files begin with."""

import re
from collections.abc import Iterator, Sequence
from typing import Any

from rulec.fits._pair import LONGEST, MOST_INNOCENT, example_of, offences
from rulec.fits._words import conditional, globs_of, language_of, languages_said
from rulec.language import Clause
from rulec.model.candidate import Draft
from rulec.model.rule import Check, CheckKind, Example
from rulec.model.transcript import Action
from rulec.ports import Fit
from rulec.runtime.globs import match
from rulec.runtime.headers import has, noted, opening, words

_NAMED = re.compile(
    r"\b(?:licen[cs](?:e|ing)|copyright|spdx)\b[- ](?:\w+[- ]){0,2}?(?:headers?|notices?|comments?|identifiers?|lines?"
    r"|tags?|banners?|blocks?|preambles?|statements?)\b|\bSPDX\b|\b(?:lizenz|copyright)[- ]?(?:header|kopf|hinweis)\w*",
    re.IGNORECASE,
)
_WANTED = re.compile(
    r"\b(?:every|each|all|any|new|forg[eo]t|missing|needs?|must|ha(?:ve|s)|add|includ\w+|put|starts?|begins?|always"
    r"|without|lacks?|requir\w+|carr(?:y|ies)|contains?|jede\w*|neue\w*)\b",
    re.IGNORECASE,
)
_REFUSED = re.compile(
    r"\b(?:no|remov\w*|drop|strip|delet\w*|skip|updat\w*|chang\w*|replac\w*|where|why|parse\w*|fix)\b"
    r"|\b(?:do ?n[o']t|never|stop|without)\s+(?:\w+ ){0,2}?(?:add|put|includ|writ|need|want|repeat|touch|edit)\w*"
    r"(?! [^.;]*\bwithout\b)|\?\s*$",
    re.IGNORECASE,
)
_SPDX = re.compile(r"SPDX-License-Identifier:\s*[\w.+-]*\w", re.IGNORECASE)
_ENDING = re.compile(r"(?<![\w/])\*?\.(?P<ending>[a-z]{1,5})\b[`'\"]?\s+files?\b|(?<!\w)\*\.(?P<glob>[a-z]{1,5})\b")
_OF_TOOLS = re.compile(r"#!|#.*\bcoding[:=]|//go:build|// \+build")
_ANY = "SPDX-License-Identifier:"


def fit(clause: Clause, before: Sequence[Action], after: Sequence[Action]) -> Iterator[Draft]:
    """Drafts of licence-header."""
    text = clause.text
    told = _NAMED.search(text) and _WANTED.search(text) and not _REFUSED.search(text)
    if not told or conditional(clause):
        return
    kinds = _globs_said(text)
    if not before:
        yield _stated(_text_said(clause), kinds)
        return
    for wrong in offences(before):
        right = next((_accepted(wrong, action) for action in after if action.path == wrong.path), "")
        if wrong.kind == "write" and right and (bad := example_of(wrong)):
            header = _header(right)
            if header and not has(wrong.new, header):
                yield from _from_pair(header, kinds, bad, right, after)
                return


def _accepted(wrong: Action, right: Action) -> str:
    """The file as it stood afterwards, as far as the two actions show it."""
    whole = right.new if right.kind == "write" else wrong.new.replace(right.old, right.new, 1)
    return whole if right.kind in ("write", "edit") and len(whole) <= LONGEST else ""


def _header(text: str) -> str:
    """The paragraphs of the first comment that speak of the licence."""
    paragraphs: list[list[str]] = [[]]
    for line in opening(text):
        if words([line]) and not _OF_TOOLS.match(line):
            paragraphs[-1].append(line)
        else:
            paragraphs.append([])
    return " ".join(words(lines) for lines in paragraphs if noted(words(lines)))


def _from_pair(header: str, kinds: Sequence[str], bad: Example, right: str, after: Sequence[Action]) -> Iterator[Draft]:
    """The header for the files that the person named, or for all code, or for those like the one at hand."""
    language = language_of(bad.path)
    good = Example(kind="file", path=bad.path, text=right)
    others = [example for action in after if action.kind == "write" and (example := example_of(action))]
    valid = tuple(dict.fromkeys((good, *others[:MOST_INNOCENT])))
    because = "the accepted file begins with a header that the first one lacked"
    for globs in dict.fromkeys((tuple(kinds), tuple(globs_of(language)) if language else ())):
        if not globs or match(globs, bad.path):
            yield _draft(header, globs, (bad,), valid, because)


def _stated(header: str, kinds: Sequence[str]) -> Draft:
    ending = kinds[0].removeprefix("*") if kinds else ".py"
    mark = "#" if ending in (".py", ".pyi", ".rb", ".sh", ".bash") else "//"
    shown = header if header and header != _ANY else f"{_ANY} MIT"
    path = f"src/sample{ending}"
    bad = Example(kind="file", path=path, text="value = 1\n")
    good = Example(kind="file", path=path, text=f"{mark} {shown}\n\nvalue = 1\n")
    return _draft(header, kinds, (bad,), (good,), "the words say what files begin with")


def _draft(
    header: str, globs: Sequence[str], invalid: tuple[Example, ...], valid: tuple[Example, ...], because: str
) -> Draft:
    given: dict[str, Any] = {**({"text": header} if header else {}), **({"globs": list(globs)} if globs else {})}
    kinds: tuple[CheckKind, ...] = ("shell", "guard")
    checks = tuple(Check(kind=kind, template="licence-header", parameters=given) for kind in kinds)
    other = Example(kind="file", path="README.md", text="No code.\n")
    return Draft(checks=checks, invalid=invalid, valid=(*valid, other), because=because)


def _text_said(clause: Clause) -> str:
    """The header's own words: in quotes, or its SPDX line; "" for any header."""
    quoted = [term.text.strip() for term in clause.terms if term.kind == "code" and noted(term.text)]
    spdx = _SPDX.search(clause.text)
    if quoted or spdx:
        return max(quoted, key=len) if quoted else str(spdx and spdx[0])
    return _ANY if re.search(r"\bspdx\b", clause.text, re.IGNORECASE) else ""


def _globs_said(text: str) -> list[str]:
    endings = [found["ending"] or found["glob"] for found in _ENDING.finditer(text)]
    named = [f"*.{ending}" for ending in endings]
    return list(dict.fromkeys(named or [glob for language in languages_said(text) for glob in globs_of(language)]))


PLUG = Fit(name="licences", fit=fit, any_clause=True)
