"""The folder of results: whose it is, of which corpus, who writes there; nothing but what rulec wrote is deleted."""

import fcntl
import hashlib
import json
import os
import re
import shutil
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from rulec.domain.text.redaction import redact
from rulec.errors import RulecError
from rulec.infra.corpus.transcript_store import MARKER, S3

SCHEMA = 1  # of the folder and of all that lies in it
SHARDS, RESULTS, GENERATIONS, WORK, MODEL, LOCK = "shards", "results", "generations", "work", "model", "lock"
_KINDS = {SHARDS: stat.S_ISDIR, GENERATIONS: stat.S_ISDIR, WORK: stat.S_ISDIR, MODEL: stat.S_ISDIR} | {
    RESULTS: stat.S_ISLNK, LOCK: stat.S_ISREG, MARKER: stat.S_ISREG,
}  # fmt: skip
_NUMBER = re.compile(r"[0-9]+")
_OTHER = "name another --out"


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
    _check_marker(marker, place)


def _check_marker(marker: Path, place: str) -> None:
    text = marker.read_bytes()
    if not text:
        return  # of a run that was killed as it began
    try:
        told = json.loads(text)
        schema, keys, shown = told["schema"], set(told["keys"]), str(told["place"])
    except (ValueError, TypeError, KeyError, RecursionError):
        raise RulecError("is damaged", where=str(marker), hint=_OTHER) from None
    if schema != SCHEMA:
        what = f"was written by another version of rulec: it has schema {schema}, not {SCHEMA}"
        raise RulecError(what, where=str(marker.parent), hint=_OTHER)
    if not keys & set(_keys(marker.parent, place)):
        hint = "each PATH needs an --out of its own"
        raise RulecError(f"holds what was found in {shown}", where=str(marker.parent), hint=hint)


def _keys(out: Path, place: str) -> list[str]:
    """What tells a place: its path, and its path as seen from the results, for both may move together."""
    if place.startswith(S3):
        paths = [place.rstrip("/")]
    else:
        top = Path(place).resolve()
        paths = [str(top), os.path.relpath(top, out.resolve())]
    return [hashlib.sha256(os.fsencode(path)).hexdigest()[:16] for path in paths]


@contextmanager
def hold_out(out: Path, place: str) -> Iterator[None]:
    """Hold the folder of results for one run; its folder of unfinished work is empty at the beginning and the end."""
    try:
        out.mkdir(mode=0o700, parents=True, exist_ok=True)
        check_out(out, place)
        _write_marker(out, place)
        (out / SHARDS).mkdir(mode=0o700, exist_ok=True)
        handle = os.open(out / LOCK, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    except OSError as error:
        raise RulecError(f"cannot be written: {error.strerror}", where=str(out), hint=_OTHER) from None
    try:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            hint = "wait until it ends, or name another --out"
            raise RulecError("another run writes here", where=str(out), hint=hint) from None
        shutil.rmtree(out / WORK, ignore_errors=True)
        (out / WORK).mkdir(mode=0o700)
        try:
            yield
        finally:
            shutil.rmtree(out / WORK, ignore_errors=True)
    finally:
        os.close(handle)


def _write_marker(out: Path, place: str) -> None:
    """Write the marker first of all: a folder that holds something, and no marker, is a stranger's."""
    whole = place if place.startswith(S3) else str(Path(place).resolve())
    shown = redact(os.fsencode(whole).decode("utf-8", "replace"))
    told = {"schema": SCHEMA, "place": shown, "keys": _keys(out, place)}
    handle = os.open(out / MARKER, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600)
    with os.fdopen(handle, "r+b") as file:
        if not file.read(1):
            file.write(f"{json.dumps(told, ensure_ascii=False)}\n".encode())


@contextmanager
def new_results(out: Path) -> Iterator[Path]:
    """A folder that takes the place of the former results in one step once all of it is written."""
    generations = out / GENERATIONS
    former = [path for path in generations.glob("*") if _NUMBER.fullmatch(path.name)]
    number = max((int(path.name) for path in former), default=0) + 1
    folder = generations / f"{number:04d}"
    generations.mkdir(mode=0o700, exist_ok=True)
    folder.mkdir(mode=0o700)
    yield folder
    link = out / WORK / RESULTS
    link.symlink_to(Path(GENERATIONS) / folder.name)
    link.replace(out / RESULTS)
    for path in former:
        shutil.rmtree(path, ignore_errors=True)
