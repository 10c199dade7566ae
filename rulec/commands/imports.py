"""``rulec import``: what a team wrote for its agents -> rules, each resolved, proved and accepted like any other."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

from rulec.commands import _decide, _lines, _onto, _propose, _queue
from rulec.commands._decide import Decided, Say, Wish
from rulec.commands._documents import documents_of, everything
from rulec.commands._drafter import drafter
from rulec.commands._import_tally import Tally, data, lines, outcome, place, summary
from rulec.commands._imported import gone, heard, origins, rewritten
from rulec.commands._outcome import Outcome
from rulec.commands._past import Glance, glance, refusing
from rulec.commands._propose import Proposal
from rulec.commands._sayings import candidates
from rulec.commands._waiting import Waiting
from rulec.errors import RulecError
from rulec.host import git, journal, worktree
from rulec.model.candidate import Candidate
from rulec.model.rule import Rule
from rulec.model.rulebook import Rulebook


@dataclass(frozen=True, slots=True)
class _Way:
    """How the wishes are decided."""

    wish: Wish
    say: Say
    look: Glance
    unseen: bool  # one answer for all, so what is in doubt waits


def run(top: Path, here: Path, names: Sequence[str], wish: Wish, say: Say) -> Outcome:
    """Read the files, ask about each wish that is new, write what is accepted, one commit each."""
    tally = _read(top, here, names)
    with _writing(top, wish):
        book = _onto.load(top, wish.onto)
        new = _new(top, book, tally)
        way = _way(top, wish, new, say)
        for one in new:
            _one(top, one, tally, way)
        paths = {document.path for document in tally.documents} if names else origins(book)
        lost = gone(_onto.load(top, wish.onto), tally.digests, tally.kept, paths)
    return outcome(tally, lost, asks=wish.asks)


def dry(here: Path, names: Sequence[str]) -> Outcome:
    """What an import would make of the files; nothing is written, and no repository is needed."""
    top = _top(here)
    book = worktree.load(top) if worktree.exists(top) else Rulebook()
    tally = _read(top, here, names)
    said: list[str] = []
    for one in _new(top, book, tally):
        proposal = _propose.propose(one, book, top)
        if proposal.resolution.decision == "NOOP":
            tally.known(proposal.resolution.slug)
            continue
        tally.decided(Decided("accept", proposal), one)
        said += lines(proposal, one)
    said += [f"{where}  left out: {_lines.short(text)}" for found in tally.found for where, text in found.left]
    return Outcome("\n".join([*said, summary(tally)]), data=data(tally, {}))


def _top(here: Path) -> Path:
    try:
        return git.root(here)
    except RulecError:
        return here


def _read(top: Path, here: Path, names: Sequence[str]) -> Tally:
    documents, drafting = documents_of(top, here, names), drafter(top)
    tally = Tally(documents=documents, found=[candidates(one, drafting) for one in documents])
    if names and worktree.exists(top):
        whole = {one.path for one in documents if not one.section}
        others = (one for one in everything(top) if one.path not in whole)
        tally.elsewhere = [one for document in others for one in candidates(document, drafting).candidates]
    tally.counts["left"] = sum(len(found.left) for found in tally.found)
    return tally


@contextmanager
def _writing(top: Path, wish: Wish) -> Iterator[None]:
    with journal.lock(top):
        worktree.load(top)
        if wish.asks:
            _onto.ready(top, wish.onto)
        yield


def _new(top: Path, book: Rulebook, tally: Tally) -> list[Candidate]:
    """The wishes that no evidence knows and nobody rejected."""
    known, rejected = heard(book), _queue.rejected(top) if worktree.exists(top) else lambda _: False
    new = [one for one in tally.candidates if one.digest not in known]
    tally.counts["known"] += len(tally.candidates) - len(new)
    asked = [one for one in new if not rejected(one)]
    tally.counts["rejected"] += len(new) - len(asked)
    return rewritten(asked, book, tally.digests)


_MANY = 2


def _way(top: Path, wish: Wish, new: Sequence[Candidate], say: Say) -> _Way:
    """The person's one answer for all, where they give one."""
    own = replace(wish, reviewed=True)  # --yes is the yes of a person who names the team's own file
    if not wish.reviewed or not wish.asks or len(new) < _MANY:
        return _Way(own, say, glance(top), unseen=not wish.reviewed)
    for one in new:
        say(f"{place(one)}  {_lines.short(one.rule.statement)}")
    answer = wish.batch(len(new))
    if answer != "each":
        own = replace(own, answer=lambda _: answer)
    return _Way(own, say, glance(top), unseen=answer == "accept")


def _one(top: Path, candidate: Candidate, tally: Tally, way: _Way) -> None:
    book = _onto.load(top, way.wish.onto)
    if candidate.source and candidate.source.was:
        tally.kept.add(candidate.source.was)
    said = _propose.resolved(candidate, book)
    if said.decision == "NOOP" and said.band == "auto":
        tally.known(said.slug)
        return
    item = Waiting(candidate=candidate, source=place(candidate))
    if not way.wish.asks:
        _queue.put(top, item)
        tally.counts["later"] += 1
        return
    pasts: list[str] = []

    def look(book: Rulebook, rule: Rule) -> str:
        pasts.append(way.look(book, rule))
        return pasts[-1]

    def answer(proposal: Proposal) -> str:
        own = way.wish.answer(proposal)
        return "later" if way.unseen and own == "accept" and _doubtful(proposal, pasts[-1:]) else own

    wish = replace(way.wish, answer=answer)
    for one in _decide.decide(top, item, wish, way.say, look):
        tally.decided(one, candidate)


def _doubtful(proposal: Proposal, pasts: Sequence[str]) -> bool:
    """Whether it is no matter of course: it changes a rule, stands against one, or would have stood in the way."""
    said = proposal.resolution
    refused = refusing(pasts, proposal.rule)
    return bool(said.band == "review" or proposal.stuck or proposal.against or said.decision == "SUPERSEDE" or refused)
