"""Lines that files have to begin with."""

import re
from collections.abc import Iterator, Sequence

from rulec.fits._pair import example_of
from rulec.fits._words import conditional, kin, language_of
from rulec.language import Clause
from rulec.model.candidate import Draft
from rulec.model.rule import Check, CheckKind, Example
from rulec.model.transcript import Action
from rulec.ports import Fit

_SAID = re.compile(
    r"\b(?:headers?|licen[cs]es?|copyright|spdx|shebang|use strict|starts? with|begins? with|at the top|first line)\b",
    re.IGNORECASE,
)
_YEAR = re.compile(r"\b(?:19|20)\d\d\b")
_ENDINGS = {"javascript": ("js", "jsx", "mjs", "ts", "tsx"), "python": ("py",), "c": ("c", "h"), "bash": ("sh",)}
_TOP = 10  # lines that count as the top
_ALL = ("py", "js", "jsx", "ts", "tsx", "go", "java", "rb", "php", "rs", "c", "h", "cpp", "sh")


def fit(clause: Clause, before: Sequence[Action], after: Sequence[Action]) -> Iterator[Draft]:
    """Drafts of require-text."""
    if clause.polarity not in ("require", "prefer") or conditional(clause) or not _SAID.search(clause.text):
        return
    if not before:
        yield from _stated(clause)
    for wrong in before:
        right = next((a for a in after if a.path == wrong.path and a.kind in ("write", "edit")), None)
        if wrong.kind == "write" and wrong.path and right is not None:
            yield from _from_pair(wrong, right)


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
    quoted = next(
        (term.text for term in clause.terms if term.kind in ("quoted", "code") and " " in term.text.strip()), ""
    )
    if not quoted:
        return
    bad = Example(kind="file", path="src/sample.py", text="value = 1\n")
    good = Example(kind="file", path="src/sample.py", text=f"# {quoted}\n\nvalue = 1\n")
    yield _draft(quoted, _ALL, (bad,), (good,), "the statement quotes the line")


def _draft(
    line: str, endings: Sequence[str], invalid: tuple[Example, ...], valid: tuple[Example, ...], because: str
) -> Draft:
    # A year changes; the line without it is what has to stand there.
    text = max(_YEAR.split(line), key=len).strip()
    given = {"text": text, "globs": [f"*.{ending}" for ending in endings], "within": _TOP}
    kinds: tuple[CheckKind, ...] = ("shell", "guard")
    checks = tuple(Check(kind=kind, template="require-text", parameters=given) for kind in kinds)
    other = Example(kind="file", path="README.md", text="No code.\n")
    return Draft(checks=checks, invalid=invalid, valid=(*valid, other), because=because)


PLUG = Fit(name="headers", fit=fit)
