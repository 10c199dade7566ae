"""The titles of what waits, each wish once: what was read is kept, so that a long queue is listed at once."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import astuple, dataclass, fields
from importlib.metadata import version
from pathlib import Path
from typing import Any

from rulec.domain.candidate import Candidate
from rulec.errors import RulecError
from rulec.infra import state
from rulec.mining.mining_questions import WORDED_BY_MODEL
from rulec.resolving.grouping import Wish, clearness, contrary_places, group_wishes, wish_of
from rulec.services.proposals import waiting_candidates
from rulec.services.proposals.candidate_identity import candidate_id, occurrences

_KEPT = "queue-titles"


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

    @property
    def wish(self) -> Wish:
        return Wish(self.named, self.statement, self.check)

    @property
    def clearness(self) -> tuple[bool, bool, bool]:
        return bool(self.named), self.marked, self.drafted


_Files = dict[str, tuple[list[int], list[_Voice]]]  # of each file its stamp and the voices in it


def list_titles(top: Path) -> WaitingTitles:
    """What waits, each wish once and followed by those that ask for the contrary."""
    files, unreadable = _read_files(top)
    voices = _voices(files)
    groups = _groups(voices)
    best = [max(group, key=lambda one: one.clearness) for group in groups]
    against = contrary_places([one.wish for one in best])
    titles = [
        _title(group, one, [best[at].identity for at in places])
        for group, one, places in zip(groups, best, against, strict=True)
    ]
    return WaitingTitles(tuple(_beside_contraries(titles)), tuple(unreadable))


def files_of_wish(top: Path, identity: str) -> tuple[list[str], list[str]]:
    """The files of the queue with the wish of this identity, and the identities of the contrary wishes.

    Nothing where it does not wait.
    """
    files, _ = _read_files(top)
    groups = _groups(_voices(files))
    best = [max(group, key=lambda one: one.clearness) for group in groups]
    for group, places in zip(groups, contrary_places([one.wish for one in best]), strict=True):
        mine = {voice.identity for voice in group}
        if identity in mine:
            names = [name for name, (_, some) in files.items() if any(voice.identity in mine for voice in some)]
            return names, [best[at].identity for at in places]
    return [], []


def _groups(voices: Sequence[_Voice]) -> list[list[_Voice]]:
    groups: dict[int, list[_Voice]] = {}
    for voice, place in zip(voices, group_wishes([voice.wish for voice in voices]), strict=True):
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


def _voices(known: _Files) -> list[_Voice]:
    """All voices once, those of the oldest file first."""
    found: dict[str, _Voice] = {}
    for _, (_, voices) in sorted(known.items(), key=lambda pair: (pair[1][1][0].at, pair[0])):
        for voice in voices:
            found.setdefault(voice.identity, voice)
    return list(found.values())


def _read_files(top: Path) -> tuple[_Files, list[str]]:
    """The voices of each file, as they are kept where it is unchanged; and a line for each that cannot be read."""
    known, stamps = _load(top), waiting_candidates.file_stamps(top)
    found: _Files = {}
    unreadable: list[str] = []
    for name, stamp in stamps.items():
        if name in known and known[name][0] == stamp:
            found[name] = known[name]
            continue
        try:
            item = waiting_candidates.read_waiting(top, name)
        except RulecError as error:
            unreadable.append(f"{error}; the others are not touched")
            continue
        found[name] = stamp, [_voice(one, item.source, item.at) for one in occurrences(item.candidate)]
    if found != known:
        _store(top, found)
    return found, unreadable


def _voice(candidate: Candidate, source: str, at: str) -> _Voice:
    said, wish = candidate.correction, wish_of(candidate)
    _, marked, drafted = clearness(candidate)
    return _Voice(
        identity=candidate_id(candidate), slug=candidate.rule.slug, named=wish.named, statement=wish.statement,
        check=wish.check, quote=said.quote if said else "", session=said.turn.session if said else "",
        source=source, at=at, marked=marked, drafted=drafted,
        by_model=candidate.rule.rationale == WORDED_BY_MODEL,
    )  # fmt: skip


_OWN = tuple(one.name for one in fields(_Voice))


def _load(top: Path) -> _Files:
    """What is kept; nothing where it is damaged or of another version, for all of it can be found out again."""
    data = state.read_state(top, _KEPT)
    with suppress(TypeError, ValueError, KeyError, AttributeError, IndexError):
        if data["version"] == version("rulec") and data["fields"] == [*_OWN]:
            read = {
                str(name): ([*stamp], [_Voice(*one) for one in voices])
                for name, (stamp, voices) in data["files"].items()
            }
            return {name: found for name, found in read.items() if found[1]}
    return {}


def _store(top: Path, known: _Files) -> None:
    files: Mapping[str, Any] = {
        name: [stamp, [astuple(voice) for voice in voices]] for name, (stamp, voices) in known.items()
    }
    data = {"version": version("rulec"), "fields": [*_OWN], "files": files}
    with suppress(RulecError, OSError):  # a repository that cannot be written: only time is lost
        state.write_state(top, _KEPT, data)
