"""Who wrote some lines, and when, as git has it."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from rulec.host import git

_HEAD = re.compile(r"([0-9a-f]{40,64}) \d+ (\d+)")


@dataclass(frozen=True, slots=True)
class Wrote:
    """A line's author and day; both "" where it is not committed yet."""

    author: str = ""
    day: str = ""


def blame(top: Path, path: str, numbers: Sequence[int]) -> dict[int, Wrote]:
    """The authors of some lines of a file in the work tree, as far as git knows them."""
    asked = [part for number in numbers for part in ("-L", f"{number},{number}")]
    done = git.git(top, "blame", "--line-porcelain", *asked, "--", path) if asked else None
    found: dict[int, Wrote] = {}
    number, author, moment = 0, "", 0
    for line in done.text.splitlines() if done and not done.code else ():
        if head := _HEAD.match(line):
            number, author = int(head[2]), "" if set(head[1]) == {"0"} else "?"
        elif line.startswith("author ") and author:
            author = line.removeprefix("author ")
        elif line.startswith("author-time ") and line[12:].isdigit():
            moment = int(line[12:])
        elif line.startswith("\t"):
            day = datetime.fromtimestamp(moment, UTC).date().isoformat() if author else ""
            found[number] = Wrote(author, day)
    return found


def holding(top: Path, text: str) -> list[str]:
    """Tracked text files of the work tree that hold a text."""
    out = git.git(top, "grep", "-l", "-z", "-I", "-F", "-e", text, "--").text
    return [path for path in out.split("\0") if path]
