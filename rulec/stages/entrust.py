"""Candidate -> the same one with a judge for its check: a model reads what the words mean."""

import re
from dataclasses import replace

from rulec.language import Where, clauses, where
from rulec.model.candidate import Candidate, Draft
from rulec.model.rule import Check, Example, Scope

BECAUSE = "a person wants it to be judged"
_MESSAGE = re.compile(r"\b(?:commit|git)\s+(?:messages?|subjects?|bod(?:y|ies)|titles?|logs?)\b", re.IGNORECASE)
_READS = {"diff": ("file", "edit", "commit"), "message": ("message", "commit")}


def entrust(candidate: Candidate) -> Candidate:
    """The candidate to be judged, with those examples of its drafts that a judge can read, and where these hold."""
    of = "message" if _MESSAGE.search(candidate.rule.statement) else "diff"
    drafts = candidate.drafts

    def read(examples: tuple[Example, ...]) -> tuple[Example, ...]:
        return tuple(example for example in examples if example.kind in _READS[of])

    judged = Draft(
        checks=(Check(kind="judge", template="judge", parameters={"of": of}),),
        invalid=read(drafts[0].invalid) if drafts else (),
        valid=read(drafts[0].valid) if drafts else (),
        do=drafts[0].do if drafts else "",
        scope=drafts[0].scope if drafts else _scope(candidate.rule.statement) if of == "diff" else Scope(),
        because=BECAUSE,
    )
    return replace(candidate, rule=replace(candidate.rule, rationale=""), drafts=(judged,))


def _scope(statement: str) -> Scope:
    """Where the words say that it holds, everywhere where no path shows that place."""
    places = (where(clause) for clause in clauses(statement))
    place = next((place for place in places if place is not None and any(place)), Where())
    return Scope(include=place.include or Scope().include, exclude=place.exclude)
