"""A session as its agent recorded it: turns, and the actions between them; and a transcript format as a plug."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

ActionKind = Literal["command", "write", "edit", "delete", "read", "reply", "tool", "other", "says", "stop"]
Role = Literal["human", "agent", "unknown"]
TurnKind = Literal["typed", "queued", "rejection", "slash_args", "agent"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Action:
    """One tool call with its result; paths are relative to the session's folder where they lie in it.

    Where a session is replayed in its order, says (a person's words) and stop (the end of a turn, with the agent's last
    words) stand among its actions; no reader makes them.
    """

    kind: ActionKind
    id: str = ""
    tool: str = ""
    args: str = ""  # the tool's arguments as JSON, of a tool that is judged by its name
    command: str = ""
    path: str = ""
    old: str = ""  # text an edit replaces
    new: str = ""  # text an edit or write puts there; the words of says and stop
    output: str = ""  # the first 2,000 characters of the result
    ok: bool | None = None  # None: the transcript does not say
    rejected: bool = False  # the person refused this very call
    aside: bool = False  # of a replay: it happened, and is not judged


@dataclass(frozen=True, slots=True, kw_only=True)
class Turn:
    """One message; a person's words, or an agent's words and the actions it took.

    Where a format leaves it open who speaks, the role is unknown: such words are shown like a person's, and no rule is
    made of them unless a reader finds a wish in them.
    """

    role: Role
    kind: TurnKind
    text: str
    index: int  # position among the turns of this transcript, from 0
    line: int  # where it stands in the file, from 1
    at: str = ""  # ISO 8601, "" where the format has no time
    session: str = ""
    agent: str = ""
    cwd: str = ""
    actions: Sequence[Action] = ()
    interrupted: bool = False  # the person stopped the agent right before this turn


@dataclass(frozen=True, slots=True)
class UnreadableLine:
    """A line that could not be read; the rest of the file still counts."""

    line: int
    what: str


def relative_to_folder(path: str, cwd: str) -> str:
    """The path relative to the session's folder where it lies in it, with forward slashes."""
    path, cwd = path.replace("\\", "/"), cwd.replace("\\", "/").rstrip("/")
    if cwd and path.startswith(cwd + "/"):
        return path[len(cwd) + 1 :]
    return path.removeprefix("./")


@dataclass(frozen=True, slots=True, kw_only=True)
class TranscriptFormat:
    """A transcript format."""

    name: str
    recognises: Callable[[bytes], bool]  # the first 64 KiB of the file
    read: Callable[[Iterable[bytes]], Iterator[Turn | UnreadableLine]]  # lines with their line ends, streamed
    roots: tuple[str, ...] = ()  # globs below the repository and the home folder where such transcripts live
    remote: Callable[[bytes], str] = lambda _: ""  # the git remote that those first 64 KiB name, "" for none
