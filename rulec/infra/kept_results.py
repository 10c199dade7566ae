"""Results that follow from their inputs alone, stored in the git folder under a digest of these."""

import hashlib
import marshal
import sys
import zlib
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from rulec import __version__
from rulec.checkout import private_files
from rulec.errors import RulecError
from rulec.infra import state, text_files

_MOST = 2_000  # results of earlier commands that are stored beside those that were asked for


class KeptResults:
    """Results by what they came from, in a form that marshal can store."""

    def __init__(self, known: dict[str, Any]) -> None:
        self._known = known
        self.used: dict[str, Any] = {}
        self.fresh = False  # whether there is a result that was not known

    def find(self, inputs: str, make: Callable[[], Any]) -> Any:
        """The stored result for these inputs, else the one that ``make`` gives; None is not stored."""
        name = hashlib.sha256(inputs.encode("utf-8", "surrogatepass")).hexdigest()
        found = self.used.get(name, self._known.get(name))
        if found is None:
            found, self.fresh = make(), True
        if found is not None:
            self.used[name] = found
        return found

    def all(self) -> dict[str, Any]:
        """What is to be stored: what was used, and what was known where that is not much."""
        return {**self._known, **self.used} if len(self._known) <= _MOST else self.used


_OPEN: dict[str, KeptResults] = {}  # by place


@contextmanager
def kept_results(top: Path, name: str, beside: Sequence[Path] = ()) -> Iterator[KeptResults]:
    """Results under a name, forgotten when rulec or a file in a folder ``beside`` it changes; stored at the end.

    Whoever asks for them within this context shares them: they are read and stored once. Nothing is stored where no
    other command has left state, so that one that only looks writes nothing.
    """
    folder = _state_folder(top)
    place = str((folder or top) / name)
    if place in _OPEN:
        yield _OPEN[place]
        return
    program = text_files.digest_program(PACKAGE_FOLDER, *beside)
    results = _OPEN[place] = KeptResults((load_piece(place, program) if folder else None) or {})
    try:
        yield results
    finally:
        del _OPEN[place]
    if results.fresh and folder:
        store_piece(place, program, results.all())


def _state_folder(top: Path) -> Path | None:
    """The folder of local state where there is one."""
    try:
        folder = state.state_dir_path(top)
    except RulecError:  # no repository
        return None
    return folder if folder.is_dir() else None


_MAGIC = b"rulec-pressed-1 "
PACKAGE_FOLDER = Path(__file__).resolve().parents[1]


def load_piece(place: str, key: str) -> Any:
    """The data stored under that key by the same version of rulec and Python; else None."""
    data = private_files.read_file(place, private=True) or b""
    head, _, body = data.partition(b"\n")
    if head != _MAGIC + f"{zlib.crc32(body):08x}".encode():
        return None
    try:
        known, value = marshal.loads(body)  # noqa: S302 - of the git folder, where who writes may run hooks anyway
    except (ValueError, EOFError, TypeError):
        return None
    return value if known == _state(key) else None


def store_piece(place: str, key: str, value: Any) -> None:
    """Store data under a key; where that fails there is none."""
    body = marshal.dumps((_state(key), value))
    private_files.store_file(place, _MAGIC + f"{zlib.crc32(body):08x}".encode() + b"\n" + body)


def _state(key: str) -> tuple[Any, ...]:
    """What stored data depends on beside its key: the versions of Python and of rulec."""
    return key, sys.version, marshal.version, __version__, tuple(_program())


def _program() -> list[int]:
    """When rulec was installed; in a checkout, when each of its folders changed."""
    folders: list[Path] = []
    if PACKAGE_FOLDER.with_name(".git").exists():
        folders = [folder for folder in PACKAGE_FOLDER.rglob("*") if folder.is_dir() and folder.name != "__pycache__"]
    return [folder.stat().st_mtime_ns for folder in sorted([PACKAGE_FOLDER, *folders])]
