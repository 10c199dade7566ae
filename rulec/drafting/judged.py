"""Candidates that a model is to judge: where they hold, and the examples that a judge can read."""

import re
from dataclasses import replace

from rulec.domain.candidate import Candidate, Draft
from rulec.domain.rule import Check, Scope
from rulec.sentences.names import Names
from rulec.sentences.reading import place_at_end

WANTED_BY_PERSON = "a person wants it to be judged"
_MESSAGE = re.compile(r"\b(?:commit|git)\s+(?:messages?|subjects?|bod(?:y|ies)|titles?|logs?)\b", re.IGNORECASE)
_READS = {"diff": ("file", "edit", "commit"), "message": ("message", "commit")}


def with_judge_alone(candidate: Candidate, names: Names) -> Candidate:
    """The candidate to be judged, with those examples of its drafts that a judge can read, and where these hold."""
    statement = candidate.rule.statement
    first = candidate.drafts[0] if candidate.drafts else None
    if first is None:
        first = Draft(checks=(), scope=_scope_in_words(statement, names))
    draft = add_judge(statement, replace(first, because=WANTED_BY_PERSON))
    return replace(candidate, rule=replace(candidate.rule, rationale=""), drafts=(draft,))


def add_judge(statement: str, draft: Draft) -> Draft:
    """The draft with a judge for its check, and the examples that such a judge can read."""
    of = _what_judge_reads(statement)
    invalid, valid = (
        tuple(example for example in side if example.kind in _READS[of]) for side in (draft.invalid, draft.valid)
    )
    check = Check(kind="judge", template="judge", parameters={"of": of})
    return replace(draft, checks=(check,), invalid=invalid, valid=valid)


def _what_judge_reads(statement: str) -> str:
    return "message" if _MESSAGE.search(statement) else "diff"


def _scope_in_words(statement: str, names: Names) -> Scope:
    """Where the words say that it holds, everywhere where no path shows that place."""
    if _what_judge_reads(statement) != "diff":
        return Scope()
    place = place_at_end(statement, names)
    return Scope(include=place.include or ("**",), exclude=place.exclude)
