"""The ledger's new lines, each once, in their order, also while its file is moved aside and begun anew."""

import os
import stat
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from rulec.checkout import ledger
from rulec.checkout.worktree import shared_state_directory
from rulec.domain.evidence import LedgerLine
from rulec.gates import gate_ledger

MOST = 3 * ledger.LARGEST  # bytes of one file that are read at a time: more than a ledger may hold


@dataclass(slots=True, eq=False)
class _OpenFile:
    """A file of the ledger that is kept open, so that no later one can be taken for it."""

    handle: int
    identity: tuple[int, int]
    read: int = 0  # bytes

    def new_lines(self) -> bytes:
        """The whole lines since the last time; a torn one waits for its end."""
        size = os.fstat(self.handle).st_size
        if size < self.read:  # somebody emptied it
            self.read = 0
        data = os.pread(self.handle, min(size - self.read, MOST), self.read)
        end = data.rfind(b"\n") + 1
        self.read += end
        return data[:end]


class LedgerTail:
    """Reads what gates add to the ledger of a clone, from where it stands when this is made."""

    def __init__(self, top: Path) -> None:
        folder = Path(shared_state_directory(str(top)))
        # the newer one first: what is moved aside between the two looks is found at its new place
        self._paths = [folder / name for name in (ledger.NAME, ledger.OLDER)]
        self._open: list[_OpenFile] = []
        self._find()
        for one in self._open:
            one.read = os.fstat(one.handle).st_size

    def new_entries(self) -> list[LedgerLine]:
        """The entries about findings that were added since the last time, oldest first."""
        gone = self._find()
        data = b"".join(one.new_lines() for one in (*gone, *reversed(self._open)))
        _close(gone)
        return gate_ledger.entries_in(data) if data else []

    def close(self) -> None:
        """Close its files."""
        _close(self._open)
        self._open = []

    def _find(self) -> list[_OpenFile]:
        """Open the ledger's files as they are now, newest first; returns those that are there no longer."""
        known = {one.identity: one for one in self._open}
        here: dict[tuple[int, int], _OpenFile] = {}
        for path in self._paths:
            with suppress(OSError):
                handle = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_NOFOLLOW)
                found = os.fstat(handle)
                name = found.st_dev, found.st_ino
                if name in known or name in here or not stat.S_ISREG(found.st_mode):
                    os.close(handle)
                if name in known:
                    here[name] = known[name]
                elif stat.S_ISREG(found.st_mode):
                    here.setdefault(name, _OpenFile(handle, name))
        self._open = list(here.values())
        return [one for name, one in known.items() if name not in here]


def _close(files: Iterable[_OpenFile]) -> None:
    for one in files:
        os.close(one.handle)
