"""What every verb that changes a rule shares: archive files, the reason, the missing proof, the commit message, the closing line."""

from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

from rulec.compiling.artifacts import compile_rule
from rulec.domain.evidence import Evidence
from rulec.domain.outcome import Outcome
from rulec.domain.rule import Rule
from rulec.domain.secrets.redaction import redact
from rulec.errors import RulecError
from rulec.gates import rule_proof
from rulec.gates.findings.verdicts import facts_by_slug
from rulec.infra.rulebooks import rule_reading
from rulec.resolving.revisions import proof_as_evidence
from rulec.rulebook import evidence_file, file_paths
from rulec.rulebook.rulebook import Rulebook
from rulec.services.writing import change_target
from rulec.services.writing.change_target import ChangeTarget


def supersession_files(old: Rule, new: Rule, old_text: str = "", new_text: str = "") -> dict[str, str | None]:
    """The changes of SUPERSEDE; the texts are those of the two files, whose comments people want to keep.

    The evidence of the old rule stays where it is, and its artifacts go because no rule in force has them.
    """
    return {**archive_files(replace(old, superseded_by=new.slug), old_text), **_successor_file(old, new, new_text)}


def archive_files(rule: Rule, text: str = "") -> dict[str, str | None]:
    """The changes that take a rule out of force."""
    return {
        file_paths.rule_path(rule.slug): None,
        file_paths.archive_path(rule.slug): rule_reading.write_rule(rule, text),
    }


def _successor_file(old: Rule, new: Rule, text: str) -> dict[str, str | None]:
    follows = tuple(dict.fromkeys((*new.supersedes, old.slug)))
    return {file_paths.rule_path(new.slug): rule_reading.write_rule(replace(new, supersedes=follows), text)}


def clean_reason(because: str) -> str:
    """A person's reason as one line that may touch the disk."""
    return " ".join(redact(because.encode("utf-8", "replace").decode()).split())


def rule_commit_message(
    subject: str, rule: Rule, decision: str, *, because: str, evidence: Iterable[Evidence] = (),
    others: Iterable[Rule] = (),
) -> str:  # fmt: skip
    """The commit message of a verb, with the trailers that log and why read.

    ``decision`` is the verb and the rule that it was about; ``rule`` and ``others`` are what it wrote.
    """
    ids = ", ".join(evidence_file.evidence_id(item) for item in evidence)
    lines = [f"Rule: {one.slug}@{one.revision}" for one in (rule, *others)] + [f"Evidence: {ids}"] * bool(ids)
    said = " ".join(rule.statement.split())
    return f"{subject}\n\nIt says: {said}\n\nResolution: {decision} -- {because}\n" + "\n".join(lines) + "\n"


def missing_proof(book: Rulebook, rule: Rule, top: Path) -> list[Evidence]:
    """The proof that the rule's checks lack, [] where they stand proved; a refusal where it does not hold."""
    if not rule.checks or rule_proof.is_proved(book, rule, compile_rule(book, rule, top)):
        return []
    held = rule_proof.prove_with_tools(book, rule, top)
    if not held.holds:
        raise RulecError(f"its check fails at {redact(held.failure)}", where=rule.source or rule.slug, hint=held.cure)
    return [proof_as_evidence(held)]


def evidence_files(evidence: Iterable[Evidence]) -> dict[str, str | None]:
    """Evidence as files."""
    return {file_paths.evidence_path(item): evidence_file.dump_evidence(item) for item in evidence}


def enforcement_in_effect(book: Rulebook, rule: Rule, top: Path) -> str:
    """What happens on a finding of the rule as the rulebook's evidence bears it, "" where it only reminds."""
    artifacts = compile_rule(book, rule, top)
    return facts_by_slug(artifacts)[rule.slug].enforcement if artifacts else ""


def closing_outcome(top: Path, onto: ChangeTarget, commit: str, what: str) -> Outcome:
    """The end of a verb: what it did, where that went, and the next step."""
    lines = [f"{what}: {change_target.describe_written(top, onto, commit)}", change_target.push_hint(top, onto)]
    return Outcome("\n".join(filter(None, lines)))
