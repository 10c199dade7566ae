"""Verdicts of rules that contradict each other, settled with the real checks as witnesses."""

import json
import re
from collections.abc import Iterator, Mapping, Sequence

from rulec.commands._observe import observe
from rulec.model.artifact import Artifact, compiled_from, facts_data
from rulec.model.change import Change, FileChange
from rulec.model.finding import Finding, Verdict
from rulec.model.plan import Facts
from rulec.runtime.precedence import because
from rulec.runtime.yielding import forbids, prescribed
from rulec.stages.precede import ACTING, Witness, claims, precede

_CURE = re.compile(r'^  metadata: (\{.*"instead": ".*\})$', re.MULTILINE)


def settled(artifacts: Sequence[Artifact], facts: Mapping[str, Facts], verdicts: Sequence[Verdict]) -> list[Verdict]:
    """The verdicts, of which each that loses to another rule says so; nothing is run where none could."""
    if not any(verdict.finding and verdict.outcome in ACTING for verdict in verdicts):
        return list(verdicts)
    return list(precede(verdicts, claims(facts, _cures(artifacts, facts)), lambda one: _forbids(artifacts, one)))


def _forbids(artifacts: Sequence[Artifact], witness: Witness) -> bool:
    asked = [artifact for artifact in artifacts if compiled_from(artifact.path) == witness.slug]
    folder, slash, name = witness.path.rpartition("/")
    control = f"{folder}{slash}control-{name}"
    texts = {witness.path: witness.text, control: witness.control}
    files = (FileChange(path=path, content=text.encode("utf-8", "replace")) for path, text in texts.items())
    seen = observe(asked, Change(files=tuple(files)))
    return {item.path for item in seen if isinstance(item, Finding)} == {witness.path}


def told(artifacts: Sequence[Artifact], facts: Mapping[str, Facts], slug: str) -> Iterator[str]:
    """Which rules on commands contradict this one, and which of the two goes before."""
    guards = {artifact: json.loads(artifact.text or "{}") for artifact in artifacts if "/guard/" in artifact.path}
    checks = [(compiled_from(a.path), rule["check"]) for a, rule in guards.items() if rule["check"]["on"] == "command"]
    own = [check for name, check in checks if name == slug]
    for name, other in ((name, check) for name, check in checks if name != slug):
        asks = [f"asks for `{one}`" for one in prescribed(other) if any(forbids(check, one) for check in own)]
        asks += [f"forbids `{one}`" for check in own for one in prescribed(check) if forbids(other, one)]
        if asks:
            yield f"contradicts {name}, which {asks[0]}: {_first(facts[slug], facts[name])}"


def _first(own: Facts, other: Facts) -> str:
    one, two = facts_data(own), facts_data(other)
    if why := because(one, two):
        return f"it goes before {other.slug}, since {why}"
    if why := because(two, one):
        return f"{other.slug} goes before it, since {why}"
    return "neither goes before the other, so both stand; rulec supersede settles it"


def _cures(artifacts: Sequence[Artifact], facts: Mapping[str, Facts]) -> Iterator[tuple[str, str]]:
    """What the checks of acting rules say to write instead."""
    for artifact in artifacts:
        slug = compiled_from(artifact.path)
        known = facts.get(slug)
        stated = _CURE.search(artifact.text or "") if known and known.enforcement in ACTING else None
        if stated:
            yield slug, str(json.loads(stated[1]).get("instead", ""))
