"""``rulec add``: a person's own sentence -> a rule."""

from pathlib import Path

from rulec import registry
from rulec.commands import _card, _propose, _write
from rulec.commands._decide import Say, Wish
from rulec.commands._outcome import Outcome
from rulec.commands._past import Glance, glance
from rulec.errors import RulecError
from rulec.host import clock, journal, worktree
from rulec.model.candidate import Candidate
from rulec.redact import redact
from rulec.stages.extract import typed


def run(top: Path, text: str, wish: Wish, say: Say) -> Outcome:
    """Draft a rule from each wish of a text, prove its check on examples made from it, ask, write."""
    if not text.strip():
        raise RulecError("the rule is empty", hint='say it in a sentence: rulec add "Use pnpm, not npm"')
    with journal.lock(top):
        worktree.load(top)
        if wish.into_git:
            _write.ready(top)
        candidates = typed(redact(text), registry.fits())
        look = glance(top)
        return Outcome("\n".join(_one(top, candidate, wish, say, look) for candidate in candidates))


def _one(top: Path, candidate: Candidate, wish: Wish, say: Say, look: Glance) -> str:
    book = worktree.load(top)
    proposal = _propose.propose(candidate, book, top, pinned=wish.pinned)
    made = _propose.revision(proposal, reviewed=True, at=clock.now())
    same = proposal.rule.statement.casefold() == candidate.rule.statement.casefold()
    if proposal.resolution.decision == "NOOP" and same:
        return f"{proposal.rule.slug} says that already"
    past = look(book, proposal.rule) if proposal.proof else ""
    say(_card.card(proposal, _propose.does(book, proposal, made), past=past))
    if wish.answer(proposal) != "accept":
        return "nothing written"
    commit = _propose.commit(top, proposal, made, into_git=wish.into_git)
    return f"written: {f'commit {commit[:10]}' if commit else worktree.rule_path(proposal.resolution.slug)}"
