"""An accepted proposal -> the files that it changes, and the message of the one commit that holds them."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from rulec import evidencefile
from rulec.commands import _onto, _write
from rulec.commands._onto import Onto
from rulec.commands._propose import Proposal
from rulec.commands._supersession import superseded
from rulec.commands._witness import told
from rulec.errors import RulecError
from rulec.host import rulefiles, worktree
from rulec.model.rule import Rule
from rulec.stages.revise import Revision

_SUBJECTS = {"NEW": "Add the rule", "NOOP": "Add evidence for", "UPDATE": "Update the rule"}
Texts = dict[str, str | None]


def commit(top: Path, proposal: Proposal, made: Revision, onto: Onto) -> str:
    """Write an accepted proposal; the id of its commit, or "" where only the work tree was written."""
    if proposal.stuck:
        raise RulecError(
            proposal.stuck, where=proposal.resolution.slug, hint="edit the proposal, or make it a new rule"
        )
    files = changes(proposal, made, lambda path: _onto.text(top, onto, path))
    return _write.put(top, files, message(proposal, made), onto)


def changes(proposal: Proposal, made: Revision, text: Callable[[str], str]) -> Texts:
    """The files of a revision; what a person wrote into them keeps their comments."""
    files: Texts = {worktree.evidence_path(item): evidencefile.dumps(item) for item in made.evidence}
    rule, old = made.rule, proposal.old
    if rule is None:
        return files
    if proposal.resolution.decision == "SUPERSEDE" and old:
        if text(worktree.archive_path(old.slug)):
            where = worktree.archive_path(old.slug)
            raise RulecError(f"an older {old.slug} is there", where=where, hint="delete that file or rename the rule")
        return files | superseded(_outdated(old), rule, text(worktree.rule_path(old.slug)), proposal.text)
    path = worktree.rule_path(rule.slug)
    return files | {path: rulefiles.dumps(rule, proposal.text or (text(path) if old else ""))}


def _outdated(old: Rule) -> Rule:
    return replace(old, revision=old.revision + 1)


def message(proposal: Proposal, made: Revision) -> str:
    """The commit message, with the trailers that log and why read."""
    said, rule, old = proposal.resolution, proposal.rule, proposal.old
    subject = f"{_SUBJECTS.get(said.decision, '')} {said.slug}"
    body = [f"It says: {_line(rule.statement)}"]
    trailers = [f"Resolution: {said.line()}", f"Rule: {rule.slug}@{rule.revision}"]
    if said.decision == "SUPERSEDE" and old:
        subject = f"Supersede {old.slug} by {rule.slug}"
        body += [f"It said: {_line(old.statement)}", f"Witness: {_line(told(proposal.witness))}"]
        trailers.append(f"Rule: {old.slug}@{_outdated(old).revision}")
    ids = ", ".join(evidencefile.identity(item) for item in made.evidence)
    return "\n".join([subject, "", *body, "", *trailers, f"Evidence: {ids}", ""])


def _line(text: str) -> str:
    return " ".join(text.split())
