"""Lines that files have to begin with, or to hold somewhere."""

import re
from collections.abc import Iterator, Sequence

from rulec.fits._pair import example_of
from rulec.fits._words import LANGUAGES, conditional, kin, language_of, languages_said
from rulec.language import Clause
from rulec.model.candidate import Draft
from rulec.model.rule import Check, CheckKind, Example
from rulec.model.transcript import Action
from rulec.ports import Fit

_SAID = re.compile(
    r"\b(?:headers?|shebang|use strict|starts? with|begins? with|at the top|first line)\b", re.IGNORECASE
)
_LICENCE = re.compile(r"\b(?:licen[cs]es?|copyright|spdx)\b", re.IGNORECASE)
_HOLDS = re.compile(r"\b(?:contains?|includes?|has|have|holds?|carr(?:y|ies))\b", re.IGNORECASE)
_EVERY = re.compile(r"^(?:every|each|all|any)\s+(?P<kind>.+?)\s+files?\b", re.IGNORECASE)
_YEAR = re.compile(r"\b(?:19|20)\d\d\b")
_ENDINGS = {"javascript": ("js", "jsx", "mjs", "ts", "tsx"), "python": ("py",), "c": ("c", "h"), "bash": ("sh",)}
_TOP = 10  # lines that count as the top
_ALL = ("py", "js", "jsx", "ts", "tsx", "go", "java", "rb", "php", "rs", "c", "h", "cpp", "sh")


def fit(clause: Clause, before: Sequence[Action], after: Sequence[Action]) -> Iterator[Draft]:
    """Drafts of require-text."""
    if clause.polarity not in ("require", "prefer") or conditional(clause) or _of_licences(clause, before):
        return
    if not before:
        yield from _stated(clause)
    if not _SAID.search(clause.text):
        return
    for wrong in before:
        right = next((a for a in after if a.path == wrong.path and a.kind in ("write", "edit")), None)
        if wrong.kind == "write" and wrong.path and right is not None:
            yield from _from_pair(wrong, right)


def _of_licences(clause: Clause, before: Sequence[Action]) -> bool:
    """Whether the fit licences reads the clause: all of this kind but a line that is quoted."""
    return bool(_LICENCE.search(clause.text)) and (bool(before) or not _line_said(clause))


def _from_pair(wrong: Action, right: Action) -> Iterator[Draft]:
    """The first line that the accepted content has and the corrected one had not."""
    whole = right.new if right.kind == "write" else wrong.new.replace(right.old, right.new, 1)
    line = next((line for line in whole.splitlines()[:_TOP] if line.strip()), "")
    language = language_of(wrong.path)
    good = Example(kind="file", path=wrong.path, text=whole)
    bad = example_of(wrong)
    if not line or line in wrong.new or not language or bad is None:
        return
    endings = _ENDINGS.get(kin(language)[0], (wrong.path.rpartition(".")[2],))
    yield _draft(
        line.strip(), endings, (bad,), (good,), "the accepted file begins with a line that the first one lacked"
    )


def _stated(clause: Clause) -> Iterator[Draft]:
    endings, line = _endings_said(clause), _line_said(clause)
    at_top = bool(_SAID.search(clause.text))
    if not endings or not line or not (at_top or _HOLDS.search(clause.text)):
        return
    path = f"src/sample.{endings[0]}"
    marked = line if not re.match(r"[\w\s]+$", line) or not at_top else f"{_MARKS.get(endings[0], '//')} {line}"
    bad = Example(kind="file", path=path, text="value = 1\n")
    good = Example(kind="file", path=path, text=f"{marked}\n\nvalue = 1\n")
    yield _draft(line, endings, (bad,), (good,), "the statement quotes the line", within=_TOP if at_top else 0)


def _endings_said(clause: Clause) -> Sequence[str]:
    """The endings of the files that the clause speaks of; none where it is not certain which they are."""
    kind = _EVERY.match(clause.text)
    if kind is None:
        return _ALL if re.match(r"(?:every|each|all|any)\s+files?\b", clause.text, re.IGNORECASE) else ()
    ending = re.fullmatch(r"`?\*?\.(\w{1,5})`?", kind["kind"])
    languages = languages_said(kind["kind"])
    if ending:
        return (ending[1],)
    if languages:
        return tuple(end for end in LANGUAGES[languages[0]] if end != "pyi")
    return _ALL if re.fullmatch(r"(?:new )?(?:source|code)", kind["kind"], re.IGNORECASE) else ()


def _line_said(clause: Clause) -> str:
    """The text that has to stand there: in quotes, or a command with a flag that no other words surround."""
    wanted = " ".join(clause.preferred)
    quoted = [t.text.strip() for t in clause.terms if t.kind == "code" and (" " in t.text.strip() or t.text in wanted)]
    flags = any(t.kind == "flag" and t.text in wanted for t in clause.terms)
    plain = len(clause.preferred) == 1 and flags and not re.search(r"\b(?:a|an|the|with|and|or)\b", wanted)
    return quoted[0] if quoted else wanted if plain else ""


_MARKS = {"py": "#", "rb": "#", "sh": "#", "bash": "#"}


def _draft(
    line: str,
    endings: Sequence[str],
    invalid: tuple[Example, ...],
    valid: tuple[Example, ...],
    because: str,
    *,
    within: int = _TOP,
) -> Draft:
    # A year changes; the line without it is what has to stand there.
    text = max(_YEAR.split(line), key=len).strip()
    given = {"text": text, "globs": [f"*.{ending}" for ending in endings], **({"within": within} if within else {})}
    kinds: tuple[CheckKind, ...] = ("shell", "guard")
    checks = tuple(Check(kind=kind, template="require-text", parameters=given) for kind in kinds)
    other = Example(kind="file", path="README.md", text="No code.\n")
    return Draft(checks=checks, invalid=invalid, valid=(*valid, other), because=because)


PLUG = Fit(name="headers", fit=fit)
