"""What an agent does or did as an event: its command parsed once, its paths as rules name them, the files it writes."""

from __future__ import annotations

import re

from rulec.domain.compiled_rule import EventFinding
from rulec.domain.files.globs import WILDCARDS
from rulec.domain.record import Record
from rulec.shell.command_matching import git_subcommand
from rulec.shell.parsing.call import TREE_TOP, Call, CarriedText, FileEffect, ParsedText, join_path, quote_word
from rulec.shell.parsing.parser import parse_shell
from rulec.shell.parsing.runs import GIVEN
from rulec.shell.programs import WORDS, interpreter_of
from rulec.shell.writes import file_effects, program_code

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
    from typing import Protocol

    from rulec.checkout.worktree import FilePlace, Worktree
    from rulec.domain.compiled_rule import Facts, PathCheck

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
LONGEST_SHOWN = 200
_ALIAS = re.compile(r"[A-Za-z][\w-]*")
MOST_GIT_CALLS = 100  # calls of git in one text that are looked at
ASK_PERSON = "ask the person: this command is theirs to run"  # what mends a command that only a person may give


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
    script_words: tuple[str, ...] = ()  # of the text of a script: what $0, $1 ... are
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
    scripts: Callable[[Event, Call], list[CarriedText]] | None = None
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

    def with_script(self, script: CarriedText) -> Event:
        """The same for the text of a script that it runs."""
        cwd, words = join_path(self.cwd, script.cwd), script.words
        inner = self.but(command=script.text, cwd=cwd, script_words=words)
        return inner.but(parsed=None, effects=None, acts=None, written=None)

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


def unread_finding(facts: Facts, event: Event) -> EventFinding:
    """A finding on a command that is too long or too deep to be read to its end."""
    why, cure = parsed_command(event).unsure, "run it as shorter commands, one after the other"
    return EventFinding(facts=facts, text=event.command[:LONGEST_SHOWN], unsure=why, held=True, cure=cure)


def parsed_command(event: Event) -> ParsedText:
    """The event's command as parsed shell text, with what aliases of git stand for; computed once."""
    known = event.parsed
    if known is None:
        known = event.parsed = parse_shell(event.command, event.script_words)
        if any(call.program == "git" for call in known.calls):
            root = event.world.root if event.world else ""
            known.calls += list(_calls_behind_aliases(known.calls, root))
    return known


def _calls_behind_aliases(calls: Iterable[Call], root: str) -> Iterator[Call]:
    """What the calls of git run whose subcommand is none of git's own: as the text itself or git's settings say."""
    told: dict[str, str] = {}
    for call in [one for one in calls if one.program == "git"][:MOST_GIT_CALLS]:
        at, verb = git_subcommand(call.argv)
        if verb == "config":
            pairs = zip(call.argv, call.argv[1:], strict=False)
            told |= {name.partition(".")[2]: value for name, value in pairs if name.lower().startswith("alias.")}
        elif verb not in WORDS["git_verbs"] and _ALIAS.fullmatch(verb):
            yield from _alias_expanded(call, at, told.get(verb) or _alias_setting(root, verb))


def _alias_setting(root: str, name: str) -> str:
    from rulec.checkout import git_call  # noqa: PLC0415 (it needs subprocess, and few commands use an alias)

    return git_call.git_text(root, ["config", "--get", f"alias.{name}"]).strip() if root else ""


def _alias_expanded(call: Call, at: int, value: str) -> Iterator[Call]:
    given, before = (" ".join(map(quote_word, words)) for words in (call.argv[at + 1 :], call.argv[:at]))
    text = value[1:] if value.startswith("!") else f"{before} {value}"
    for found in parse_shell(f"{text} {given}").calls if value else ():
        found.cwd, found.adrift, found.stdin = call.cwd, call.adrift, found.stdin or call.stdin
        found.env, found.via = {**call.env, **found.env}, (*call.via, "git alias", *found.via)
        yield found


def touched_paths(event: Event) -> list[FileEffect]:
    """The files that the event's command writes or deletes; computed once."""
    if event.effects is None:
        event.effects = file_effects(parsed_command(event))
    return event.effects


def may_write(event: Event) -> bool:
    """Whether the event is a command that writes or deletes files."""
    return event.kind == "command" and bool(touched_paths(event))


def writes_files(event: Event) -> bool:
    """Whether the event writes or deletes files that it names."""
    return event.kind in FILE_KINDS or may_write(event)


def command_line(argv: list[str]) -> str:
    """The words as one shell line, quoted where they need it."""
    line = " ".join(" ".join(map(quote_word, argv)).split())
    return line if len(line) <= LONGEST_SHOWN else line[: LONGEST_SHOWN - 1] + "…"


_HOME = re.compile(r"\$(?:HOME|\{HOME\})(?=/|$)")  # how "~" is written where it stands in quotes
_PROCESS = re.compile(r"^/proc/(?:self|thread-self|\$\$|\d+)/cwd(?=/|$)")


def relative_path(event: Event, path: str) -> str:
    """The path from the top of the repository; absolute where it lies outside."""
    root = event.root.rstrip("/")
    path = _HOME.sub("~", path, count=1) if path.startswith("$") else path
    path = path_in_process(path) if path.startswith("/proc/") else path
    if path.startswith(TREE_TOP):
        return join_path("", path[len(TREE_TOP) :].lstrip("/"))
    if not path.startswith(("/", "~")):
        path = join_path(event.cwd, path)
        if path == ".." or path.startswith("../"):
            path = join_path(root, path) if root else path
    if root and (path == root or path.startswith(root + "/")):
        return join_path("", path[len(root) + 1 :])
    return join_path("", path)


def path_in_process(path: str) -> str:
    """A ``/proc/self/cwd`` path as the relative path that it means; any other path as it is."""
    return _PROCESS.sub(".", path, count=1).removeprefix("./")


def _exists(event: Event, effect: FileEffect, path: str) -> bool | None:
    """Whether the file that a command touches exists; None where that is not known."""
    world, there = event.world, event.there
    if world:
        return bool(world.exists(path))
    if effect.existing:
        return True
    return there(path) if callable(there) else None


def new_folders(event: Event, *, above: bool = False) -> list[str]:
    """The folders that the command's ``mkdir`` makes; with ``above`` also the parents that -p makes."""
    found: dict[str, None] = {}
    for call in parsed_command(event).calls:
        if call.program != "mkdir" or call.adrift:
            continue
        words = [word for word in call.argv[1:] if not word.startswith("-")]
        skip = next(
            (after for flag, after in zip(call.argv, call.argv[1:], strict=False) if flag in ("-m", "--mode")), None
        )
        for word in words:
            if word == skip or "$" in word or "`" in word:
                continue
            path = relative_path(event, join_path(call.cwd, word))
            parts = path.split("/")
            deep = above and any("p" in flag for flag in call.argv[1:] if flag[:1] == "-")
            if deep and not path.startswith(("/", "~", "..")):
                found.update(("/".join(parts[:count]), None) for count in range(1, len(parts)))
            found[path] = None
    return [path for path in found if path]


def folder_events(event: Event) -> list[Event]:
    """The folders that a command creates, as file events."""
    world, there = event.world, event.there
    found: list[Event] = []
    for path in new_folders(event, above=bool(world)):
        known = world.exists(path) if world else there(path) if callable(there) else None
        if known is not True:
            file = Event(kind="write", path=path, exists=False, agent=event.agent)
            if world:
                file.at_place(world.place_of(path))
            found.append(file)
    return found


def _named_paths(event: Event, done: list[FileEffect]) -> Iterator[tuple[FileEffect, str, bool]]:
    """Each effect with the paths that it has, and whether each is certain.

    Of a path with wildcards those that lie there, where any does; not of git, whose patterns reach into folders, and
    not where the pattern is of files that are copied. Of files that another command lists, those that it does.
    """
    world = event.world
    for effect in done:
        path = relative_path(event, effect.path)
        listed = _listed(event, effect)
        if listed:
            yield from ((effect, each, sure and (effect.sure or GIVEN not in effect.path)) for each, sure in listed)
        if listed or (path.rpartition("/")[2] == GIVEN and not effect.named_by_source):
            continue
        of_git = effect.call is not None and effect.call.program == "git"
        of_shell = effect.sure and not effect.named_by_source and not of_git
        wild = of_shell and any(sign in path for sign in WILDCARDS)
        named = world.paths_of(path) if wild and world else ()
        yield from ((effect, each, effect.sure) for each in named or (path,))


def _listed(event: Event, effect: FileEffect) -> list[tuple[str, bool]]:
    """The files that another command lists for the one that changes them."""
    call = effect.call
    if call is None or not (GIVEN in effect.path or (call.program == "find" and effect.delete)):
        return []
    from rulec.shell import listed_files  # noqa: PLC0415 (few commands are given files)

    return listed_files.given_files(event.world, call, lambda path: relative_path(event, path))


def file_events(event: Event, done: list[FileEffect]) -> list[Event]:
    """What a command does to files, as file events."""
    world = event.world
    found = []
    for effect, path, sure in _named_paths(event, done):
        if effect.folder and world and not world.is_folder(relative_path(event, effect.folder)):
            continue
        if effect.no_folder and world and world.is_folder(path):
            continue
        if effect.elsewhere and not path.startswith(("/", "~")):
            continue
        file = Event(
            kind="delete" if effect.delete else "write",
            path=path,
            root=event.root,
            agent=event.agent,
            exists=_exists(event, effect, path),
            new=effect.content,
            content=effect.content if effect.whole and effect.content else None,
            unsure=not sure or bool(effect.folder and not world),
            undoes=effect.undoes,
            taken=TakenFile(source=effect.source, call=effect.call, event=event) if effect.source else None,
            below=effect.below,
            call=effect.call,
            into=effect.into and (effect.existing or bool(world and world.is_folder(path))),
            past=event.past,
        )
        if world:
            file.at_place(world.place_of(path))
        found.append(file)
    return found


def code_events(event: Event) -> list[Event]:
    """A file event for each program text in a command; its path is ``code.`` and the suffix of its language."""
    found = []
    for call in parsed_command(event).calls:
        program = interpreter_of(call.program)
        text = program_code(call) if program else ""
        if text.strip():
            from rulec.domain.files.languages import PROGRAMS, SUFFIXES  # noqa: PLC0415 - not on the way of each command

            if program not in PROGRAMS:
                continue  # in a language whose files have no known name
            path = f"code.{SUFFIXES[PROGRAMS[program]][0]}"
            found.append(Event(kind="write", path=path, exists=False, new=text, content=text, agent=event.agent))
    return found


def surely_written(event: Event) -> list[str]:
    """The files that a command writes, if it runs at all."""
    files = file_events(event, touched_paths(event))
    sure = [file for file in files if not (file.unsure or file.below or file.into or file.undoes)]
    return [file.path for file in sure if not (event.world and event.world.is_folder(file.path))]
