"""What Aider's agent wrote into files, out of its reply and of what the console said about it."""

import re
import shlex
from dataclasses import replace

from rulec.model.transcript import Action, ActionKind
from rulec.readers._markdown import Fence

_SEARCH, _PARTED, _REPLACE = (re.compile(p) for p in (r"<{5,9} SEARCH>?\s*", r"={5,9}\s*", r">{5,9} REPLACE\s*"))
_NAME = re.compile(r"[\w./\\@+()\[\] -]{0,200}[\w)\]]")
_APPLIED = "Applied edit to "
_COMMIT = re.compile(r"Commit ([0-9a-f]{6,40}) (.+)")
_RUNNING = "Running "
_FAILED = re.compile(r"# \d+ SEARCH/REPLACE blocks? failed to match!")
_LONGEST = 400_000  # characters of one reply's blocks that are kept


class Edits:
    """The edits of one reply; ``told`` follows the console, ``take`` the reply's lines."""

    def __init__(self) -> None:
        self.fence = Fence()
        self._name = ""  # the last line that could name a file
        self._part = ""  # old, new or whole: what the lines of the fence are
        self._old: list[str] = []
        self._new: list[str] = []
        self._size = 0
        self._blocks: list[Action] = []
        self._whole: dict[str, str] = {}
        self._done: list[Action] = []
        self._failed = False

    def take(self, line: str) -> None:
        """Follow one line of the reply."""
        if self._part in ("old", "new"):
            self._block(line)
            return
        inside = bool(self.fence.mark)
        if self.fence.take(line):
            if inside and self._part == "whole":
                self._whole[self._name] = "\n".join([*self._new, ""])
            self._part = "" if inside or not self._name else "whole"
            self._new = []
        elif _SEARCH.fullmatch(line):
            self._name = self._new[-1].strip() if self._new and not self._name else self._name
            self._part, self._old, self._new = "old", [], []
        elif inside:
            if not self._new and _names_a_file(line):
                self._name = _name(line)
            self._keep(self._new, line)
        elif line.strip():
            self._name = _name(line) if _names_a_file(line) else ""

    def told(self, said: str) -> None:
        """Follow one line of the console."""
        if said.startswith(_APPLIED):
            self._apply(_name(said.removeprefix(_APPLIED)))
        elif commit := _COMMIT.fullmatch(said):
            command = f"git commit -m {shlex.quote(commit[2])}"
            self._done.append(Action(kind="command", id=commit[1], tool="commit", command=command, ok=True))
        elif said.startswith(_RUNNING):
            self._done.append(Action(kind="command", tool="run", command=said.removeprefix(_RUNNING)))
        elif _FAILED.fullmatch(said):
            self._failed = True

    def actions(self) -> list[Action]:
        """What was done, in order, after the blocks that nobody applied."""
        ok = False if self._failed else None
        return [*(replace(block, ok=ok) for block in self._blocks), *self._done]

    @property
    def quoting(self) -> bool:
        """Whether we are inside a fence or a block: nothing there is said by anybody."""
        return bool(self.fence.mark) or self._part in ("old", "new")

    def cut(self) -> None:
        """The reply is over, in the middle of a fence or not."""
        self.fence.mark = self._part = ""

    def _block(self, line: str) -> None:
        if self._part == "old" and _PARTED.fullmatch(line):
            self._part = "new"
        elif self._part == "new" and _REPLACE.fullmatch(line):
            self._blocks.append(_action("edit" if self._old else "write", self._name, self._old, self._new))
            self._part = ""
        else:
            self._keep(self._old if self._part == "old" else self._new, line)

    def _keep(self, lines: list[str], line: str) -> None:
        if self._size < _LONGEST:
            lines.append(line)
            self._size += len(line) + 1

    def _apply(self, path: str) -> None:
        mine = [block for block in self._blocks if block.path == path]
        if not mine and path in self._whole:
            mine = [_action("write", path, [], self._whole[path].split("\n"))]
        self._blocks = [block for block in self._blocks if block.path != path]
        self._done += [replace(block, ok=True) for block in mine or [_action("edit", path, [], [])]]


def _action(kind: ActionKind, path: str, old: list[str], new: list[str]) -> Action:
    return Action(kind=kind, tool="edit", path=path, old="\n".join(old), new="\n".join(new))


def _names_a_file(line: str) -> bool:
    name = line.strip().strip("*`#:").strip()
    return _NAME.fullmatch(name) is not None and ("." in name or "/" in name) and " " not in name.strip(". ")


def _name(line: str) -> str:
    return line.strip().strip("*`#:").strip().replace("\\", "/").removeprefix("./")
