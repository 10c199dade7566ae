"""A proposal in the person's editor: its rule as YAML, validated and proved before it counts."""

from collections.abc import Callable
from dataclasses import replace

from rulec import rulefile
from rulec.commands._propose import Proposal
from rulec.errors import RulecError
from rulec.model.proof import Proof
from rulec.model.rule import Rule
from rulec.model.rulebook import Rulebook
from rulec.redact import redact

Prove = Callable[[Rule], Proof]
Edit = Callable[[str, str], str | None]  # text and what was wrong with it before -> edited text; None: given up
SOURCE = "the edited rule"
_HEAD = "#: The rule as it would be written: save and close to have it proved, close without saving to leave it.\n"
_OURS = "#: "


def edited(proposal: Proposal, book: Rulebook, prove: Prove, edit: Edit, say: Callable[[str], None]) -> Proposal:
    """The proposal as the person changed it, or as it was where they gave up."""
    text, wrong = proposal.text or rulefile.dumps(proposal.rule), ""
    while True:
        typed = edit(f"{_HEAD}{f'{_OURS}{wrong}{chr(10)}' if wrong else ''}{text}", wrong)
        if typed is None:
            say("  -> as it was\n")
            return proposal
        try:
            return _proved(proposal, book, prove, redact(typed))
        except RulecError as error:
            text, wrong = _theirs(typed), str(error)
            say(f"  -> {wrong}")


def _proved(proposal: Proposal, book: Rulebook, prove: Prove, text: str) -> Proposal:
    typed = rulefile.loads(text, source=SOURCE)
    rule = replace(typed, revision=proposal.rule.revision, origin="")
    if rule.slug != proposal.rule.slug and book.rule(rule.slug):
        raise RulecError(f"there is a rule {rule.slug} already", where=SOURCE, hint="give it another slug")
    proof = prove(rule) if rule.checks else None
    if proof and not proof.holds:
        raise RulecError(
            f"its check fails at {redact(proof.failure)}",
            where=SOURCE,
            hint="mend the check or its examples, or take the check out",
        )
    because = f"{proposal.resolution.because}; edited in review"
    return replace(
        proposal,
        rule=replace(rule, source=""),
        proof=proof,
        text=_theirs(text),
        failed=(),
        resolution=replace(proposal.resolution, slug=rule.slug, because=because),
    )


def _theirs(text: str) -> str:
    return "".join(line for line in text.splitlines(keepends=True) if not line.startswith(_OURS.strip()))
