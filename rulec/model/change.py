"""What is being judged: staged files, a commit message, tool calls."""

from dataclasses import dataclass
from typing import Literal

from rulec.model.transcript import Action

Status = Literal["A", "M", "D", "R", "T"]


@dataclass(frozen=True, slots=True, kw_only=True)
class FileChange:
    """One changed file; ``content`` is None where it is deleted, a link or a submodule."""

    path: str
    status: Status = "A"
    content: bytes | None = None
    added: tuple[tuple[int, int], ...] | None = None  # first and last added lines; None: every line is new
    base: bytes | None = None  # what stood there before
    old_path: str = ""  # where it stood before a rename


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """All that one gate looks at."""

    files: tuple[FileChange, ...] = ()
    message: str | None = None
    actions: tuple[Action, ...] = ()
