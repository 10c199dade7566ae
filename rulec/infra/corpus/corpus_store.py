"""The folder of results: a SQLite file of what was found in each transcript, and the results that are made of it."""

import hashlib
import json
import os
import re
import shutil
import sqlite3
import stat
from collections.abc import Iterable, Iterator
from contextlib import closing, contextmanager
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from rulec.domain.text.redaction import redact
from rulec.errors import RulecError
from rulec.infra import state
from rulec.infra.corpus.transcript_store import MARKER, S3

SCHEMA = 2  # of the folder and of all that lies in it
RESULTS, GENERATIONS, WORK = "results", "generations", "work"
_KINDS = {GENERATIONS: stat.S_ISDIR, WORK: stat.S_ISDIR, RESULTS: stat.S_ISLNK,
          MARKER: stat.S_ISREG}  # fmt: skip
_NUMBER = re.compile(r"[0-9]+")
_MAGIC = b"SQLite format 3\0"
_OTHER = "name another --out"
_AGAIN = "delete the folder and read all again, or name another --out"
_TABLES = (
    "CREATE TABLE place (schema INTEGER, shown TEXT, keys TEXT)",
    "CREATE TABLE transcripts (key TEXT PRIMARY KEY, stamp TEXT, about TEXT, notes TEXT, items TEXT)",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class MinedTranscript:
    """What is known of one transcript, without what was found in it."""

    key: str
    transcript: str  # its name as it may be told
    stamp: str = ""  # what changes when it does, or the way in which it is read; "" where it has to be read again
    digest: str = ""  # of its content
    remote: str = ""
    folder: str = ""  # of its session
    beside: str = ""  # the folder that it lies in
    human: int = 0  # turns
    lasting: int = 0  # corrections
    failed: str = ""  # why it could not be read


@dataclass(frozen=True, slots=True, kw_only=True)
class MinedRecord:
    """One transcript with what was found in it."""

    about: MinedTranscript
    notes: list[str] = field(default_factory=list)  # what was passed over
    items: list[dict[str, Any]] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class CorpusStore:
    """What runs have learned of the transcripts of a corpus; one run holds it."""

    out: Path
    base: sqlite3.Connection

    def stamps(self) -> dict[str, str]:
        """The stamp of each transcript when it was last read."""
        return dict(self.base.execute("SELECT key, stamp FROM transcripts").fetchall())

    def keep(self, records: Iterable[MinedRecord]) -> None:
        """Keep what was found in some transcripts, all of it or, where the run is killed, nothing."""
        rows = [
            (one.about.key, one.about.stamp, _text(asdict(one.about)), _text(one.notes), _text(one.items))
            for one in records
        ]
        with self.base:
            self.base.executemany("REPLACE INTO transcripts VALUES (?, ?, ?, ?, ?)", rows)

    def transcripts(self) -> Iterator[MinedTranscript]:
        """What is known of each transcript, in the order of their keys."""
        for (text,) in self.base.execute("SELECT about FROM transcripts ORDER BY key").fetchall():
            with _sound(self.out):
                about: MinedTranscript = state.load_dataclass(MinedTranscript, text)
            yield about

    def notes_of(self, key: str) -> list[str]:
        """What was passed over in a transcript."""
        ((text,),) = self.base.execute("SELECT notes FROM transcripts WHERE key = ?", (key,))
        with _sound(self.out):
            return list(map(str, json.loads(text)))

    def items_of(self, key: str) -> list[Any]:
        """What was found in a transcript."""
        ((text,),) = self.base.execute("SELECT items FROM transcripts WHERE key = ?", (key,))
        with _sound(self.out):
            return list(json.loads(text))

    @contextmanager
    def new_results(self) -> Iterator[Path]:
        """A folder that takes the place of the former results in one step once all of it is written."""
        generations = self.out / GENERATIONS
        former = [path for path in generations.glob("*") if _NUMBER.fullmatch(path.name)]
        number = max((int(path.name) for path in former), default=0) + 1
        folder = generations / f"{number:04d}"
        for made in (generations, folder):
            made.mkdir(mode=0o700, exist_ok=True)
        yield folder
        link = self.out / WORK / RESULTS
        link.symlink_to(Path(GENERATIONS) / folder.name)
        link.replace(self.out / RESULTS)
        for path in former:
            shutil.rmtree(path, ignore_errors=True)


def _text(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "replace").decode()


def check_out(out: Path, place: str) -> None:
    """Refuse a folder that is not ours, or holds what was found elsewhere; nothing is written."""
    try:
        _check_out(out, place)
    except (OSError, RuntimeError) as error:  # a name that is too long, or links in a circle
        what = error.strerror if isinstance(error, OSError) else str(error)
        raise RulecError(f"cannot be the folder of results: {what}", where=str(out), hint=_OTHER) from None


def _check_out(out: Path, place: str) -> None:
    if not place.startswith(S3) and Path(place).resolve() == out.resolve():
        raise RulecError("is PATH, too", where=str(out), hint=_OTHER)
    if not os.path.lexists(out):
        return
    if not out.is_dir():
        raise RulecError("is not a folder", where=str(out), hint=_OTHER)
    marker = out / MARKER
    if not marker.is_file():
        if next(out.iterdir(), None):
            what = f"is not empty, and has no {MARKER}, so that rulec mine-corpus of this version did not make it"
            raise RulecError(what, where=str(out), hint=_OTHER)
        return
    for name, fits in _KINDS.items():
        path = out / name
        if os.path.lexists(path) and not fits(path.lstat().st_mode):
            raise RulecError("is in the way of what rulec writes", where=str(path), hint="move it away")
    with marker.open("rb") as file:
        if (begins := file.read(len(_MAGIC))) and begins != _MAGIC:  # SQLite takes a few bytes of anything for empty
            raise RulecError("is damaged: it is no SQLite file", where=str(marker), hint=_AGAIN)
    with _readable(marker), closing(sqlite3.connect(f"file:{marker.resolve()}?mode=ro", uri=True)) as base:
        _check_place(base, out, place)


def _check_place(base: sqlite3.Connection, out: Path, place: str) -> None:
    if not base.execute("SELECT 1 FROM sqlite_master").fetchone():
        return  # of a run that was killed as it began
    schema, shown, keys = base.execute("SELECT schema, shown, keys FROM place").fetchone() or (0, "", "")
    if schema != SCHEMA:
        what = f"was written by another version of rulec: it has schema {schema}, not {SCHEMA}"
        raise RulecError(what, where=str(out), hint=_OTHER)
    if not set(keys.split()) & set(_keys(out, place)):
        hint = "each PATH needs an --out of its own"
        raise RulecError(f"holds what was found in {shown}", where=str(out), hint=hint)


def _keys(out: Path, place: str) -> list[str]:
    """What tells a place: its path, and its path as seen from the results, for both may move together."""
    if place.startswith(S3):
        paths = [place.rstrip("/")]
    else:
        top = Path(place).resolve()
        paths = [str(top), os.path.relpath(top, out.resolve())]
    return [hashlib.sha256(os.fsencode(path)).hexdigest()[:16] for path in paths]


@contextmanager
def hold_out(out: Path, place: str) -> Iterator[CorpusStore]:
    """Hold the folder of results for one run; its folder of unfinished work is empty at the beginning and the end."""
    try:
        out.mkdir(mode=0o700, parents=True, exist_ok=True)
        check_out(out, place)
        os.close(os.open(out / MARKER, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600))
    except OSError as error:
        raise RulecError(f"cannot be written: {error.strerror}", where=str(out), hint=_OTHER) from None
    with _readable(out / MARKER), closing(sqlite3.connect(out / MARKER, timeout=0)) as base:
        base.execute("PRAGMA locking_mode = EXCLUSIVE")
        base.execute("BEGIN EXCLUSIVE")  # the lock stays until the connection is closed
        if not base.execute("SELECT 1 FROM sqlite_master").fetchone():
            _begin(base, out, place)
        base.commit()
        shutil.rmtree(out / WORK, ignore_errors=True)
        (out / WORK).mkdir(mode=0o700)
        try:
            yield CorpusStore(out, base)
        finally:
            shutil.rmtree(out / WORK, ignore_errors=True)


def _begin(base: sqlite3.Connection, out: Path, place: str) -> None:
    whole = place if place.startswith(S3) else str(Path(place).resolve())
    for table in _TABLES:
        base.execute(table)
    told = (SCHEMA, redact(os.fsencode(whole).decode("utf-8", "replace")), " ".join(_keys(out, place)))
    base.execute("INSERT INTO place VALUES (?, ?, ?)", told)


@contextmanager
def _readable(marker: Path) -> Iterator[None]:
    try:
        yield
    except sqlite3.OperationalError as error:
        if "locked" not in str(error):
            raise RulecError(f"cannot be used: {error}", where=str(marker), hint=_AGAIN) from None
        hint = "wait until it ends, or name another --out"
        raise RulecError("another run writes here", where=str(marker.parent), hint=hint) from None
    except sqlite3.DatabaseError as error:
        raise RulecError(f"is damaged: {error}", where=str(marker), hint=_AGAIN) from None


@contextmanager
def _sound(out: Path) -> Iterator[None]:
    """RulecError where what is kept was written by somebody else."""
    try:
        yield
    except (ValueError, TypeError, RecursionError) as error:
        raise RulecError(f"is damaged: {error}", where=str(out / MARKER), hint=_AGAIN) from None
