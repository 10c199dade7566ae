"""A rule in the person's editor, as YAML; it is validated and proved before it counts."""

from collections.abc import Callable
from dataclasses import replace
from typing import TypeVar

from rulec.checks.proving.proof import Proof
from rulec.domain.rule import Rule
from rulec.domain.text.redaction import redact
from rulec.errors import RulecError
from rulec.infra.rulebooks import rule_reading
from rulec.rulebook.rulebook import Rulebook
from rulec.services.proposals.proposal_builder import Proposal

Prove = Callable[[Rule], Proof]
Editor = Callable[[str, str], str | None]  # text and what was wrong with it before -> edited text; None: given up
Read = TypeVar("Read")
EDITED_RULE = "the edited rule"
_HEAD = "#: The rule as it would be written: save and close to prove it, close without saving to leave it as it is.\n"
_OURS = "#: "


def edit_proposal(
    proposal: Proposal, book: Rulebook, prove: Prove, edit: Editor, echo: Callable[[str], None], *, before: str = ""
) -> Proposal:
    """The proposal as the person edited it, else unchanged; ``before`` is the text of the file it would rewrite."""
    text = proposal.text or rule_reading.write_rule(proposal.rule, before)
    return edit_until_valid(text, edit, echo, lambda typed: read_edited(proposal, book, prove, typed)) or proposal


def edit_until_valid(text: str, edit: Editor, echo: Callable[[str], None], read: Callable[[str], Read]) -> Read | None:
    """The result of editing a text until it is valid; None where the person gave up."""
    wrong = ""
    while True:
        typed = edit(f"{_HEAD}{f'{_OURS}{wrong}{chr(10)}' if wrong else ''}{text}", wrong)
        if typed is None:
            echo("  -> unchanged\n")
            return None
        try:
            return read(typed)
        except RulecError as error:
            text, wrong = without_notes(typed), str(error)
            echo(f"  -> {wrong}")


def read_edited(proposal: Proposal, book: Rulebook, prove: Prove, typed_text: str) -> Proposal:
    """The proposal with the rule that a person typed, proved; RulecError with what is wrong with it."""
    text = redact(typed_text)
    typed = rule_reading.read_rule(text, source=EDITED_RULE)
    said, updates = proposal.resolution, proposal.resolution.decision == "UPDATE"
    rule = replace(typed, revision=proposal.rule.revision, origin=proposal.rule.origin, source="")
    if updates and rule.slug != proposal.rule.slug:
        hint = f"rulec edit {proposal.rule.slug} renames a rule"
        raise RulecError(f"this is an update of {proposal.rule.slug}", where=EDITED_RULE, hint=hint)
    if rule.slug != proposal.rule.slug and book.rule(rule.slug):
        raise RulecError(f"there is already a rule {rule.slug}", where=EDITED_RULE, hint="give it another slug")
    proof = prove(rule) if rule.checks else None
    if proof and not proof.holds:
        raise RulecError(
            f"its check fails at {redact(proof.failure)}",
            where=EDITED_RULE,
            hint="fix the check or its examples, or remove the check",
        )
    said = replace(said, because=f"{said.because}; edited in review")
    said = replace(said, new_slug=rule.slug) if said.decision == "SUPERSEDE" else replace(said, slug=rule.slug)
    return replace(proposal, rule=rule, proof=proof, text=without_notes(text), failed=(), obstacle="", resolution=said)


def without_notes(text: str) -> str:
    """The text without rulec's notes."""
    return "".join(line for line in text.splitlines(keepends=True) if not line.startswith(_OURS.strip()))
