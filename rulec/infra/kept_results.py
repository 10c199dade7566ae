"""Results that follow from their inputs alone, stored in the git folder under a digest of these."""

import hashlib
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from rulec.errors import RulecError
from rulec.infra import fast_files, state, text_files

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
    program = text_files.digest_program(Path(fast_files.PACKAGE_FOLDER), *beside)
    results = _OPEN[place] = KeptResults((fast_files.load_piece(place, program) if folder else None) or {})
    try:
        yield results
    finally:
        del _OPEN[place]
    if results.fresh and folder:
        fast_files.store_piece(place, program, results.all())


def _state_folder(top: Path) -> Path | None:
    """The folder of local state where there is one."""
    try:
        folder = state.state_dir_path(top)
    except RulecError:  # no repository
        return None
    return folder if folder.is_dir() else None
