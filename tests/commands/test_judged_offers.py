"""A model may offer to judge what it cannot check: that is tried last, proves nothing and warns at most."""

from pathlib import Path

import pytest
from rulec.commands._tried import attempts

from rulec.commands import _card, _effects, _propose, _told
from rulec.host import worktree
from rulec.model.candidate import Candidate, Offered
from rulec.model.rule import Check, Example
from rulec.model.transcript import Action
from rulec.stages.extract import typed
from rulec.stages.verify import Session
from tests.support.drafting import drafter

JUDGE = Check(kind="judge", template="judge", parameters={"of": "diff"})
BAD = (Example(kind="file", path="a.py", text="data = 1\n"), Example(kind="file", path="b.py", text="tmp = 2\n"))
GOOD = (Example(kind="file", path="a.py", text="rate = 1\n"), Example(kind="file", path="b.py", text="sum = 2\n"))
OFFERED = Offered(check=JUDGE, invalid=BAD, valid=GOOD)


def _candidate(text: str, offered: Offered = OFFERED) -> Candidate:
    (candidate,) = typed(text, drafter())
    return Candidate(rule=candidate.rule, drafts=candidate.drafts, offered=offered)


def test_a_judge_is_tried_when_no_template_holds_with_or_without_the_models_examples() -> None:
    candidate = _candidate("Never use print() in src/.")
    kinds = [attempt.draft.checks[0].kind for attempt in attempts(candidate, 1)]
    assert kinds[-1] == "judge"
    assert kinds.count("judge") == 1
    assert len(kinds) > 2


def test_an_offered_judge_becomes_a_rule_that_says_that_nothing_proves_it(gated: Path) -> None:
    book = worktree.load(gated)
    session = Session(before=(Action(kind="write", path="a.py", new="data = 1\n"),))
    proposal = _propose.propose(_candidate("Names say what a thing is."), book, gated, (session,))
    assert proposal.rule.checks == (JUDGE,)
    assert (proposal.rule.invalid, proposal.rule.valid) == (BAD, GOOD)
    made = _propose.revision(proposal, reviewed=True, at="2026-11-22T00:00:00Z")
    assert [item.kind for item in made.evidence] == ["accepted"]
    does = _effects.does(book, proposal, made)
    assert does.startswith("warns where a model judges it (asked nowhere: no backend is configured)")
    card = _card.card(proposal, does)
    assert "to fail:  a.py: data = 1" in card
    assert "to hold:  a.py: rate = 1" in card
    assert "judged:   by a model, which nothing proves; its examples measure it" in card
    assert "proof:" not in card
    assert _told.proposal(proposal)["proved"] is False


@pytest.mark.parametrize("pinned", ["warn", "block"])
def test_a_pinned_judge_is_told_as_what_it_does(gated: Path, pinned) -> None:
    book = worktree.load(gated)
    proposal = _propose.propose(_candidate("Names say what a thing is."), book, gated, pinned=pinned)
    does = _effects.does(book, proposal, _propose.revision(proposal, reviewed=True, at=""))
    assert does.startswith("warns where a model judges it")
    assert ("it blocks, as a person pinned it, once" in does) is (pinned == "block")


def test_examples_that_contradict_each_other_are_no_judges(gated: Path) -> None:
    offered = Offered(check=JUDGE, invalid=BAD, valid=BAD[:1])
    proposal = _propose.propose(_candidate("Names say what a thing is.", offered), worktree.load(gated), gated)
    assert proposal.rule.checks == ()
    assert any("is both valid and invalid" in failure for failure in proposal.failed)


@pytest.mark.parametrize(
    ("text", "of", "reads"),
    [("Every commit message says why.", "message", "message"), ("Error messages say what to do.", "diff", "file")],
)
def test_an_offered_judge_reads_what_its_statement_speaks_of(text: str, of: str, reads: str) -> None:
    examples = (Example(kind="message", text="Mend it"), Example(kind="file", path="a.py", text="fail()\n"))
    candidate = _candidate(text, Offered(check=JUDGE, invalid=examples))
    *_, last = attempts(candidate, 1)
    assert last.draft.checks == (Check(kind="judge", template="judge", parameters={"of": of}),)
    assert [example.kind for example in last.draft.invalid] == [reads]
