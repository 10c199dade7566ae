"""Verdicts of rules that contradict each other, settled with the real checks as witnesses."""

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from rulec.domain.artifact import Artifact, RuleFacts, slug_of_artifact
from rulec.domain.change import Change, FileChange
from rulec.domain.compiled_rule import CommandCheck, read_check
from rulec.domain.enforcement import LOOSEST, is_shown
from rulec.domain.files import globs
from rulec.domain.finding import Finding, Verdict
from rulec.gates.findings.check_runs import run_checks
from rulec.guard.decision import forbids_exactly, prescribed_commands
from rulec.guard.precedence import explain_precedence

CONTROL = "import rulec_control\n"


@dataclass(frozen=True, slots=True)
class PrescribedThing:
    """What a rule says to write instead of what it forbids."""

    facts: RuleFacts
    thing: str  # such as httpx

    @property
    def text(self) -> str:
        """The thing alone, as code."""
        return f"import {self.thing}\n"


@dataclass(frozen=True, slots=True)
class PrescriptionTrial:
    """One thing that a rule prescribes, as a file that the other rule's check is run on.

    The ``control`` is the same with a thing that nobody speaks of: what is found there as well is not about the thing.
    """

    slug: str  # of the rule that is asked
    path: str
    text: str
    control: str


Forbids = Callable[[PrescriptionTrial], bool]  # asks the real check


def apply_precedence(
    verdicts: Sequence[Verdict], claims: Sequence[PrescribedThing], forbids: Forbids
) -> Iterator[Verdict]:
    """The verdicts; one that loses to another rule is only noted, with that rule and the reason."""
    known: dict[PrescriptionTrial, bool] = {}
    for verdict in verdicts:
        lost = ""
        if verdict.finding and is_shown(verdict.outcome):
            lost = next(_lost_to(verdict.facts, verdict.finding, claims, known, forbids), "")
        yield replace(verdict, outcome=LOOSEST, lost=lost) if lost else verdict


def _lost_to(
    facts: RuleFacts,
    finding: Finding,
    claims: Iterable[PrescribedThing],
    known: dict[PrescriptionTrial, bool],
    forbids: Forbids,
) -> Iterator[str]:
    for claim in claims:
        if not (_stands_on_line(claim, finding) and _covers(claim.facts, finding.path)):
            continue
        why = explain_precedence(claim.facts, facts)
        if not why:
            continue
        witness = PrescriptionTrial(facts.slug, _witness_path(finding.path), claim.text, CONTROL)
        if witness not in known:
            known[witness] = forbids(witness)
        if known[witness]:
            yield f"{claim.facts.slug} goes before it: {why}"


def _stands_on_line(claim: PrescribedThing, finding: Finding) -> bool:
    """Whether the prescribed thing is on the line of the finding."""
    return bool(finding.path) and re.search(rf"(?<!\w){re.escape(claim.thing)}(?!\w)", finding.text) is not None


def _covers(facts: RuleFacts, path: str) -> bool:
    """Whether the rule applies to the file; a rule with exceptions beats no other where an exception may apply."""
    scope = facts.scope
    inside = globs.match(scope.include or ("**",), path) and not globs.match(scope.exclude, path)
    return inside and is_shown(facts.enforcement) and not facts.exceptions


def _witness_path(path: str) -> str:
    """A path in the same folder with the same suffix, which no rule can name."""
    folder, slash, name = path.rpartition("/")
    return f"{folder}{slash}witness{'.' * ('.' in name)}{name.rpartition('.')[2] if '.' in name else ''}"


def prescribed_things(facts: Mapping[str, RuleFacts], cures: Iterable[tuple[str, str]]) -> list[PrescribedThing]:
    """The things that rules prescribe, taken from the cures that their checks name, such as "import httpx".

    A call that one rule prescribes and another finds is no contradiction: the other may ask for an argument of it.
    """
    found = []
    for slug, cure in sorted(set(cures)):
        verb, _, thing = cure.partition(" ")
        if verb == "import" and len(thing.split()) == 1 and slug in facts:
            found.append(PrescribedThing(facts[slug], thing.strip()))
    return found


_CURE = re.compile(r'^  metadata: (\{.*"instead": ".*\})$', re.MULTILINE)


def settle_with_checks(
    artifacts: Sequence[Artifact], facts: Mapping[str, RuleFacts], verdicts: Sequence[Verdict]
) -> list[Verdict]:
    """The verdicts, with the rule that each lost one loses to; no check runs where no rule could lose."""
    if not any(verdict.finding and is_shown(verdict.outcome) for verdict in verdicts):
        return list(verdicts)
    return list(
        apply_precedence(
            verdicts, prescribed_things(facts, _cures(artifacts, facts)), lambda one: _forbids(artifacts, one)
        )
    )


def _forbids(artifacts: Sequence[Artifact], witness: PrescriptionTrial) -> bool:
    asked = [artifact for artifact in artifacts if slug_of_artifact(artifact.path) == witness.slug]
    folder, slash, name = witness.path.rpartition("/")
    control = f"{folder}{slash}control-{name}"
    texts = {witness.path: witness.text, control: witness.control}
    files = (FileChange(path=path, content=text.encode("utf-8", "replace")) for path, text in texts.items())
    seen = run_checks(asked, Change(files=tuple(files)))
    return {item.path for item in seen if isinstance(item, Finding)} == {witness.path}


def describe_contradictions(artifacts: Sequence[Artifact], facts: Mapping[str, RuleFacts], slug: str) -> Iterator[str]:
    """The rules on commands that contradict this one, and which of the two takes precedence."""
    guards = {artifact: json.loads(artifact.text or "{}") for artifact in artifacts if artifact.kind == "guard"}
    checks = [
        (slug_of_artifact(a.path), check)
        for a, rule in guards.items()
        if isinstance(check := read_check(rule["check"]), CommandCheck)
    ]
    own = [check for name, check in checks if name == slug]
    for name, other in ((name, check) for name, check in checks if name != slug):
        asks = [
            f"asks for `{one}`"
            for one in prescribed_commands(other)
            if any(forbids_exactly(check, one) for check in own)
        ]
        asks += [
            f"forbids `{one}`" for check in own for one in prescribed_commands(check) if forbids_exactly(other, one)
        ]
        if asks:
            yield f"contradicts {name}, which {asks[0]}: {_goes_before(facts[slug], facts[name])}"


def _goes_before(own: RuleFacts, other: RuleFacts) -> str:
    if why := explain_precedence(own, other):
        return f"it goes before {other.slug}, since {why}"
    if why := explain_precedence(other, own):
        return f"{other.slug} goes before it, since {why}"
    return "neither takes precedence, so both stay in force; decide with rulec retire OLD --for NEW"


def _cures(artifacts: Sequence[Artifact], facts: Mapping[str, RuleFacts]) -> Iterator[tuple[str, str]]:
    """What the checks of enforced rules say to write instead."""
    for artifact in artifacts:
        slug = slug_of_artifact(artifact.path)
        known = facts.get(slug)
        stated = _CURE.search(artifact.text or "") if known and is_shown(known.enforcement) else None
        if stated:
            yield slug, str(json.loads(stated[1]).get("instead", ""))
