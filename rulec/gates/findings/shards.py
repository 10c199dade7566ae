"""Parts of a change: for several machines, and in pieces that one process can hold."""

import hashlib
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

from rulec.domain.artifact import Artifact
from rulec.domain.change import Change, FileChange
from rulec.errors import RulecError

_FORM = re.compile(r"([1-9]\d{0,3})/([1-9]\d{0,3})")
_MANY = 1 << 32


@dataclass(frozen=True, slots=True)
class Shard:
    """The ``number``-th of ``of`` parts; the first one also has what concerns the change as a whole."""

    number: int = 1
    of: int = 1

    def holds(self, file: FileChange) -> bool:
        """Whether the file is looked at here: by its path, so that each is in one part wherever that is asked."""
        if self.of == 1:
            return True
        digest = hashlib.sha256(file.path.encode("utf-8", "surrogateescape")).digest()
        return int.from_bytes(digest[:4], "big") * self.of // _MANY == self.number - 1

    def of_change(self, change: Change) -> Change:
        """The change without the files of other parts."""
        return replace(change, files=tuple(file for file in change.files if self.holds(file)))


WHOLE = Shard()


def parse_shard(text: str) -> Shard:
    """``2/5`` as a person writes it."""
    found = _FORM.fullmatch(text)
    if found is None or int(found[1]) > int(found[2]):
        hint = "write the part and how many there are, such as 2/5: parts count from 1"
        raise RulecError(f"{text!r} is no shard", where="--shard", hint=hint)
    return Shard(int(found[1]), int(found[2]))


def split_by_size(change: Change, largest: int, weight: Callable[[FileChange], int]) -> Iterator[Change]:
    """The change in pieces of no more than so much each: what one process holds at a time."""
    held: list[FileChange] = []
    size = 0
    for file in change.files:
        size += weight(file)
        if held and size > largest:
            yield replace(change, files=tuple(held))
            held, size = [], weight(file)
        held.append(file)
    if held or not change.files:
        yield replace(change, files=tuple(held))


def split_by_reach(
    artifacts: Sequence[Artifact], alone: Callable[[Artifact], bool]
) -> tuple[list[Artifact], list[Artifact]]:
    """Those that look at each file alone, and those that look at the change as a whole."""
    by_file = [artifact for artifact in artifacts if alone(artifact)]
    return by_file, [artifact for artifact in artifacts if not alone(artifact)]
