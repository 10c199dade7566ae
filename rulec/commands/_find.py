"""Transcripts -> what a person should be asked about: new, not rejected, each preference once."""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from rulec.commands import _queue, _session
from rulec.commands._allowed import Allowed
from rulec.commands._around import blameless
from rulec.commands._drafter import drafter
from rulec.commands._known import known_already
from rulec.commands._mined import Mining, Said, words
from rulec.commands._progress import Progress, Tick
from rulec.commands._propose import propose, resolved
from rulec.commands._voiced import voiced
from rulec.commands._waiting import Waiting, gathered, mark, members
from rulec.drafting.drafter import Drafter
from rulec.errors import RulecError
from rulec.host import transcripts, worktree
from rulec.model.candidate import Candidate
from rulec.model.correction import Correction
from rulec.model.rulebook import Rulebook
from rulec.model.transcript import Damage

ROUND = 50  # proposals with their sessions that are held at once, whatever the number of transcripts


@dataclass(slots=True)
class Found:
    """What some transcripts hold, and what was seen on the way."""

    items: list[Waiting] = field(default_factory=list)
    where: dict[str, set[Path]] = field(default_factory=dict)  # mark of a candidate -> the files it is from
    complaints: list[str] = field(default_factory=list)
    read: list[Path] = field(default_factory=list)
    left: set[Path] = field(default_factory=set)  # of which a model is still to say something
    human: int = 0
    waits: int = 0  # human turns on which it is
    held: int = 0  # wishes on which it is
    durable: int = 0
    known: int = 0
    # wishes, by session, turn and number, that look like corrections and no more
    unread: set[tuple[str, int, int]] = field(default_factory=set)
    allowed: set[str] = field(default_factory=set)  # marks of what frees something of a rule

    def add(self, other: "Found") -> None:
        """Count what another round saw; its proposals are decided by then."""
        self.complaints += other.complaints
        self.read += other.read
        self.left |= other.left
        self.human += other.human
        self.waits += other.waits
        self.held += other.held
        self.durable += other.durable
        self.known += other.known
        self.unread |= other.unread

    def summary(self, tally: Counter[str]) -> str:
        """What was read and what became of it, the complaints first."""
        many = f"{len(self.read)} transcripts, " * (len(self.read) > 1)
        counted = ", ".join(f"{tally[key]} {word}" for key, word in _WORDS.items())
        turns, held = _many(self.waits, "turn", "turns"), _many(self.held, "wish", "wishes")
        left = " and ".join(filter(None, (turns, held)))
        if self.waits and not (self.human or self.durable or self.held):
            return "\n".join([*self.complaints, f"{many}nothing is read yet: {left} for a model"])
        waits, lasting = f"; {left} for a model" if left else "", _some(self.durable, "lasting correction")
        voiced_in = len({(session, turn) for session, turn, _ in self.unread})
        wishes = f" with {len(self.unread)} wishes" * (len(self.unread) > voiced_in)
        look = "looks like a correction" if voiced_in == 1 else "look like corrections"
        rest = f"{_some(voiced_in, 'turn')}{wishes} {look}; your agent can read them: rulec ingest --backend exchange"
        read = f"{many}{_some(self.human, 'human turn')}, {lasting}: {counted}{waits}"
        return "\n".join([*self.complaints, read, *([rest] if self.unread else [])])


def _some(number: int, what: str) -> str:
    return f"{number} {what}{'s' * (number != 1)}"


def _many(number: int, one: str, more: str) -> str:
    return f"{number} {one} waits" if number == 1 else f"{number} {more} wait" * (number > 1)


_WORDS = {"accept": "accepted", "reject": "rejected", "later": "left for later", "known": "known already"}


def find(
    top: Path,
    paths: Iterable[Path],
    reader_name: str,
    progress: Progress,
    *,
    strict: bool,
    mining: Mining | None = None,
) -> Found:
    """Read transcripts, no more than hold a round; one that cannot be read is refused where ``strict``, else told."""
    found = Found()
    how = _How(worktree.load(top), _queue.rejected(top), _queue.heard(top), reader_name, mining, drafter(top))
    sizes = {path: transcripts.stamp(path)[-1] for path in paths}
    many = f"{len(sizes)} transcripts" if len(sizes) > 1 else "the transcript"
    with progress(f"reading {many}", sum(sizes.values())) as tick:
        for path in sizes:
            try:
                _one(found, path, how, tick)
            except RulecError as error:
                if strict or error.where != str(path):
                    raise
                found.complaints.append(f"{path}: {error.message}, passed over")
            found.read.append(path)
            if len(found.items) >= ROUND:
                break
    found.items = _unmistakable(found, gathered(found.items), how, top)
    return found


def _unmistakable(found: Found, items: Sequence[Waiting], how: "_How", top: Path) -> list[Waiting]:
    """What is shown: what a reader says, what is marked or repeated or a rule already, and what the session proves.

    The rest is only counted.
    """
    shown = []
    for item in items:
        if _said_plainly(item, found, how) or _proved(item, how, top):
            shown.append(item)
        else:
            turns = {
                (one.correction.turn.session, one.correction.turn.index, one.part[0])
                for one in members(item.candidate)
                if one.correction
            }
            found.unread |= turns
    return shown


def _said_plainly(item: Waiting, found: Found, how: "_How") -> bool:
    candidates = members(item.candidate)
    said = [one.correction for one in candidates if one.correction]
    if any(one.offered for one in candidates) or any(mark(one) in found.allowed for one in candidates):
        return True
    if any(one.marked for one in said) or len({one.turn.session for one in said}) > 1:
        return True
    return resolved(item.candidate, how.book).decision == "NOOP"


def _proved(item: Waiting, how: "_How", top: Path) -> bool:
    """Whether a check that the session shows to be needed holds its proof."""
    if not item.candidate.drafts:
        return False
    proof = propose(item.candidate, how.book, top, item.sessions).proof
    return bool(proof and proof.holds)


@dataclass(frozen=True, slots=True)
class _How:
    """In what light a transcript is read."""

    book: Rulebook
    refused: Callable[[Candidate], bool]
    heard: Callable[[Candidate], bool]
    reader_name: str
    mining: Mining | None
    drafter: Drafter

    def new(self, candidate: Candidate) -> bool:
        return not (self.heard(candidate) or known_already(self.book, candidate) or self.refused(candidate))


def _one(found: Found, path: Path, how: _How, tick: Tick) -> None:
    reader = _session.reader_of(path, how.reader_name)
    said = how.mining.said(path, reader) if how.mining else Said()
    told: list[tuple[Correction, Sequence[Candidate]]] = []
    again: list[tuple[Correction, Sequence[Candidate]]] = []
    corrected: set[int] = set()
    damaged: list[Damage] = []
    allowed = Allowed(how.book, how.drafter)
    for item in _session.readings(path, reader, how.drafter, tick, allowed.watch):
        if isinstance(item, Damage):
            damaged.append(item)
            continue
        index = item.turn.index
        if index in said.left:
            found.waits += 1
            continue
        found.human += 1
        one = voiced(item, said, how.drafter)
        if one.label != "none" or item.label != "none":  # also where a model and we differ, it may correct something
            corrected.add(index)
        told += one.wishes
        again += one.again
    if damaged:
        first = damaged[0]
        many = f"{len(damaged)} damaged lines were" if len(damaged) > 1 else "1 damaged line was"
        found.complaints.append(f"{many} passed over (line {first.line}: {first.what})")
    found.complaints += filter(None, [words(said.told)])
    found.left |= {path} if said.left or said.failed else set()
    turns = {correction.turn.index for correction, _ in told} | said.left
    told += [(own, [one]) for one in allowed.found if (own := one.correction) and own.turn.index not in turns]
    told += again
    found.durable += len(told)
    asked: list[tuple[Correction, list[Candidate]]] = []
    for correction, all_of in told:
        fresh = [candidate for candidate in all_of if how.new(candidate)]
        found.known += len(all_of) - len(fresh)
        if fresh:
            asked.append((correction, fresh))
    sessions = _session.around(path, reader, [correction for correction, _ in asked], frozenset(corrected))
    for (_, fresh), session in zip(asked, sessions, strict=True):
        for candidate in fresh:
            found.where.setdefault(mark(candidate), set()).add(path)
            found.allowed |= {mark(candidate)} if candidate in allowed.found else set()
            none = candidate.offered is not None and candidate.offered.offence is None
            around = blameless(session) if none else session
            found.items.append(Waiting(candidate=candidate, sessions=(around,), source=str(path)))
