"""How documentation and comments are written: Markdown, spelling, phrases, references, comments that are not wanted."""

import re
from collections.abc import Iterator, Sequence
from functools import partial

from rulec.fits import _prose
from rulec.fits._prose_comments import comments, taken_out
from rulec.fits._prose_style import styles
from rulec.fits._prose_words import phrases, spelling
from rulec.fits._words import conditional
from rulec.language import Clause
from rulec.language.lasting import asking
from rulec.model.candidate import Draft
from rulec.model.transcript import Action
from rulec.ports import Fit
from rulec.runtime.parts import lines, part_of

_MESSAGES = re.compile(
    r"\b(?:commit (?:messages?|titles?|subjects?|bod(?:y|ies))|pr (?:title|description)s?)\b", re.IGNORECASE
)
_ACCOUNT = re.compile(
    r"(?:\W*(?:i|it|this|that|there|they|he|she) (?:think|thought|saw|see|found|already|now|still|just|uses?"
    r"|used|does|did|is|was|were|are|has|had|looks?"
    r"|seems?|guess)\b"
    r"|.*\b(?:fixed|added|already (?:uses?|has|have)|says?) (?:it|that|this)\W*$)",
    re.IGNORECASE,
)
_MANNER = ("when writing", "when you write", "after", "at the end of")  # how it is written, not on what it depends
MOST = 60_000  # signs of what stood in files that are searched for a phrase


def fit(clause: Clause, before: Sequence[Action], after: Sequence[Action]) -> Iterator[Draft]:
    """Drafts of markdown-style, spelling, forbid-phrase and forbid-comment, and of forbid-text for one comment."""
    if _MESSAGES.search(clause.text) or (clause.polarity == "none" and _ACCOUNT.match(clause.text)):
        return
    yield from taken_out(clause, before, after)
    if conditional(clause) and not clause.when.lower().startswith(_MANNER):
        return
    asked = () if asking(clause) else tuple(spelling(clause))
    for wish in (*styles(clause), *asked, *comments(clause), *phrases(clause, partial(_said, before))):
        yield from _prose.drafts(clause, wish, before, after)


def _said(before: Sequence[Action]) -> str:
    """What the agent wrote into documentation and comments."""
    found = [
        line.strip()
        for action in before
        for path, text in _prose.written(action)
        if part_of(path)
        for line in lines(path, text[:MOST])
    ]
    return " ".join(" ".join(found).split())[:MOST]


PLUG = Fit(name="prose", fit=fit, any_clause=True)
