"""What doctor sees of a person's own names for git's commands: those that leave the gate out."""

import re
from collections.abc import Iterator
from pathlib import Path

from rulec.commands._sign import Sign
from rulec.host import git

_SHOWN = 60  # characters of what a name stands for
# what leaves git's hooks out: the long flag however short it is written, the short one of a commit, another folder
_AROUND = re.compile(
    r"(?<!\S)--no-ver\w*|\bcommit\b(?:\s+[^\s;&|]+){0,9}?\s+-[aeiopqsv]{0,9}n[a-z]*(?!\S)|(?i:core\.hookspath=)"
)


def signs(top: Path) -> Iterator[Sign]:
    """Each alias that makes commits around the hooks, wherever it is set."""
    told = git.git(top, "config", "--show-scope", "-z", "--get-regexp", r"^alias\.").text.split("\0")
    for scope, entry in zip(told[::2], told[1::2], strict=False):
        name, _, value = entry.partition("\n")
        if _AROUND.search(value):
            flag = f"--{scope} " if scope in ("global", "system", "worktree") else ""
            what = f"git {name.removeprefix('alias.')} goes around the gate: {name} is {value[:_SHOWN]!r}"
            yield Sign(what, f"git config {flag}--unset {name}")
