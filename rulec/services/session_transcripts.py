"""Transcripts of agents' sessions here: found, recognised, read as turns, and the session around a correction."""

import hashlib
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path

from rulec import registry
from rulec.checks.proving import replay
from rulec.checks.proving.replay import ProofSession
from rulec.domain.candidate import Correction, TurnReading
from rulec.domain.transcript import TranscriptFormat, Turn, UnreadableLine
from rulec.errors import RulecError
from rulec.infra import transcript_files
from rulec.llm.prompt_safety import clean_turn
from rulec.mining.correction_detection import detect_corrections

STEP = 1 << 20  # bytes between two words about progress
LOOSEST = "messages"  # the reader that takes anything with a speaker and words
HELD = 8 << 20  # bytes of a transcript whose turns are kept for those who ask for them next
_PARSED: dict[tuple[Path, str, int, int], list[Turn | UnreadableLine]] = {}  # of the last file


def find_reader(path: Path, name: str = "") -> TranscriptFormat:
    """The parser that a person named, or the one that recognises the file."""
    start = transcript_files.read_head(path)
    if name:
        known = registry.readers()
        if name not in known:
            raise RulecError(f"no reader {name!r}", hint=f"known are {', '.join(known)}")
        return known[name]
    found = next((reader for reader in registry.each_reader() if reader.recognises(start)), None)
    found = found or _nearest_reader(transcript_files.read_head(path, STEP))
    if found is None:
        formats = ", ".join(registry.readers())
        raise RulecError(
            "is in no format that rulec reads", where=str(path), hint=f"it reads {formats}; force one with --reader"
        )
    return found


def _nearest_reader(start: bytes) -> TranscriptFormat | None:
    """The reader that makes most of a file whose header none knows: it finds a person in it, and more turns than one.

    Messages in the shape of a model's interface are in many files, so their reader has the last word, not the first.
    """
    lines = start.splitlines(keepends=True)
    best: tuple[tuple[int, int, int], TranscriptFormat] | None = None
    for reader in registry.readers().values():
        found = list(reader.read(lines))
        said = Counter("damage" if isinstance(item, UnreadableLine) else item.role for item in found)
        spoken = said["human"] + said["unknown"]
        worth = int(reader.name != LOOSEST), spoken, said["agent"]
        if spoken and spoken + said["agent"] > 1 and (best is None or worth > best[0]):
            best = worth, reader
    return replace(best[1], read=partial(_read_as, best[1])) if best else None


def _read_as(reader: TranscriptFormat, lines: Iterable[bytes]) -> Iterator[Turn | UnreadableLine]:
    yield UnreadableLine(
        1, f"a header that no reader knows (what follows is read as {reader.name}, the nearest format)"
    )
    yield from reader.read(lines)


def repository_transcripts(top: Path) -> list[Path]:
    """The transcripts of agents' sessions in this repository, newest first."""
    return transcript_files.find_transcripts(
        top, [root for reader in registry.readers().values() for root in reader.roots]
    )


def every_transcript() -> list[Path]:
    """The transcripts of all agents' sessions on this machine, newest first."""
    return transcript_files.every_transcript(root for reader in registry.readers().values() for root in reader.roots)


def read_turns(
    path: Path, reader: TranscriptFormat, tick: Callable[[int], None] | None = None
) -> Iterator[Turn | UnreadableLine]:
    """The turns of a file, streamed, without the person's own keys; one without a session's id gets it of its head.

    A file of ordinary size is parsed once, however often its turns are asked for; larger ones are never held whole.
    """
    changed, size = transcript_files.transcript_stamp(path)
    key = path, reader.name, changed, size
    if key in _PARSED:
        if tick:
            tick(size)
        yield from _PARSED[key]
        return
    items = list[Turn | UnreadableLine]()
    for item in _parse_turns(path, reader, tick):
        if size <= HELD:
            items.append(item)
        yield item
    if size <= HELD:
        _PARSED.clear()
        _PARSED[key] = items


def _parse_turns(
    path: Path, reader: TranscriptFormat, tick: Callable[[int], None] | None
) -> Iterator[Turn | UnreadableLine]:
    name = "head-" + hashlib.sha256(transcript_files.read_head(path)).hexdigest()[:12]
    lines = transcript_files.read_lines(path)
    for item in reader.read(_counted(lines, tick) if tick else lines):
        if isinstance(item, UnreadableLine):
            yield item
        else:
            yield clean_turn(item if item.session else replace(item, session=name))


def _counted(lines: Iterable[bytes], tick: Callable[[int], None]) -> Iterator[bytes]:
    """The lines, reporting how many bytes were read."""
    passed = 0
    for line in lines:
        passed += len(line)
        if passed >= STEP:
            tick(passed)
            passed = 0
        yield line
    tick(passed)


def classify_turns(
    path: Path, reader: TranscriptFormat, tick: Callable[[int], None] | None = None
) -> Iterator[TurnReading | UnreadableLine]:
    """The reading of every human turn."""
    return detect_corrections(read_turns(path, reader, tick))


def sessions_of_corrections(
    path: Path, reader: TranscriptFormat, corrections: Sequence[Correction], corrected: frozenset[int]
) -> list[ProofSession]:
    """The session around each correction, for replay; reads the file once more."""
    return replay.sessions_around(read_turns(path, reader), corrections, corrected) if corrections else []
