"""An accepted proposal -> the files that it changes, and the message of the one commit that holds them."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from rulec.domain.rule import Rule
from rulec.errors import RulecError
from rulec.infra.rulebooks import rule_reading
from rulec.resolving.revisions import Revision
from rulec.rulebook import evidence_file, file_paths
from rulec.services.proposals.proposal_builder import Proposal
from rulec.services.proposals.rule_conflicts import describe_witness
from rulec.services.writing import change_target, rulebook_commit
from rulec.services.writing.change_target import ChangeTarget
from rulec.services.writing.rule_change import supersession_files

_SUBJECTS = {"NEW": "Add the rule", "NOOP": "Add evidence for", "UPDATE": "Update the rule"}
Texts = dict[str, str | None]


def commit_proposal(top: Path, proposal: Proposal, made: Revision, onto: ChangeTarget) -> str:
    """Write an accepted proposal; the id of its commit, or "" where only the work tree was written."""
    if proposal.stuck:
        raise RulecError(
            proposal.stuck, where=proposal.resolution.slug, hint="edit the proposal, or make it a new rule"
        )
    files = changed_files(proposal, made, lambda path: change_target.target_file_text(top, onto, path))
    return rulebook_commit.write_rulebook_change(top, files, proposal_message(proposal, made), onto)


def changed_files(proposal: Proposal, made: Revision, text: Callable[[str], str]) -> Texts:
    """The files of a revision; what a person wrote into them keeps their comments."""
    files: Texts = {file_paths.evidence_path(item): evidence_file.dump_evidence(item) for item in made.evidence}
    rule, old = made.rule, proposal.old
    if rule is None:
        return files
    if proposal.resolution.decision == "SUPERSEDE" and old:
        if text(file_paths.archive_path(old.slug)):
            where = file_paths.archive_path(old.slug)
            raise RulecError(f"an older {old.slug} is there", where=where, hint="delete that file or rename the rule")
        return files | supersession_files(
            _next_revision(old), rule, text(file_paths.rule_path(old.slug)), proposal.text
        )
    path = file_paths.rule_path(rule.slug)
    return files | {path: rule_reading.write_rule(rule, proposal.text or (text(path) if old else ""))}


def _next_revision(old: Rule) -> Rule:
    return replace(old, revision=old.revision + 1)


def proposal_message(proposal: Proposal, made: Revision) -> str:
    """The commit message, with the trailers that log and why read."""
    said, rule, old = proposal.resolution, proposal.rule, proposal.old
    subject = f"{_SUBJECTS.get(said.decision, '')} {said.slug}"
    body = [f"It says: {_line(rule.statement)}"]
    trailers = [f"Resolution: {said.line()}", f"Rule: {rule.slug}@{rule.revision}"]
    if said.decision == "SUPERSEDE" and old:
        subject = f"Supersede {old.slug} by {rule.slug}"
        body += [f"It said: {_line(old.statement)}", f"Witness: {_line(describe_witness(proposal.witness))}"]
        trailers.append(f"Rule: {old.slug}@{_next_revision(old).revision}")
    ids = ", ".join(evidence_file.evidence_id(item) for item in made.evidence)
    return "\n".join([subject, "", *body, "", *trailers, f"Evidence: {ids}", ""])


def _line(text: str) -> str:
    return " ".join(text.split())
