"""Verdicts of rules that contradict each other -> those of the rule that goes before hold, the others' say to whom.

Two rules contradict each other where one prescribes the very thing that the other forbids. In the words of artifacts:
the cure of the one, laid before the check of the other as a file, is found there.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from rulec.model.artifact import facts_data
from rulec.model.finding import Finding, Verdict
from rulec.model.plan import Facts
from rulec.runtime import globs
from rulec.runtime.precedence import because

ACTING = ("warn", "block")
CONTROL = "import rulec_control\n"


@dataclass(frozen=True, slots=True)
class Claim:
    """What a rule says to write instead of what it forbids."""

    facts: Facts
    thing: str  # such as httpx

    @property
    def text(self) -> str:
        """The thing alone, as code."""
        return f"import {self.thing}\n"


@dataclass(frozen=True, slots=True)
class Witness:
    """One thing that a rule prescribes, as a file that the other rule is asked about.

    The ``control`` is the same with a thing that nobody speaks of: what is found there as well is not about the thing.
    """

    slug: str  # of the rule that is asked
    path: str
    text: str
    control: str


Forbids = Callable[[Witness], bool]  # asks the real check


def precede(verdicts: Sequence[Verdict], claims: Sequence[Claim], forbids: Forbids) -> Iterator[Verdict]:
    """The verdicts; one that loses to another rule is noted alone, with the rule and the reason."""
    known: dict[Witness, bool] = {}
    for verdict in verdicts:
        lost = ""
        if verdict.finding and verdict.outcome in ACTING:
            lost = next(_losses(verdict.facts, verdict.finding, claims, known, forbids), "")
        yield replace(verdict, outcome="audit", lost=lost) if lost else verdict


def _losses(
    facts: Facts, finding: Finding, claims: Iterable[Claim], known: dict[Witness, bool], forbids: Forbids
) -> Iterator[str]:
    for claim in claims:
        if not (_asks_for(claim, finding) and _covers(claim.facts, finding.path)):
            continue
        why = because(facts_data(claim.facts), facts_data(facts))
        if not why:
            continue
        witness = Witness(facts.slug, _beside(finding.path), claim.text, CONTROL)
        if witness not in known:
            known[witness] = forbids(witness)
        if known[witness]:
            yield f"{claim.facts.slug} goes before it: {why}"


def _asks_for(claim: Claim, finding: Finding) -> bool:
    """Whether the thing that is prescribed stands on the line that was found."""
    return bool(finding.path) and re.search(rf"(?<!\w){re.escape(claim.thing)}(?!\w)", finding.text) is not None


def _covers(facts: Facts, path: str) -> bool:
    """Whether the rule speaks of the file; one with exceptions is not asked to beat another where they may hold."""
    scope = facts.scope
    inside = globs.match(scope.include or ("**",), path) and not globs.match(scope.exclude, path)
    return inside and facts.enforcement in ACTING and not facts.exceptions


def _beside(path: str) -> str:
    """A path in the same folder and of the same kind, which no rule can know by its name."""
    folder, slash, name = path.rpartition("/")
    return f"{folder}{slash}witness{'.' * ('.' in name)}{name.rpartition('.')[2] if '.' in name else ''}"


def claims(facts: Mapping[str, Facts], cures: Iterable[tuple[str, str]]) -> list[Claim]:
    """What rules prescribe, of the cures that their checks name: "import httpx".

    A call that one rule prescribes and another finds is no contradiction: the other may ask for an argument of it.
    """
    found = []
    for slug, cure in sorted(set(cures)):
        verb, _, thing = cure.partition(" ")
        if verb == "import" and len(thing.split()) == 1 and slug in facts:
            found.append(Claim(facts[slug], thing.strip()))
    return found
