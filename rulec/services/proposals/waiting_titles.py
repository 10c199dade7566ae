"""The titles of what waits, each wish once: what was compared is kept, so that a long queue is listed at once."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import astuple, dataclass, field, fields
from importlib.metadata import version
from pathlib import Path
from typing import Any

from rulec.domain.candidate import Candidate
from rulec.errors import RulecError
from rulec.infra import clock, state
from rulec.mining.mining_questions import WORDED_BY_MODEL
from rulec.resolving.grouping import Wish, clearness, contrary_wishes, group_places, same_wish, wish_of
from rulec.services.proposals import waiting_candidates
from rulec.services.proposals.candidate_identity import candidate_id, occurrences

_KEPT = "queue-titles"
COMPARING = 0.05  # seconds that one listing spends on comparing what is new; the next one goes on
LEAST = 400  # pairs that it compares whatever that takes, so that a short queue is listed with all that is to be said


@dataclass(frozen=True, slots=True, kw_only=True)
class WaitingTitle:
    """One wish that waits, in brief; ``identity`` is by what it is opened and decided."""

    identity: str
    slug: str
    statement: str
    quote: str
    source: str  # the transcript, or the verb that it came by
    at: str
    times: int = 1
    sessions: int = 0
    by_model: bool = False
    same: tuple[str, ...] = ()  # the identities of all of it, its own among them
    against: tuple[str, ...] = ()  # the identities of wishes that ask for the contrary


@dataclass(frozen=True, slots=True)
class WaitingTitles:
    """All titles in the order in which they are decided."""

    titles: tuple[WaitingTitle, ...]
    uncompared: int = 0  # wishes that nobody compared with the others yet: they may say the same
    unreadable: tuple[str, ...] = ()  # a line for each damaged file


@dataclass(frozen=True, slots=True)
class _Voice:
    """One candidate of one file of the queue, as far as lists and comparisons need it."""

    identity: str
    slug: str
    named: str
    statement: str
    check: str
    quote: str
    session: str
    source: str
    at: str
    marked: bool
    drafted: bool
    by_model: bool
    key: str  # of all that it is compared by

    @property
    def wish(self) -> Wish:
        return Wish(self.named, self.statement, self.check)

    @property
    def clearness(self) -> tuple[bool, bool, bool]:
        return bool(self.named), self.marked, self.drafted


@dataclass(slots=True)
class _Known:
    """What earlier listings found out."""

    files: dict[str, tuple[list[int], list[_Voice]]] = field(default_factory=dict)
    compared: list[str] = field(default_factory=list)  # keys of voices, each of which was compared with all the others
    same: set[tuple[str, str]] = field(default_factory=set)
    contrary: set[tuple[str, str]] = field(default_factory=set)


def list_titles(top: Path, seconds: float | None = COMPARING) -> WaitingTitles:
    """What waits, each wish once and followed by those that ask for the contrary.

    ``seconds`` bound the time for comparing new wishes with the others; None takes as long as it takes.
    """
    known = _load(top)
    changed, unreadable = _read_files(top, known)
    voices = _voices(known)
    changed |= _compare(known, voices, clock.countdown(seconds) if seconds is not None else lambda: 1.0)
    if changed:
        _store(top, known)
    near = _Neighbours(known.compared, known.same | {(voice.key, voice.key) for voice in voices})
    groups = _groups(voices, lambda at: near.among(voices[at], voices[:at]))
    best = [max(group, key=lambda one: one.clearness) for group in groups]
    against = _Neighbours(known.compared, known.contrary)
    titles = [
        _title(group, one, [other.identity for other in against.of(one, best)])
        for group, one in zip(groups, best, strict=True)
    ]
    left = sum(voice.key not in near.keys for voice in voices)
    return WaitingTitles(tuple(_beside_contraries(titles)), left, tuple(unreadable))


def files_of_wish(top: Path, identity: str) -> tuple[list[str], list[str]]:
    """The files of the queue with the wish of this identity, and the identities of the contrary wishes.

    Compared to the end, whatever a list left open; nothing where it does not wait.
    """
    known = _load(top)
    _read_files(top, known)
    voices = _voices(known)
    found = [voice for voice in voices if voice.identity == identity]
    if not found:
        return [], []
    near = _Neighbours(known.compared, known.same | {(voice.key, voice.key) for voice in voices}, same_wish)
    for one in found:  # grows: all that says the same as one of them
        found += [other for other in near.of(one, voices) if other not in found]
    ordered = [voice for voice in voices if voice in found]
    groups = _groups(ordered, lambda at: near.among(ordered[at], ordered[:at]))
    group = next(one for one in groups if any(voice.identity == identity for voice in one))
    mine = {voice.identity for voice in group}
    names = [name for name, (_, some) in known.files.items() if any(voice.identity in mine for voice in some)]
    against = _Neighbours(known.compared, known.contrary, contrary_wishes)
    best = max(group, key=lambda one: one.clearness)
    return names, [voice.identity for voice in against.of(best, voices)]


class _Neighbours:
    """Which voices are related to one: as it was found out before, else by ``relate`` if there is one."""

    def __init__(
        self,
        compared: Sequence[str],
        pairs: set[tuple[str, str]],
        relate: Callable[[Wish, Wish], bool] | None = None,
    ) -> None:
        self.keys, self._relate = frozenset(compared), relate
        self._near: dict[str, set[str]] = {}
        for one, other in pairs:
            self._near.setdefault(one, set()).add(other)
            self._near.setdefault(other, set()).add(one)

    def of(self, voice: _Voice, others: Sequence[_Voice]) -> list[_Voice]:
        """The related ones among the others."""
        return [others[at] for at in self.among(voice, others) if others[at] is not voice]

    def among(self, voice: _Voice, others: Sequence[_Voice]) -> Iterator[int]:
        """The places of the related ones."""
        near = self._near.get(voice.key, set())
        known = self._relate is None or voice.key in self.keys
        for at, other in enumerate(others):
            if self._relate is None or (known and other.key in self.keys):
                if other.key in near:
                    yield at
            elif self._relate(voice.wish, other.wish):
                yield at


def _groups(voices: Sequence[_Voice], earlier: Callable[[int], Iterator[int]]) -> list[list[_Voice]]:
    groups: dict[int, list[_Voice]] = {}
    for voice, place in zip(voices, group_places(len(voices), earlier), strict=True):
        groups.setdefault(place, []).append(voice)
    return sorted(groups.values(), key=lambda group: -len(_sessions(group)))


def _sessions(group: Sequence[_Voice]) -> set[str]:
    return {voice.session for voice in group} - {""}


def _title(group: Sequence[_Voice], best: _Voice, against: Sequence[str]) -> WaitingTitle:
    return WaitingTitle(
        identity=best.identity, slug=best.slug, statement=best.statement, quote=best.quote, source=best.source,
        at=min(voice.at for voice in group), times=len(group), sessions=len(_sessions(group)),
        by_model=best.by_model, same=tuple(voice.identity for voice in group), against=tuple(against),
    )  # fmt: skip


def _beside_contraries(titles: Sequence[WaitingTitle]) -> Iterator[WaitingTitle]:
    """Each title once, followed by those that contradict it."""
    by_identity, given = {title.identity: title for title in titles}, set[str]()
    for title in titles:
        for one in (title, *(by_identity[name] for name in title.against)):
            if one.identity not in given:
                given.add(one.identity)
                yield one


def _voices(known: _Known) -> list[_Voice]:
    """All voices once, those of the oldest file first."""
    files = sorted(known.files.items(), key=lambda pair: (pair[1][1][0].at, pair[0]))
    found: dict[str, _Voice] = {}
    for _, (_, voices) in files:
        for voice in voices:
            found.setdefault(voice.identity, voice)
    return list(found.values())


def _compare(known: _Known, voices: Sequence[_Voice], left: Callable[[], float]) -> bool:
    """Compare new voices with all the others while there is time; forget those that are gone."""
    wishes = {voice.key: voice.wish for voice in voices}
    kept = [key for key in known.compared if key in wishes]
    changed = len(kept) < len(known.compared)
    known.compared = kept
    for pairs in (known.same, known.contrary):
        pairs -= {pair for pair in pairs if not wishes.keys() >= set(pair)}
    old, pairs_done = set(kept), 0
    for key, wish in wishes.items():
        if key in old:
            continue
        if pairs_done >= LEAST and left() <= 0:
            break
        pairs_done += len(known.compared)
        for other in known.compared:
            if same_wish(wish, wishes[other]):
                known.same.add((key, other))
            elif contrary_wishes(wish, wishes[other]):
                known.contrary.add((key, other))
        known.compared.append(key)
        changed = True
    return changed


def _read_files(top: Path, known: _Known) -> tuple[bool, list[str]]:
    """Bring the voices of each file up to date; whether any changed, and a line for each that cannot be read."""
    unreadable: list[str] = []
    stamps = waiting_candidates.file_stamps(top)
    gone = [name for name in known.files if name not in stamps]
    for name in gone:
        del known.files[name]
    changed = bool(gone)
    for name, stamp in stamps.items():
        if name in known.files and known.files[name][0] == stamp:
            continue
        changed = True
        known.files.pop(name, None)
        try:
            item = waiting_candidates.read_waiting(top, name)
        except RulecError as error:
            unreadable.append(f"{error}; the others are not touched")
            continue
        known.files[name] = stamp, [_voice(one, item.source, item.at) for one in occurrences(item.candidate)]
    return changed, unreadable


def _voice(candidate: Candidate, source: str, at: str) -> _Voice:
    said, wish = candidate.correction, wish_of(candidate)
    _, marked, drafted = clearness(candidate)
    return _Voice(
        identity=candidate_id(candidate), slug=candidate.rule.slug, named=wish.named, statement=wish.statement,
        check=wish.check, quote=said.quote if said else "", session=said.turn.session if said else "",
        source=source, at=at, marked=marked, drafted=drafted,
        by_model=candidate.rule.rationale == WORDED_BY_MODEL, key=state.digest_of_values(astuple(wish)),
    )  # fmt: skip


_OWN = tuple(one.name for one in fields(_Voice))


def _load(top: Path) -> _Known:
    """What is kept; nothing where it is damaged or of another version, for all of it can be found out again."""
    data = state.read_state(top, _KEPT)
    with suppress(TypeError, ValueError, KeyError, AttributeError, IndexError):
        if data["version"] != version("rulec") or data["fields"] != [*_OWN]:
            return _Known()
        files = {
            str(name): ([*stamp], [_Voice(*one) for one in voices]) for name, (stamp, voices) in data["files"].items()
        }
        compared = [str(key) for key in data["compared"]]
        pairs = [{(compared[a], compared[b]) for a, b in data[name]} for name in ("same", "contrary")]
        return _Known({name: found for name, found in files.items() if found[1]}, compared, *pairs)
    return _Known()


def _store(top: Path, known: _Known) -> None:
    place = {key: at for at, key in enumerate(known.compared)}
    files: Mapping[str, Any] = {
        name: [stamp, [astuple(voice) for voice in voices]] for name, (stamp, voices) in known.files.items()
    }
    pairs = {
        name: sorted([place[one], place[other]] for one, other in found)
        for name, found in (("same", known.same), ("contrary", known.contrary))
    }
    data = {"version": version("rulec"), "fields": [*_OWN], "files": files, "compared": known.compared, **pairs}
    with suppress(RulecError, OSError):  # a repository that cannot be written: only time is lost
        state.write_state(top, _KEPT, data)
