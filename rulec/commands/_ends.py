"""Where in which transcript earlier runs came to the end: what was answered is not asked again with more behind it."""

from collections.abc import Iterator, Mapping
from contextlib import nullcontext, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from rulec.errors import RulecError
from rulec.host import journal, state

NAME = "ends"
EACH = 500  # ends of one transcript that are kept, the last ones
MOST = 2_000  # transcripts

Cuts = dict[int, int]  # after how many moments, and how many actions then followed


@dataclass(slots=True)
class Ends:
    """The ends that one run knows, read once, and those that it adds, written once."""

    top: Path
    known: dict[str, Cuts] = field(default_factory=dict)
    new: dict[str, Cuts] = field(default_factory=dict)

    def of(self, path: Path) -> Mapping[int, int]:
        """Where prompts about this transcript end."""
        name = str(path.absolute())
        return {**self.known.get(name, {}), **self.new.get(name, {})}

    def note(self, path: Path, moments: int, actions: int) -> None:
        """The transcript ends here, so far."""
        if moments and moments not in self.of(path):
            self.new.setdefault(str(path.absolute()), {})[moments] = actions

    def keep(self, *, alone: bool = False) -> None:
        """Write what is new beside what other runs wrote meanwhile; of transcripts that are gone nothing is kept.

        A run that is ``alone`` here has the lock already.
        """
        if not self.new:
            return
        lock = nullcontext() if alone else journal.lock(self.top)
        with suppress(RulecError), lock:  # whoever writes now: a question is put twice, and no more
            kept = _read(self.top)
            for name, cuts in self.new.items():
                kept[name] = {**kept.pop(name, {}), **cuts}  # the last written stand last
            there = [name for name in kept if _there(name)][-MOST:]
            state.write(self.top, NAME, {name: sorted(map(list, kept[name].items()))[-EACH:] for name in there})


def ends(top: Path) -> Ends:
    """What earlier runs noted."""
    return Ends(top, _read(top))


def _read(top: Path) -> dict[str, Cuts]:
    kept = state.read(top, NAME)
    return {name: dict(_pairs(pairs)) for name, pairs in kept.items()} if isinstance(kept, dict) else {}


def _pairs(kept: Any) -> Iterator[tuple[int, int]]:
    for pair in kept if isinstance(kept, list) else ():
        if isinstance(pair, list) and [type(one) for one in pair] == [int, int]:
            yield pair[0], max(0, pair[1])


def _there(name: str) -> bool:
    with suppress(OSError, ValueError):
        return Path(name).is_file()
    return False
