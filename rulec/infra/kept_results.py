"""Results that follow from their inputs alone, stored in the git folder under a digest of these."""

import hashlib
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from rulec import __version__
from rulec.checkout import record_cache
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


PACKAGE_FOLDER = Path(__file__).resolve().parents[1]


def load_piece(place: str, key: str) -> Any:
    """The data stored under that key by the same version of rulec and Python; else None."""
    return record_cache.load_cached(place, _state(key))


def store_piece(place: str, key: str, value: Any) -> None:
    """Store data under a key; where that fails there is none."""
    record_cache.save_cached(place, _state(key), value)


def _state(key: str) -> bytes:
    """What stored data depends on beside its key: the versions of Python and of rulec."""
    return repr((key, sys.version, __version__, _program())).encode()


def _program() -> list[int]:
    """When rulec was installed; in a checkout, when each of its folders changed."""
    folders: list[Path] = []
    if PACKAGE_FOLDER.with_name(".git").exists():
        folders = [folder for folder in PACKAGE_FOLDER.rglob("*") if folder.is_dir() and folder.name != "__pycache__"]
    return [folder.stat().st_mtime_ns for folder in sorted([PACKAGE_FOLDER, *folders])]
