"""What is being judged: staged files, a commit message, tool calls."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from rulec.domain.transcript import Action

FileStatus = Literal["A", "M", "D", "R", "T"]


@dataclass(frozen=True, slots=True, kw_only=True)
class FileChange:
    """One changed file; ``content`` is None where it is deleted, large, a link or a submodule."""

    path: str
    status: FileStatus = "A"
    content: bytes | None = None
    added: tuple[tuple[int, int], ...] | None = None  # first and last added lines; None: every line is new
    base: bytes | None = None  # what stood there before
    old_path: str = ""  # where it stood before a rename
    stilled: bool = False  # it could be run, and cannot any more
    large: bool = False  # it is text that was not read for its size
    at: str = ""  # where it lies among files of other changes, some of which may have its path

    @property
    def place(self) -> str:
        """Where findings say it is."""
        return self.at or self.path

    @property
    def lines(self) -> list[str]:
        """The content, line by line."""
        return (self.content or b"").decode("utf-8", "replace").split("\n")

    @property
    def lines_before(self) -> list[str]:
        """What stood there before, line by line."""
        return (self.base or b"").decode("utf-8", "replace").split("\n")

    @property
    def added_lines(self) -> set[int] | None:
        """The numbers of the lines that are new; None where all are."""
        return None if self.added is None else {n for first, last in self.added for n in range(first, last + 1)}


@dataclass(frozen=True, slots=True)
class TreeAfterChange:
    """The repository as the change leaves it, looked at only by the checks that ask."""

    paths: Callable[[], frozenset[str]]
    read: Callable[[str], str | None]


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """All that one gate looks at."""

    files: tuple[FileChange, ...] = ()
    message: str | None = None
    actions: tuple[Action, ...] = ()
    earlier: tuple[Action, ...] = ()  # what the session had done before them; it is not judged
    tree: TreeAfterChange | None = None
    agent: str = ""  # who did it, as far as that is known
    environment: str = ""  # local or ci; "" where it is nowhere: an example, or a commit of long ago
    example: bool = False  # it is an example of a rule: what it does not name is not there
    mark: str = ""  # a digest of what git says changed, the same for the staged change and for its commit

    @property
    def whole(self) -> bool:
        """Whether this is all that a commit holds, and not one step on the way to it."""
        return bool(self.files) and (not self.actions or self.message is not None)
