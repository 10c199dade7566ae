"""Writes many files all or none: notes them first, then writes them, then removes the note."""

import fcntl
import hashlib
import json
import os
import stat
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, BinaryIO

from rulec.checkout import private_files
from rulec.domain.artifact import Artifact
from rulec.errors import RulecError
from rulec.infra import state
from rulec.infra.git import committing, git_session
from rulec.infra.state import state_dir
from rulec.infra.text_files import write_atomically

# The note is a redo log: once it stands under its final name, the next command finishes what a killed one began.
NOTE = "journal"  # a piece of local state
_LOCK = "lock"  # a file beside it


_SYNCED_EACH = 50  # files; of more the disk is asked once
LONGEST_WAIT = 60.0  # seconds for another command that writes
_TOLD_AFTER = 1.0  # seconds of waiting before the person hears of it
_HELD: dict[Path, BinaryIO] = {}  # the locks of this process


@contextmanager
def write_lock(top: Path, wait: float | None = None) -> Iterator[None]:
    """Hold the writers' lock, and finish what a killed command left.

    Where another command holds it, wait for it ``wait`` seconds at most (LONGEST_WAIT without), then RulecError.
    """
    with open(_lock(state_dir(top) / _LOCK), "r+b") as file:
        _take(file, top, LONGEST_WAIT if wait is None else wait)
        outer, _HELD[top] = _HELD.get(top), file
        try:
            yield
        finally:
            del _HELD[top]
            if outer:  # which is released now
                _HELD[top] = outer


@contextmanager
def released_lock(top: Path) -> Iterator[None]:
    """Let other commands write, as while a person thinks about a question; afterwards the lock is held again."""
    file = _HELD.get(top)
    if not file:
        yield
        return
    fcntl.flock(file, fcntl.LOCK_UN)
    try:
        yield
    finally:
        _take(file, top, LONGEST_WAIT)


def _take(file: BinaryIO, top: Path, wait: float) -> None:
    """Lock the file, note in it who holds it, and finish what a killed command left."""
    _wait_for(file, top, wait)
    file.seek(0)
    file.truncate()
    file.write(f"rulec {next(iter(sys.argv[1:]), '')} (process {os.getpid()})".encode())
    file.flush()
    recover_journal(top)


def _wait_for(file: BinaryIO, top: Path, wait: float) -> None:
    told = False

    def tell(waited: float) -> None:
        nonlocal told
        if waited >= _TOLD_AFTER and not told:
            import logging  # noqa: PLC0415 - heavy, and only wanted by those who wait

            logging.getLogger("rulec").warning("waiting for %s, which is writing here", _holder(file))
            told = True

    try:
        held = private_files.wait_for_lock(file.fileno(), wait, tell)
    except OSError as error:
        raise _cannot_lock(state_dir(top) / _LOCK, str(error.strerror)) from None
    if not held:
        hint = "wait for it to end, then try again"
        raise RulecError(f"{_holder(file)} is writing here", where=str(top), hint=hint)


def _holder(file: BinaryIO) -> str:
    """The command that holds the lock, as it noted itself there."""
    file.seek(0)
    noted = file.read(200).decode("ascii", "replace")
    return f"another {noted}" if noted.startswith("rulec ") and noted.isprintable() else "another rulec"


def _lock(place: Path) -> int:
    try:
        place.parent.mkdir(mode=0o700, exist_ok=True)
        handle = os.open(place, os.O_RDWR | os.O_CREAT | os.O_NONBLOCK, 0o600)
    except OSError as error:  # a folder, or a git folder that is mounted read-only
        raise _cannot_lock(place, str(error.strerror)) from None
    if not stat.S_ISREG(os.fstat(handle).st_mode):
        os.close(handle)
        raise _cannot_lock(place, "it is no file")
    return handle


def _cannot_lock(place: Path, why: str) -> RulecError:
    odd = place.exists() and not place.is_file()
    hint = "see what it is, and remove it" if odd else f"see what {place.parent} is and who may write there"
    return RulecError(f"cannot be locked: {why}", where=str(place), hint=hint)


def write_journaled(
    top: Path, files: list[Artifact], commit: tuple[str, str | None, list[Artifact]] | None = None, ref: str = "HEAD"
) -> None:
    """Write files into the work tree; with ``commit`` (new id, old id, what the index shall hold) ``ref`` moves first.

    A kill before it moved leaves the old state; after it, ``recover`` leads to the new one.
    """
    for file in files:
        _require_writable(_inside_work_tree(top, file.path))
    listed = [[f.path, f.text, f.executable, _file_digest(top / f.path)] for f in files]
    note: dict[str, Any] = {"files": listed, "top": str(top)}
    if commit:
        new, old, staged = commit
        note |= {"commit": new, "old": old, "ref": ref, "index": [[f.path, f.text, f.executable] for f in staged]}
    path = state_dir(top) / f"{NOTE}.json"
    write_atomically(path, json.dumps(note).encode("utf-8", "surrogateescape"), mode=0o600)
    if commit:
        try:
            committing.move_ref(top, ref, commit[0], commit[1])
        except RulecError:
            path.unlink()
            raise
    _finish(path, note)


def is_unfinished(top: Path) -> bool:
    """Whether a command was killed while it wrote, or writes now; changes nothing."""
    return state.has_state(top, NOTE)


def finish_interrupted(top: Path) -> None:
    """Finish what a killed command left, unless another command is writing."""
    if is_unfinished(top):
        with suppress(RulecError), write_lock(top, wait=0):
            pass


def recover_journal(top: Path) -> bool:
    """Finish or discard what a killed command left; True where something was finished."""
    path = state.state_path(top, NOTE)
    if not path.exists():
        return False
    try:
        note = json.loads(private_files.read_file(str(path)) or b"")
        known = note["top"], note["files"]
    except (ValueError, KeyError, TypeError):
        cure = "delete it, then run rulec compile and see git status"
        raise RulecError("cannot be read", where=str(path), hint=cure) from None
    if not Path(known[0]).is_dir():
        path.unlink()  # a linked work tree that is gone
        return False
    if "commit" in note and git_session.find_commit(Path(note["top"]), note.get("ref", "HEAD")) != note["commit"]:
        path.unlink()  # the branch never moved: the old state stands
        return False
    _finish(path, note)
    return True


def _finish(path: Path, note: dict[str, Any]) -> None:
    top, each = Path(note["top"]), len(note["files"]) <= _SYNCED_EACH
    for name, text, executable, before in note["files"]:
        target = _inside_work_tree(top, name)
        if _file_digest(target) not in (before, _hash(text)):
            continue  # a person wrote it after the kill: theirs stands, and compile will say what differs
        if text is None:
            target.unlink(missing_ok=True)
            _remove_empty_folders(target.parent, top)
        elif not target.exists() or target.read_bytes() != text.encode() or executable:
            beside = f".{target.name}.rulec-new"  # always the same name: what a kill leaves, the redo replaces
            write_atomically(target, text.encode(), mode=0o755 if executable else 0o644, beside=beside, sync=each)
    if not each:
        os.sync()  # once for all of them, and before the note goes that could write them again
    if "index" in note:
        blobs = [
            committing.FileToCommit(name, None if text is None else text.encode(), executable)
            for name, text, executable in note["index"]
        ]
        committing.update_index(top, blobs)
    path.unlink()


def _hash(text: str | None) -> str:
    return "" if text is None else hashlib.sha256(text.encode()).hexdigest()


def _file_digest(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest() if path.is_file() else ""


def _inside_work_tree(top: Path, name: str) -> Path:
    target = top / name
    real = target.parent.resolve() / target.name
    if not real.is_relative_to(top.resolve()) or target.is_symlink():
        raise RulecError(
            "would be written through a link or outside the repository", where=name, hint="remove that link"
        )
    return target


def _require_writable(target: Path) -> None:
    """RulecError before anything is noted where a write would fail."""
    place = next(folder for folder in (target, *target.parents) if folder.exists())
    good = place.is_file() if place == target else place.is_dir()
    if not good or not os.access(place if place.is_dir() else place.parent, os.W_OK):
        raise RulecError("cannot be written", where=str(target), hint=f"see what {place} is and who may write there")


def _remove_empty_folders(folder: Path, top: Path) -> None:
    while folder != top and folder.is_relative_to(top) and folder.is_dir() and not any(folder.iterdir()):
        folder.rmdir()
        folder = folder.parent
