"""A model may offer to judge what it cannot check: that is tried last, proves nothing and warns at most."""

from pathlib import Path

import pytest

from rulec.checks.proving.replay import ProofSession
from rulec.domain.candidate import Candidate, Draft, ReaderOpinion
from rulec.domain.rule import Check, Example, Rule
from rulec.domain.transcript import Action
from rulec.infra.rulebooks import rulebook_files
from rulec.services.proposals import proposal_builder, proposal_card
from rulec.services.proposals.candidate_decision import CandidateCase, DecisionOptions
from rulec.services.proposals.proposal_builder import draft_attempts
from rulec.services.proposals.waiting_candidates import WaitingCandidate

JUDGE = Check(kind="judge", template="judge", parameters={"of": "diff"})
BAD = (
    Example(kind="file", path="a.py", text="data = 1\n", source="reader"),
    Example(kind="file", path="b.py", text="tmp = 2\n", source="reader"),
)
GOOD = (Example(kind="file", path="a.py", text="rate = 1\n"), Example(kind="file", path="b.py", text="sum = 2\n"))
DRAFT = Draft(checks=(JUDGE,), invalid=BAD, valid=GOOD)
CALL = Check(kind="semgrep", template="forbid-call", parameters={"functions": ["print"], "language": "python"})


def _candidate(text: str, *drafts: Draft) -> Candidate:
    return Candidate(
        rule=Rule(slug="a-rule", statement=text), drafts=drafts or (DRAFT,), offered=ReaderOpinion(drafted=True)
    )


def test_a_judge_is_tried_when_nothing_that_a_machine_decides_holds() -> None:
    kinds = [
        draft.checks[0].kind for draft, _ in draft_attempts(_candidate("No print.", DRAFT, Draft(checks=(CALL,))), 1)
    ]
    assert kinds == ["semgrep", "judge"]


def test_an_offered_judge_becomes_a_rule_that_says_that_nothing_proves_it(gated: Path) -> None:
    book = rulebook_files.load_rulebook(gated)
    session = ProofSession(before=(Action(kind="write", path="a.py", new="data = 1\n"),))
    proposal = proposal_builder.build_proposal(_candidate("Names say what a thing is."), book, gated, (session,))
    assert proposal.rule.checks == (JUDGE,)
    assert (proposal.rule.invalid, proposal.rule.valid) == (BAD, GOOD)
    made = proposal_builder.accepted_revision(proposal, reviewed=True, at="2026-11-22T00:00:00Z")
    assert [item.kind for item in made.evidence] == ["accepted"]
    does = proposal_card.describe_effect(book, proposal, made)
    assert does.startswith("warns where a model judges it (asked nowhere: no backend is configured)")
    card = proposal_card.render_card(proposal, proposal_card.CardContext(effect=does))
    assert "to fail:  a.py: data = 1" in card
    assert "to hold:  a.py: rate = 1" in card
    assert "judged:   by a model, which cannot be proved: rulec test asks it about the examples" in card
    assert "proof:" not in card
    case = CandidateCase(gated, WaitingCandidate(candidate=proposal.candidate), DecisionOptions())
    assert case.card_of(book, proposal).data()["proved"] is False


@pytest.mark.parametrize("pinned", ["warn", "block"])
def test_a_pinned_judge_is_told_as_what_it_does(gated: Path, pinned) -> None:
    book = rulebook_files.load_rulebook(gated)
    proposal = proposal_builder.build_proposal(_candidate("Names say what a thing is."), book, gated, pinned=pinned)
    does = proposal_card.describe_effect(
        book, proposal, proposal_builder.accepted_revision(proposal, reviewed=True, at="")
    )
    assert does.startswith(f"{pinned}s where a model judges it")


def test_examples_that_contradict_each_other_are_no_judges(gated: Path) -> None:
    odd = Draft(checks=(JUDGE,), invalid=BAD, valid=BAD[:1])
    proposal = proposal_builder.build_proposal(
        _candidate("Names say what a thing is.", odd), rulebook_files.load_rulebook(gated), gated
    )
    assert proposal.rule.checks == ()
    assert any("is both valid and invalid" in failure for failure in proposal.failed)
