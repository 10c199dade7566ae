"""Acts that are named by their kind: e2e tests, migrations, deploys, throwaway scripts, the latest versions."""

import re
from collections.abc import Iterator, Sequence

from rulec.fits import _environments, _places, _replies, _versions
from rulec.fits._demands import Demand, drafts
from rulec.fits._kinds import KINDS, named_kinds, searched
from rulec.fits._swaps import reworded
from rulec.fits._tests import kinds_of_tests, whole_suite
from rulec.fits._words import conditional, things
from rulec.language import Clause
from rulec.model.candidate import Draft
from rulec.model.transcript import Action
from rulec.ports import Fit

# "not unless I say so" is a question of order, and a part of the repository is no place that a command shows.
_EXCEPT = re.compile(r"\b(?:unless|without (?:being|asking|my|me|permission)|until|except|yet)\b", re.IGNORECASE)
_TAIL = re.compile(
    r"(?: (?:yourself|directly|manually|by yourself|on your own|for me|any ?more|at all|either|again|ever|here|"
    r"locally))+$"
)
_ASIDE = re.compile(r"^(?:i|we|you|it|they|that|this|those|these|only|just|too|so|because|use|add)\b", re.IGNORECASE)


def fit(clause: Clause, before: Sequence[Action], after: Sequence[Action]) -> Iterator[Draft]:
    """Drafts for acts that the words name by their kind."""
    clause = reworded(clause)
    if conditional(clause) or _EXCEPT.search(clause.text):
        return
    subject = subject_of(clause)
    for demand in _demands(clause, subject, before, after):
        yield from drafts(demand, before, after, "the words name this kind of command")


def subject_of(clause: Clause) -> str:
    """The unwanted act in the person's words: "seed the database"; "" where nothing is unwanted."""
    named = [thing for at, thing in enumerate(things(clause)) if at == 0 or not _ASIDE.match(thing)]
    if clause.polarity not in ("forbid", "prefer") or (clause.polarity == "prefer" and not named):
        return ""
    return _TAIL.sub("", " ".join([clause.verb, *named]).strip(" .,!").lower())


def _demands(clause: Clause, subject: str, before: Sequence[Action], after: Sequence[Action]) -> Iterator[Demand]:
    place = clause.when.lower()
    if subject and not place.startswith(("in ", "on ", "inside ", "under ")):
        if tests := kinds_of_tests(clause, subject):
            yield tests
        if suite := whole_suite(clause, subject):
            yield suite
        yield from named_kinds(subject)
        yield from (kind.demand for kind in KINDS if kind.said.match(subject))
    whole = f"{subject} {place}" if subject and place else ""
    yield from (kind.demand for kind in KINDS if kind.said.match(whole))
    yield from searched(whole or subject)
    yield from _environments.demands(whole or subject)
    yield from _places.demands(clause, subject, before, after)
    yield from _versions.demands(clause, before, after)
    yield from _replies.demands(clause)


PLUG = Fit(name="acts", fit=fit, any_clause=True)
