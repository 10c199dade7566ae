"""Writes that are whole or not at all: noted first, then done, then the note is taken away."""

import fcntl
import hashlib
import json
import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from rulec.errors import RulecError
from rulec.host import git, quick, refs
from rulec.model.artifact import Artifact

# The note is a redo log: once it stands under its final name, the next command finishes what a killed one began.
_NOTE = "journal.json"


def state_place(top: Path) -> Path:
    """Where that is, for those who only read."""
    return git.common_dir(top) / "rulec"


def state_dir(top: Path) -> Path:
    """Local state that is never committed: ``rulec/`` in the git folder, for its owner's eyes."""
    folder = state_place(top)
    with suppress(OSError):  # a git folder that is mounted read-only: who reads finds nothing, who writes says so
        folder.mkdir(mode=0o700, exist_ok=True)
    return folder


@contextmanager
def lock(top: Path) -> Iterator[None]:
    """Keep two writers apart; the second is refused at once."""
    with open(_lock(state_dir(top) / "lock"), "ab") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            raise RulecError(
                "another rulec is writing here", where=str(top), hint="wait for it to end, then try again"
            ) from None
        recover(top)
        yield


def _lock(place: Path) -> int:
    try:
        place.parent.mkdir(mode=0o700, exist_ok=True)
        return os.open(place, os.O_WRONLY | os.O_CREAT | os.O_NONBLOCK, 0o600)
    except OSError as error:  # a pipe that nobody reads, or a git folder that is mounted read-only
        odd = place.exists() and not place.is_file()
        hint = "see what it is, and remove it" if odd else f"see what {place.parent} is and who may write there"
        raise RulecError(f"cannot be locked: {error.strerror}", where=str(place), hint=hint) from None


def write(
    top: Path, files: list[Artifact], commit: tuple[str, str | None, list[Artifact]] | None = None, ref: str = "HEAD"
) -> None:
    """Write files into the work tree; with ``commit`` (new id, old id, what the index shall hold) ``ref`` moves first.

    A kill before it moved leaves the old state; after it, ``recover`` leads to the new one.
    """
    for file in files:
        _writable(_inside(top, file.path))
    listed = [[f.path, f.text, f.executable, _mark(top / f.path)] for f in files]
    note: dict[str, Any] = {"files": listed, "top": str(top)}
    if commit:
        new, old, staged = commit
        note |= {"commit": new, "old": old, "ref": ref, "index": [[f.path, f.text, f.executable] for f in staged]}
    path = state_dir(top) / _NOTE
    replace(path, json.dumps(note).encode("utf-8", "surrogateescape"), mode=0o600)
    if commit:
        try:
            git.move(top, ref, commit[0], commit[1])
        except RulecError:
            path.unlink()
            raise
    _finish(path, note)


def unfinished(top: Path) -> bool:
    """Whether a command was killed while it wrote, or is writing now; looks without leaving a trace."""
    return (git.common_dir(top) / "rulec" / _NOTE).exists()


def mend(top: Path) -> None:
    """Finish what a killed command left, before its half is read; where another is at work it is left to that."""
    if unfinished(top):
        with suppress(RulecError), lock(top):
            pass


def recover(top: Path) -> bool:
    """Finish or drop what a killed command left; True where something was finished."""
    path = state_dir(top) / _NOTE
    if not path.exists():
        return False
    try:
        note = json.loads(quick.read(str(path)) or b"")
        known = note["top"], note["files"]
    except (ValueError, KeyError, TypeError):
        cure = "delete it, then run rulec compile and see git status"
        raise RulecError("cannot be read", where=str(path), hint=cure) from None
    if not Path(known[0]).is_dir():
        path.unlink()  # a linked work tree that is gone
        return False
    if "commit" in note and refs.tip(Path(note["top"]), note.get("ref", "HEAD")) != note["commit"]:
        path.unlink()  # the branch never moved: the old state stands
        return False
    _finish(path, note)
    return True


def _finish(path: Path, note: dict[str, Any]) -> None:
    top = Path(note["top"])
    for name, text, executable, before in note["files"]:
        target = _inside(top, name)
        if _mark(target) not in (before, _hash(text)):
            continue  # a person wrote it after the kill: theirs stands, and compile will say what differs
        if text is None:
            target.unlink(missing_ok=True)
            _prune(target.parent, top)
        elif not target.exists() or target.read_bytes() != text.encode() or executable:
            replace(target, text.encode(), mode=0o755 if executable else 0o644)
    if "index" in note:
        blobs = [
            git.Blob(name, None if text is None else text.encode(), executable)
            for name, text, executable in note["index"]
        ]
        git.stage(top, blobs)
    path.unlink()


def _hash(text: str | None) -> str:
    return "" if text is None else hashlib.sha256(text.encode()).hexdigest()


def _mark(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest() if path.is_file() else ""


def _inside(top: Path, name: str) -> Path:
    target = top / name
    real = target.parent.resolve() / target.name
    if not real.is_relative_to(top.resolve()) or target.is_symlink():
        raise RulecError(
            "would be written through a link or outside the repository", where=name, hint="remove that link"
        )
    return target


def _writable(target: Path) -> None:
    """Refuse before anything is noted where a write is bound to fail half-way."""
    place = next(folder for folder in (target, *target.parents) if folder.exists())
    good = place.is_file() if place == target else place.is_dir()
    if not good or not os.access(place if place.is_dir() else place.parent, os.W_OK):
        raise RulecError("cannot be written", where=str(target), hint=f"see what {place} is and who may write there")


def _prune(folder: Path, top: Path) -> None:
    while folder != top and folder.is_relative_to(top) and folder.is_dir() and not any(folder.iterdir()):
        folder.rmdir()
        folder = folder.parent


def replace(path: Path, data: bytes, *, mode: int) -> None:
    """Put a file in its place in one step."""
    beside = path.with_name(f".{path.name}.rulec-new")  # always the same name: what a kill leaves, the redo replaces
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with open(beside, "wb", opener=lambda name, flags: os.open(name, flags | os.O_NONBLOCK, mode)) as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        os.replace(beside, path)  # noqa: PTH105 - its twin below is os.open
    except OSError as error:
        with suppress(OSError):
            beside.unlink(missing_ok=True)
        raise RulecError(
            f"cannot be written: {error.strerror}", where=str(path), hint="see its permissions and the disk"
        ) from None
