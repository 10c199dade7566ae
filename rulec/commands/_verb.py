"""What a person's verbs on a rule have in common: the reason, the proof, the commit message, the last word."""

from collections.abc import Iterable
from pathlib import Path

from rulec import evidencefile
from rulec.commands import _build, _onto, _prove
from rulec.commands._onto import Onto
from rulec.commands._outcome import Outcome
from rulec.commands._verdicts import facts_of
from rulec.errors import RulecError
from rulec.host import worktree
from rulec.model.evidence import Evidence
from rulec.model.rule import Rule
from rulec.model.rulebook import Rulebook
from rulec.redact import redact
from rulec.stages.revise import proved


def reason(because: str) -> str:
    """A person's reason as one line that may touch the disk."""
    return " ".join(redact(because.encode("utf-8", "replace").decode()).split())


def message(
    subject: str, rule: Rule, decision: str, *, because: str, evidence: Iterable[Evidence] = (),
    others: Iterable[Rule] = (),
) -> str:  # fmt: skip
    """The commit message of a verb, with the trailers that log and why read.

    ``decision`` is the verb and the rule that it was about; ``rule`` and ``others`` are what it wrote.
    """
    ids = ", ".join(evidencefile.identity(item) for item in evidence)
    lines = [f"Rule: {one.slug}@{one.revision}" for one in (rule, *others)] + [f"Evidence: {ids}"] * bool(ids)
    said = " ".join(rule.statement.split())
    return f"{subject}\n\nIt says: {said}\n\nResolution: {decision} -- {because}\n" + "\n".join(lines) + "\n"


def proof(book: Rulebook, rule: Rule, top: Path) -> list[Evidence]:
    """The proof that the rule's checks lack, [] where they stand proved; a refusal where it does not hold."""
    if not rule.checks or _prove.proved_already(book, rule, _build.of_rule(book, rule, top)):
        return []
    held = _prove.prove(book, rule, top)
    if not held.holds:
        raise RulecError(f"its check fails at {redact(held.failure)}", where=rule.source or rule.slug, hint=held.cure)
    return [proved(held)]


def files(evidence: Iterable[Evidence]) -> dict[str, str | None]:
    """Evidence as files."""
    return {worktree.evidence_path(item): evidencefile.dumps(item) for item in evidence}


def acts(book: Rulebook, rule: Rule, top: Path) -> str:
    """What happens on a finding of the rule as the rulebook's evidence bears it, "" where it only reminds."""
    artifacts = _build.of_rule(book, rule, top)
    return facts_of(artifacts)[rule.slug].enforcement if artifacts else ""


def done(top: Path, onto: Onto, commit: str, what: str) -> Outcome:
    """The end of a verb: what it did, where that went, and the next step."""
    lines = [f"{what}: {_onto.told(top, onto, commit)}", _onto.push(top, onto)]
    return Outcome("\n".join(filter(None, lines)))
