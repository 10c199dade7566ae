"""Words that take something out of a wish: "unless ...", "except in ...", "that are already pushed"."""

import re
from collections.abc import Callable, Sequence
from dataclasses import replace

from rulec.language import Clause, clauses
from rulec.model.candidate import Draft

_NEEDED = r"(?:(?:absolutely|really|truly|strictly) )?(?:necessary|needed|required|unavoidable)"
_REST = r"[^.;:!?,)]*\)?"
_HARD = re.compile(
    rf"(?:\s*[,(])?\s*\b(?:unless\b(?! {_NEEDED})"
    r"|except(?: (?:for|in|when|if|where|inside|within|under|on|with|from|by|as|at|to|during)\b)"
    rf"|(?:other than|apart from|aside from)\b|only (?:when|if|where|after|once|while|during)\b){_REST}",
    re.IGNORECASE,
)
# Said in passing, such words often are no limit: only who types a rule weighs them.
_SOFT = re.compile(
    r"(?:\s*[,(])?\s*\b(?:"
    r"(?:that|which) (?:are|were|have|had|do|nobody|no one|only|already|repeats?|needs?)\b(?=[^.;:!?,]*\W*$)"
    r"|whose\b|(?:with )?(?:more|longer|bigger|larger|shorter|smaller|fewer|less) than\b"
    r"|(?:while|during)\b(?! (?:i|you|we|this|the session|our|your|working|at it)\b)"
    r"|until\b|after\b(?! (?:they|it|every|each|you|use|yourself|the fact)\b)"
    r"|without\b(?! exceptions?\b)"
    r"|(?:on|with|from|for|to) (?:the )?(?:user(?:[- ]supplied)?|untrusted|external|unchecked)"
    rf"(?: \w+)? (?:inputs?|data|content|values?)\b){_REST}",
    re.IGNORECASE,
)
_WHOSE = re.compile(r"(?<!\bon )\b(?:your|their|one's) own (?=\w)", re.IGNORECASE)  # nothing says whose a thing is
_DEAF = ("require-companion",)  # takes each word that it does not know for the name of a file


def heeded(
    clause: Clause, drafts: Sequence[Draft], others: Callable[[Clause], Sequence[Draft]], *, shown: bool
) -> tuple[Draft, ...]:
    """The drafts, without those that would be the same if the clause had no limit: nothing in them has read it."""
    plain = _unlimited(clause, (_HARD,) if shown else (_HARD, _SOFT, _WHOSE)) if drafts else None
    if plain is None:
        return tuple(drafts)
    wide = {_meaning(draft) for draft in others(plain)}
    if _meaning(drafts[0]) in wide or (drafts[0].checks[0].template in _DEAF and _HARD.search(clause.text)):
        return ()  # what comes after the best reading is a worse one
    return tuple(draft for draft in drafts if _meaning(draft) not in wide)


def _unlimited(clause: Clause, limits: Sequence[re.Pattern[str]]) -> Clause | None:
    """The clause without its limits; None where it has none."""
    text = clause.text
    for limit in limits:
        text = limit.sub("", text)
    if text == clause.text or not text.strip():
        return None
    read = clauses(text)
    return replace(read[0], marked=clause.marked, slug=clause.slug) if len(read) == 1 else None


def _meaning(draft: Draft) -> str:
    return repr((draft.checks, draft.scope))
