"""The objects that names stand for, read by one `git cat-file` for all that are asked for at once."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

from rulec.domain.quiet_git import QUIET_GIT
from rulec.errors import RulecError
from rulec.infra.processes import run_tool, streamed_output

_WORDS_OF_OBJECT = 3  # id, kind and size
_CHUNK = 1_000_000  # bytes that are passed over at a time
HEAD_BYTES = 8_000  # that are read of an object that is too large


@dataclass(frozen=True, slots=True)
class GitObject:
    """The object that a name stands for."""

    id: str
    kind: str
    size: int
    data: bytes = b""  # of one that is too large only what it begins with

    @property
    def is_whole(self) -> bool:
        """Whether all of it was read."""
        return len(self.data) == self.size


def look_up_objects(top: Path, names: Sequence[str]) -> list[GitObject | None]:
    """The objects without their contents, in order; None where a name stands for none."""
    asked = _requests(names)
    if not asked:
        return [None for _ in names]
    done = run_tool(["git", "cat-file", "--batch-check"], cwd=top, stdin=_lines(asked), environment=QUIET_GIT)
    answers = [_parse_header(line) for line in done.out.split(b"\n")[:-1]]
    return _in_order(top, names, asked, answers)


def read_objects(top: Path, names: Sequence[str], largest: int | None = None) -> list[GitObject | None]:
    """The objects with their contents, in order; None where a name stands for none.

    Of those that have more than ``largest`` bytes only the first are read.
    """
    asked = _requests(names)
    if not asked:
        return [None for _ in names]
    argv = ["git", "cat-file", "--batch"]
    with streamed_output(argv, cwd=top, stdin=_lines(asked), environment=QUIET_GIT) as out:
        answers = list(_read_answers(out, largest))
    return _in_order(top, names, asked, answers)


def _requests(names: Sequence[str]) -> list[str]:
    """The names to ask for, each once; a request is a line, and zeros stand for nothing."""
    return [name for name in dict.fromkeys(names) if "\n" not in name and name.strip("0")]


def _lines(names: Sequence[str]) -> bytes:
    return "".join(f"{name}\n" for name in names).encode("utf-8", "surrogateescape")


def _in_order(
    top: Path, names: Sequence[str], asked: Sequence[str], answers: Sequence[GitObject | None]
) -> list[GitObject | None]:
    if len(answers) != len(asked):
        raise RulecError("git cat-file does not answer", where=str(top), hint="run git fsck there, then try again")
    known = dict(zip(asked, answers, strict=True))
    return [known.get(name) for name in names]


def _parse_header(line: bytes) -> GitObject | None:
    words = line.decode("utf-8", "surrogateescape").split(" ")
    if len(words) != _WORDS_OF_OBJECT or not words[2].isdigit():
        return None  # "NAME missing", "NAME ambiguous"
    return GitObject(words[0], words[1], int(words[2]))


def _read_answers(out: BinaryIO, largest: int | None) -> Iterator[GitObject | None]:
    """What git answers until it ends; where that is in the middle of an object the rest is missing."""
    while line := out.readline():
        found = _parse_header(line.rstrip(b"\n"))
        if found is None:
            yield None
            continue
        kept = found.size if largest is None or found.size <= largest else min(found.size, HEAD_BYTES)
        data, left = out.read(kept), found.size - kept + 1
        while left and (passed := out.read(min(left, _CHUNK))):
            left -= len(passed)
        if left or len(data) != kept:
            return
        yield GitObject(found.id, found.kind, found.size, data)
