"""One candidate -> shown, decided, written: what ingest and review have in common."""

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, replace
from pathlib import Path

from rulec.commands import _around, _card, _edit, _propose, _prove, _queue
from rulec.commands._past import Glance
from rulec.commands._propose import Answer, Proposal
from rulec.commands._waiting import Waiting, members
from rulec.host import clock, interrupts, worktree
from rulec.model.proof import Proof
from rulec.model.rule import Pinned, Rule
from rulec.model.rulebook import Rulebook
from rulec.stages.revise import Revision

Say = Callable[[str], None]
Tick = Callable[[int], None]  # so much more is done
Progress = Callable[[str, int], AbstractContextManager[Tick]]  # what is done, and how much of it there is
Batch = Callable[[int], str]  # how many -> each, accept, reject or later


def _unseen(_: str, __: int) -> AbstractContextManager[Tick]:
    return nullcontext(lambda _: None)


@dataclass(frozen=True, slots=True, kw_only=True)
class Wish:
    """What the person chose on the command line, and how to ask for the rest."""

    answer: Answer  # asked about each proposal
    edit: _edit.Edit = lambda _, __: None
    batch: Batch = lambda _: "each"
    progress: Progress = _unseen
    pinned: Pinned = "auto"
    reviewed: bool = True  # a person sees each proposal
    into_git: bool = True
    asks: bool = True  # somebody is there, or said beforehand what the answer is


def decide(top: Path, item: Waiting, wish: Wish, say: Say, look: Glance, *, against: Sequence[str] = ()) -> str:
    """Show a proposal, ask, and do what the answer says: accept, reject, later, or known where nothing is new."""
    book = worktree.load(top)
    item = _news(book, item)
    if not item.sessions:
        _queue.settle(top, item.candidate)
        return "known"
    proposal = _propose.propose(item.candidate, book, top, item.sessions, wish.pinned)
    proposal = replace(proposal, against=(*proposal.against, *against))

    def prove(rule: Rule) -> Proof:
        return _prove.prove(book, rule, top, _around.together(item.sessions, 0), edges=True)

    while True:
        made = _propose.revision(proposal, reviewed=wish.reviewed, at=clock.now())
        origin = "" if item.candidate.correction else _card.short(item.source)
        past = look(book, proposal.rule) if proposal.proof else ""
        say(_card.card(proposal, _propose.does(book, proposal, made), origin, past))
        answer = wish.answer(proposal)
        if answer != "edit":
            break
        proposal = _edit.edited(proposal, book, prove, wish.edit, say)
    end = {"accept": _accept, "reject": _reject}.get(answer, _later)
    say(interrupts.through(lambda: end(top, item, proposal, made, wish)))
    return answer


def _news(book: Rulebook, item: Waiting) -> Waiting:
    """What is not evidence yet, of whatever rule a person has made of it since; without sessions where nothing is."""
    pairs = [
        (one, session)
        for one, session in zip(members(item.candidate), item.sessions, strict=True)
        if not _propose.known_already(book, one)
    ]
    if len(pairs) == len(item.sessions) or not pairs:
        return item if pairs else replace(item, sessions=())
    first, *others = (one for one, _ in pairs)
    candidate = replace(first, repeats=tuple(others))
    return replace(item, candidate=candidate, sessions=tuple(session for _, session in pairs))


def _accept(top: Path, item: Waiting, proposal: Proposal, made: Revision, wish: Wish) -> str:
    commit = _propose.commit(top, proposal, made, into_git=wish.into_git)
    _queue.settle(top, item.candidate)
    return f"  -> written{', commit ' + commit[:10] if commit else ''}\n"


def _reject(top: Path, item: Waiting, _: Proposal, __: Revision, ___: Wish) -> str:
    _queue.reject(top, item.candidate)
    _queue.settle(top, item.candidate)
    return "  -> rejected, and not proposed again\n"


def _later(top: Path, item: Waiting, _: Proposal, __: Revision, ___: Wish) -> str:
    _queue.put(top, item)
    return "  -> later: rulec review\n"
