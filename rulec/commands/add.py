"""``rulec add``: a person's own sentence -> a rule."""

from pathlib import Path

from rulec import registry
from rulec.commands import _card, _propose, _write
from rulec.commands._outcome import Outcome
from rulec.commands.ingest import Say, Wish
from rulec.errors import RulecError
from rulec.host import clock, journal, worktree
from rulec.redact import redact
from rulec.stages.extract import drafted


def run(top: Path, text: str, wish: Wish, say: Say) -> Outcome:
    """Draft a rule from a sentence, prove its check on examples made from it, ask, write."""
    if not text.strip():
        raise RulecError("the rule is empty", hint='say it in a sentence: rulec add "Use pnpm, not npm"')
    with journal.lock(top):
        book = worktree.load(top)
        if wish.into_git:
            _write.ready(top)
        proposal = _propose.propose(drafted(redact(text), registry.fits()), book, top, None, wish.pinned)
        made = _propose.revision(proposal, reviewed=True, at=clock.now())
        if proposal.resolution.decision == "NOOP" and proposal.rule.statement.casefold() == text.strip().casefold():
            return Outcome(f"{proposal.rule.slug} says that already")
        say(_card.card(proposal, _propose.does(book, proposal, made)))
        if wish.answer(proposal) != "accept":
            return Outcome("nothing written")
        commit = _propose.commit(top, proposal, made, into_git=wish.into_git)
    where = f"commit {commit[:10]}" if commit else worktree.rule_path(proposal.resolution.slug)
    return Outcome(f"written: {where}")
