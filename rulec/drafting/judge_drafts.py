"""A candidate with a judge for its check: a model reads what the words mean."""

import re
from dataclasses import replace

from rulec.domain.candidate import Candidate, Draft
from rulec.domain.rule import Check, Scope
from rulec.language.terms import terms

WANTED_BY_PERSON = "a person wants it to be judged"
_MESSAGE = re.compile(r"\b(?:commit|git)\s+(?:messages?|subjects?|bod(?:y|ies)|titles?|logs?)\b", re.IGNORECASE)
_READS = {"diff": ("file", "edit", "commit"), "message": ("message", "commit")}


def with_judge_alone(candidate: Candidate) -> Candidate:
    """The candidate to be judged, with those examples of its drafts that a judge can read, and where these hold."""
    statement = candidate.rule.statement
    first = candidate.drafts[0] if candidate.drafts else None
    if first is None:
        scope = _scope_in_words(statement) if _what_judge_reads(statement) == "diff" else Scope()
        first = Draft(checks=(), scope=scope)
    draft = add_judge(statement, replace(first, because=WANTED_BY_PERSON))
    return replace(candidate, rule=replace(candidate.rule, rationale=""), drafts=(draft,))


def add_judge(statement: str, draft: Draft) -> Draft:
    """The draft with a judge of what the statement speaks of for its check, and those examples that it can read."""
    of = _what_judge_reads(statement)
    invalid, valid = (
        tuple(example for example in side if example.kind in _READS[of]) for side in (draft.invalid, draft.valid)
    )
    check = Check(kind="judge", template="judge", parameters={"of": of})
    return replace(draft, checks=(check,), invalid=invalid, valid=valid)


def _what_judge_reads(statement: str) -> str:
    return "message" if _MESSAGE.search(statement) else "diff"


def _scope_in_words(statement: str) -> Scope:
    """Where the words say that it holds, everywhere where no path shows that place."""
    found = _PLACE.search(statement)
    paths = tuple(term.text for term in terms(found[2]) if term.kind == "path") if found else ()
    if not found or not paths:
        return Scope()
    return Scope(exclude=paths) if found[1].casefold().startswith(("out", "exc")) else Scope(include=paths)


_PLACE = re.compile(r"\b(in|inside|under|within|outside(?: of)?|except in) ([^,;]+?)[.!]?$", re.IGNORECASE)
