"""Batches that were begun and not heard yet, in the git folder: whoever stops waiting pays for them once."""

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from rulec.errors import RulecError
from rulec.host import clock, state

FOLDER = "batches"
_MOST = 100  # of them


class Begun:
    """Those of one account's address and one model; ``folder`` is the backend's, "" where nothing can be kept."""

    def __init__(self, folder: str, of: Sequence[str]) -> None:
        self._top = Path(folder).parent.parent if folder else None  # TOP/.rulec/anthropic
        self._of = state.digest(of)
        self._all: dict[str, list[str]] = {}
        if self._top is not None:
            try:
                self._all = dict(self._kept(self._top))
            except (RulecError, OSError):  # no folder of git's, or no leave to read there
                self._top = None

    def _kept(self, top: Path) -> Iterator[tuple[str, list[str]]]:
        for name in state.names(top, FOLDER):
            kept = state.read(top, f"{FOLDER}/{name}")
            keys = kept.get("keys") if isinstance(kept, dict) and kept.get("of") == self._of else None
            if isinstance(keys, list) and all(isinstance(key, str) for key in keys):
                yield name, keys

    def holding(self, keys: Iterable[str]) -> list[str]:
        """The batches that will answer some of the keys."""
        return sorted({name for key in keys if (name := self.holder(key))})

    def holder(self, key: str) -> str:
        """The batch that will answer a key, "" where none will."""
        return next((name for name, keys in self._all.items() if key in keys), "")

    def keys(self, name: str) -> list[str]:
        """All that a batch will answer."""
        return list(self._all[name])

    def add(self, name: str, keys: Sequence[str]) -> None:
        """Note a batch as soon as it is begun."""
        self._all[name] = list(keys)
        self._write(name)

    def forget(self, name: str, key: str = "") -> None:
        """Forget one of its keys, or the whole batch."""
        left = [other for other in self._all.get(name, ()) if other != key] if key else []
        self._all.pop(name, None)
        if left:
            self._all[name] = left
        self._write(name)

    def _write(self, name: str) -> None:
        if self._top is None or not name:
            return
        place = f"{FOLDER}/{name}"
        try:
            if name in self._all:
                state.write(self._top, place, {"of": self._of, "at": clock.now(), "keys": self._all[name]})
                state.prune(self._top, FOLDER, _MOST)
            else:
                state.remove(self._top, place)
        except (RulecError, OSError):  # a full disk: this run hears it all the same, and the next one pays again
            return
