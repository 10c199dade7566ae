"""One candidate -> shown, decided, written: what ingest and review have in common."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from rulec.commands import (
    _around,
    _card,
    _edit,
    _effects,
    _innocents,
    _lines,
    _onto,
    _propose,
    _prove,
    _queue,
    _record,
    _told,
)
from rulec.commands._known import known_already
from rulec.commands._onto import HEAD, Onto
from rulec.commands._past import Glance
from rulec.commands._progress import Progress, unwatched
from rulec.commands._propose import Against, Answer, Proposal, Ruling, resolved
from rulec.commands._waiting import Waiting, gathered, heard_in, members
from rulec.host import clock, interrupts, worktree
from rulec.model.proof import Proof
from rulec.model.resolution import Resolution
from rulec.model.rule import Example, Pinned, Rule
from rulec.model.rulebook import Rulebook
from rulec.stages.backtest import MANY_SAID
from rulec.stages.revise import Revision

Say = Callable[[str], None]
Batch = Callable[[int], str]  # how many -> each, accept, reject or later


@dataclass(frozen=True, slots=True, kw_only=True)
class Wish:
    """What the person chose on the command line, and how to ask for the rest."""

    answer: Answer  # asked about each proposal
    edit: _edit.Edit = lambda _, __: None
    batch: Batch = lambda _: "each"
    progress: Progress = unwatched
    pinned: Pinned = "auto"
    reviewed: bool = True  # a person sees each proposal
    confirms: bool = True  # and says yes to what its card shows, which makes the examples there their own
    own: bool = False  # the words are the person's, who types them now
    onto: Onto = HEAD
    asks: bool = True  # somebody is there, or said beforehand what the answer is
    backend: str = ""  # who is asked to read for us, "" is as the settings say
    bulk: bool = False  # within a day, at a lower price
    offline: bool = False  # nobody is asked, whatever the settings say


@dataclass(frozen=True, slots=True)
class Decided:
    """What became of one wish."""

    answer: str  # accept, reject, later, or known where nothing is new
    proposal: Proposal | None = None
    commit: str = ""
    doubt: str = ""

    @property
    def data(self) -> dict[str, Any]:
        """For programs."""
        told = _told.proposal(self.proposal) if self.proposal else {}
        return {"answer": self.answer, "commit": self.commit, "doubt": self.doubt, **told}


def decide(
    top: Path, item: Waiting, wish: Wish, say: Say, look: Glance, *,
    against: Sequence[Against] = (), ruling: Ruling = resolved,
) -> list[Decided]:  # fmt: skip
    """Show what becomes of an item, ask, and do what the answer says; of several wishes each on its own."""
    book = _onto.load(top, wish.onto)
    item = _news(book, item)
    if not item.sessions:
        _queue.settle(top, item.candidate)
        return [Decided("known")]
    parts = _parts(book, item, ruling)
    if not parts:
        return [_one(_Case(top, book, item, wish, tuple(against), ruling), say, look)]
    say(f"{len(parts)} wishes in one, each on its own:\n")
    done = [one for part in parts for one in decide(top, part, wish, say, look, against=against, ruling=ruling)]
    if all(one.answer != "later" for one in done):
        _queue.settle(top, item.candidate)
    return done


def _parts(book: Rulebook, item: Waiting, ruling: Ruling) -> list[Waiting]:
    """Each wish of an item that voices several, [] where there is one."""
    found: list[Waiting] = []
    many = False
    for one, session in zip(members(item.candidate), item.sessions, strict=True):
        said = ruling(one, book)
        many = many or said.decision == "SPLIT"
        wishes = said.parts if said.decision == "SPLIT" else (one,)
        found += [replace(item, candidate=wish, sessions=(session,)) for wish in wishes]
    return gathered(found) if many else []


@dataclass(frozen=True, slots=True)
class _Case:
    """One wish to be decided on."""

    top: Path
    book: Rulebook
    item: Waiting
    wish: Wish
    against: tuple[Against, ...]
    ruling: Ruling

    def proposal(self, said: Resolution | None = None) -> Proposal:
        """What it would become, or what a person says that it is."""
        said = said or self.ruling(self.item.candidate, self.book)
        pinned = self.wish.pinned if self.wish.pinned != "auto" else self.item.pinned
        found = _propose.propose(
            self.item.candidate, self.book, self.top, self.item.sessions, pinned=pinned, resolution=said
        )
        return replace(found, against=(*found.against, *self.against))


def _one(case: _Case, say: Say, look: Glance) -> Decided:
    top, book, item, wish = case.top, case.book, case.item, case.wish
    proposal = case.proposal()

    def prove(rule: Rule) -> Proof:
        spares = proposal.resolution.manner == "exception"  # what happened before it is no offence any more
        return _prove.prove(book, rule, top, None if spares else _around.together(item.sessions, 0), edges=True)

    while True:
        seen = _confirmed(proposal) if wish.confirms and wish.reviewed else proposal
        made = _propose.revision(seen, reviewed=wish.reviewed or wish.own, at=clock.now())
        origin = "" if item.candidate.correction or wish.own else _lines.short(item.source)
        past = look(book, proposal.rule) if proposal.proof else ""
        there = _innocents.look(top, book, proposal.rule) if proposal.proof else _innocents.There()
        there = replace(there, voiced=len(heard_in(item.candidate)))
        much = f"the last commits speak against it: {past}" if MANY_SAID in past else there.held_back
        doubt = _effects.doubt(book, proposal, made) or much
        seen_there = "; ".join(filter(None, (past, there.line)))
        say(_card.card(proposal, _effects.does(book, proposal, made), origin, seen_there, doubt))
        answer = "later" if doubt and not wish.reviewed else wish.answer(proposal)
        if answer == "edit":
            old = proposal.old if proposal.resolution.decision == "UPDATE" else None
            before = _onto.text(top, wish.onto, worktree.rule_path(old.slug)) if old else ""
            proposal = _edit.edited(proposal, book, prove, wish.edit, say, before=before)
        elif answer == "new" and proposal.old:
            proposal = case.proposal(_propose.alone(proposal))
        elif answer == "accept" and proposal.stuck:
            say(f"  -> not written: {proposal.stuck}")
            answer = "later"
            break
        else:
            break
    end = {"accept": _accept, "reject": _reject}.get(answer, _later)
    commit, told = interrupts.through(lambda: end(top, item, proposal, made, wish))
    say(told)
    return Decided(answer, proposal, commit, doubt)


def _confirmed(proposal: Proposal) -> Proposal:
    """The proposal whose examples are a person's as far as its card shows them, where they were made from the check."""
    shown = _card.shown(proposal)

    def own(examples: Sequence[Example]) -> tuple[Example, ...]:
        return tuple(replace(one, source="person") if one.source == "template" and one in shown else one
                     for one in examples)  # fmt: skip

    rule = proposal.rule
    return replace(proposal, rule=replace(rule, invalid=own(rule.invalid), valid=own(rule.valid)))


def _news(book: Rulebook, item: Waiting) -> Waiting:
    """What is not evidence yet, of whatever rule a person has made of it since; without sessions where nothing is."""
    pairs = [
        (one, session)
        for one, session in zip(members(item.candidate), item.sessions, strict=True)
        if not known_already(book, one)
    ]
    if len(pairs) == len(item.sessions) or not pairs:
        return item if pairs else replace(item, sessions=())
    first, *others = (one for one, _ in pairs)
    candidate = replace(first, repeats=tuple(others))
    return replace(item, candidate=candidate, sessions=tuple(session for _, session in pairs))


Ended = tuple[str, str]  # the id of a commit, or "", and what to say


def _accept(top: Path, item: Waiting, proposal: Proposal, made: Revision, wish: Wish) -> Ended:
    commit = _record.commit(top, proposal, made, wish.onto)
    _queue.settle(top, item.candidate)
    return commit, f"  -> written: {_onto.told(top, wish.onto, commit)}\n"


def _reject(top: Path, item: Waiting, _: Proposal, __: Revision, wish: Wish) -> Ended:
    if wish.own:
        return "", "  -> nothing written\n"
    _queue.reject(top, item.candidate)
    _queue.settle(top, item.candidate)
    return "", "  -> rejected, and not proposed again\n"


def _later(top: Path, item: Waiting, _: Proposal, __: Revision, wish: Wish) -> Ended:
    _queue.put(top, replace(item, pinned=wish.pinned) if wish.pinned != "auto" else item)
    return "", "  -> later: rulec review\n"
