"""What an agent does, or did: one event, and the acts that rules on a session see in it."""

from __future__ import annotations

from rulec.domain.record import Record
from rulec.shell.parsing.call import Call, join_path

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Mapping, Sequence
    from typing import Protocol

    from rulec.checkout.worktree import FilePlace, Worktree
    from rulec.domain.compiled_rule import PathCheck
    from rulec.shell.parsing.call import FileEffect, ParsedText

    class Tree(Protocol):
        """The files of a repository, changed or not."""

        def paths(self) -> Collection[str]:
            """Every path."""

        def read(self, path: str) -> str | None:
            """The text of a file."""

    class Runs(Protocol):
        """The runs of suites that rulec recorded."""

        def why_unproved(self, suite: str, act: Act) -> str:
            """What lacks for a recorded run that covers what is there; "" where nothing does."""

        def failing_test(self, suite: str, act: Act) -> str:
            """The first test that failed in the suite's last run."""

        def root_of(self, act: Act) -> str:
            """The work tree that an act works in."""


FILE_KINDS = ("write", "edit", "delete")


class MovedFile(Record):
    """The path and text that a file had before it was moved."""

    path: str
    text: str


class FileOfChange(Record):
    """One file of a change that is judged as a whole."""

    path: str
    old_path: str = ""
    how: str  # create, change, delete or move
    old: str = ""
    new: str = ""


class TakenFile(Record):
    """What git takes a file from: a commit or another file, by which call of which event."""

    source: str
    call: Call | None
    event: Event


class Event(Record):
    """One thing done, or about to be done; what is not known is empty or None.

    ``kind``: command, write, edit, delete, tool, read, says (a person), reply, stop (the end of a turn), change (all of
    it as one commit), gap (unseen), none, other.
    """

    kind: str
    agent: str = ""
    environment: str = ""
    root: str = ""  # of the work tree whose rules judge
    world: Worktree | None = None
    cwd: str = ""  # from that root
    # A command.
    command: str = ""
    judged: list[Call] | None = None  # of its calls those that run in the tree whose rules are asked; None is all
    run_by: Sequence[Call] = ()  # the calls by which a script runs it
    standing: bool = False  # it stands in a recipe that is judged whoever wrote it
    typed: bool = True  # what stands in the text itself counts, beside what files hold
    reader: Callable[[str], str | None] | None = None  # of scripts, where not the work tree's
    # A file.
    path: str = ""
    also: tuple[str, ...] = ()  # its other names
    within: str = ""  # the submodule or clone that it lies in
    inside: str = ""  # its path from here, where it lies in one
    whole_path: str = ""  # its absolute path, where a record tells it
    old: str | None = None
    new: str | None = None
    content: str | None = None  # the whole file as it will be
    disk: str | None = None  # the whole file as it is
    edits: Sequence[tuple[str, str]] = ()  # what was replaced by what, as a record tells it
    everywhere: bool = False  # an edit replaces each place
    exists: bool | None = None
    unsure: bool | str = False
    undoes: bool = False  # it becomes again what git has of it
    below: bool = False  # what lies below the path is changed as well
    into: bool = False  # something is put into the folder
    taken: TakenFile | None = None
    call: Call | None = None  # the one that writes it
    left: bool = False  # it lies there, as the end of a turn or a commit finds it
    stood: tuple[int, ...] = ()  # digests of lines that are somebody else's
    source: MovedFile | None = None  # where it was moved from
    was: str = ""  # the path it had
    tree_root: str = ""  # of the work tree that holds a changed file
    written_by: Callable[[PathCheck], bool] | None = None  # whether a permitted generator wrote it in this session
    # A tool, and words.
    tool: str = ""
    args: Mapping[str, object] = {}
    text: str = ""
    # The end of a turn, and a change.
    files: Sequence[Event] = ()
    changes: Sequence[FileOfChange] = ()
    tree: Tree | None = None
    # How it went, as a record tells it.
    ok: bool | None = None
    began: str = ""
    at: str | None = None  # when it was over; None where it is not
    pending: bool = False
    background: bool = False
    nothing: bool = False  # it says that no tests ran
    failed: bool = False  # its output shows a failure
    # What came before.
    past: Sequence[Event] | Callable[[], Sequence[Event]] | None = None
    history: Sequence[Event] | None = None
    unread: str = ""  # why nobody knows what came before
    held: bool = False
    runs: Runs | None = None
    scripts: Callable[[Event, Call], list[tuple[str, str]]] | None = None
    there: Callable[[str], bool | None] | None = None  # whether a file is there, without a work tree
    base: str | None = None  # the commit that a file was found changed from
    example: bool | None = None  # it is one of a rule's examples, or (False) of a session of long ago
    # What is computed of it once.
    parsed: ParsedText | None = None
    effects: list[FileEffect] | None = None
    acts: list[Act] | None = None
    written: list[str] | None = None
    open_paths: Collection[str] | None = None
    scripts_read: dict[str, str] | None = None
    # How much of what it carries may still be looked at; shared with the events of the texts that it runs.
    carried_left: list[int] | None = None
    tries_left: list[int] | None = None

    def with_command(self, command: str, folder: str) -> Event:
        """The same for another text, which runs in a folder below."""
        cwd = join_path(self.cwd, folder)
        return self.but(command=command, cwd=cwd, parsed=None, effects=None, acts=None, written=None)

    def at_place(self, place: FilePlace) -> None:
        """Take the names of its file, and the work tree that this lies in."""
        self.path, self.also, self.root, self.world = place.path, place.also, place.root, place.world
        self.within, self.inside = place.within, place.inside

    @property
    def here(self) -> Worktree:
        """The work tree, of an event that has one."""
        if self.world is None:
            raise ValueError("the event is of no work tree")
        return self.world

    @property
    def names(self) -> tuple[str, ...]:
        """All names of its file."""
        return (self.path, *self.also)


class Act:
    """One thing done: run, edit, delete, read, tool, say (a person), stop (the agent's last words), gap (unseen)."""

    __slots__ = ("call", "event", "kind", "ok", "outer", "path", "place", "sure", "text", "undoes", "whole")

    def __init__(self, kind: str, event: Event, *, path: str = "", text: str = "", sure: bool = True) -> None:
        self.kind, self.event, self.path, self.text, self.sure = kind, event, path, text, sure
        self.ok: bool | None = None  # of a run: None where nothing shows how it went
        self.call = Call([], "", {}, ())
        self.outer: Act | None = None  # of a run by a script or recipe: the run of that
        self.place = 0  # of a run and what it does: which of its event's commands
        self.whole = False  # of an edit: the whole file was written
        self.undoes = False  # of an edit: git takes the file from HEAD or the index
