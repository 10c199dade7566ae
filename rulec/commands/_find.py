"""Transcripts -> what a person should be asked about: new, not rejected, each preference once."""

from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from pathlib import Path

from rulec import registry
from rulec.commands import _queue, _session
from rulec.commands._allowed import Allowed
from rulec.commands._known import known_already
from rulec.commands._progress import Progress, Tick
from rulec.commands._waiting import Waiting, gathered, mark
from rulec.errors import RulecError
from rulec.host import transcripts, worktree
from rulec.model.candidate import Candidate
from rulec.model.correction import Correction
from rulec.model.rulebook import Rulebook
from rulec.model.transcript import Damage
from rulec.redact import redact
from rulec.stages.extract import extract

ROUND = 50  # proposals with their sessions that are held at once, whatever the number of transcripts


@dataclass(slots=True)
class Found:
    """What some transcripts hold, and what was seen on the way."""

    items: list[Waiting] = field(default_factory=list)
    where: dict[str, set[Path]] = field(default_factory=dict)  # mark of a candidate -> the files it is from
    complaints: list[str] = field(default_factory=list)
    read: list[Path] = field(default_factory=list)
    human: int = 0
    durable: int = 0
    known: int = 0

    def add(self, other: "Found") -> None:
        """Count what another round saw; its proposals are decided by then."""
        self.complaints += other.complaints
        self.read += other.read
        self.human += other.human
        self.durable += other.durable
        self.known += other.known

    def summary(self, tally: Counter[str]) -> str:
        """What was read and what became of it, the complaints first."""
        many = f"{len(self.read)} transcripts, " * (len(self.read) > 1)
        counted = ", ".join(f"{tally[key]} {word}" for key, word in _WORDS.items())
        return "\n".join(
            [*self.complaints, f"{many}{self.human} human turns, {self.durable} lasting corrections: {counted}"]
        )


_WORDS = {"accept": "accepted", "reject": "rejected", "later": "left for later", "known": "known already"}


def find(top: Path, paths: Iterable[Path], reader_name: str, progress: Progress, *, strict: bool) -> Found:
    """Read transcripts, no more than hold a round; one that cannot be read is refused where ``strict``, else told."""
    found, book, refused = Found(), worktree.load(top), _queue.rejected(top)
    sizes = {path: transcripts.stamp(path)[-1] for path in paths}
    many = f"{len(sizes)} transcripts" if len(sizes) > 1 else "the transcript"
    with progress(f"reading {many}", sum(sizes.values())) as tick:
        for path in sizes:
            try:
                _one(found, path, reader_name, _New(book, refused), tick)
            except RulecError as error:
                if strict or error.where != str(path):
                    raise
                found.complaints.append(f"{path}: {error.message}, passed over")
            found.read.append(path)
            if len(found.items) >= ROUND:
                break
    found.items = gathered(found.items)
    return found


@dataclass(frozen=True, slots=True)
class _New:
    book: Rulebook
    refused: Callable[[Candidate], bool]

    def __call__(self, candidate: Candidate) -> bool:
        return not (known_already(self.book, candidate) or self.refused(candidate))


def _one(found: Found, path: Path, reader_name: str, new: _New, tick: Tick) -> None:
    reader = _session.reader_of(path, reader_name)
    corrections: list[Correction] = []
    corrected: set[int] = set()
    damaged: list[Damage] = []
    fits = registry.fits()
    allowed = Allowed(new.book, fits)
    for item in _session.readings(path, reader, tick, allowed.watch):
        if isinstance(item, Damage):
            damaged.append(item)
            continue
        found.human += 1
        if item.label != "none":
            corrected.add(item.turn.index)
        if item.correction:
            corrections.append(clean(item.correction))
    if damaged:
        first = damaged[0]
        many = f"{len(damaged)} damaged lines were" if len(damaged) > 1 else "1 damaged line was"
        found.complaints.append(f"{many} passed over (line {first.line}: {first.what})")
    voiced = [(correction, list(extract(correction, fits))) for correction in corrections]
    turns = {correction.turn.index for correction in corrections}
    voiced += [(said, [one]) for one in allowed.found if (said := one.correction) and said.turn.index not in turns]
    found.durable += len(voiced)
    asked: list[tuple[Correction, list[Candidate]]] = []
    for correction, all_of in voiced:
        fresh = [candidate for candidate in all_of if new(candidate)]
        found.known += len(all_of) - len(fresh)
        if fresh:
            asked.append((correction, fresh))
    sessions = _session.around(path, reader, [correction for correction, _ in asked], frozenset(corrected))
    for (_, fresh), session in zip(asked, sessions, strict=True):
        for candidate in fresh:
            found.where.setdefault(mark(candidate), set()).add(path)
            found.items.append(Waiting(candidate=candidate, sessions=(session,), source=str(path)))


def clean(correction: Correction) -> Correction:
    """The correction without secrets in its words: slug, statement and parameters are made of them."""
    turn = replace(correction.turn, text=redact(correction.turn.text))
    return replace(correction, quote=redact(correction.quote), turn=turn)
