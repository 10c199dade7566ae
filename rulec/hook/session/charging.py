"""Whether a session's own calls changed a file, by the record that its agent keeps: without evidence, nothing is held.

A call that names the file is evidence; so is a command of which nobody knows what it writes, for a file that changed
while it ran. Where all that the session did to a file are edits whose texts are known, only lines that these texts hold
are its own. Of an agent that keeps no record the hook notes which files its calls write by name. A file that git
brought, and one that a program made that was there before the session, is no work of the session's.
"""

from __future__ import annotations

import os
import time

from rulec.checkout.pending_change import merge_heads, texts_at_head
from rulec.checkout.rules_layout import GUARD
from rulec.checkout.worktree import Worktree, resolved, tree_top
from rulec.domain.files import globs
from rulec.guard import forbidden_text
from rulec.guard.acts import seconds_of
from rulec.guard.file_check import runs_generator
from rulec.hook import session_state
from rulec.hook.pending_files import PendingChange
from rulec.shell import action_events, writes
from rulec.shell.action_events import FILE_KINDS, Event
from rulec.shell.command_matching import git_subcommand
from rulec.shell.programs import facts_of, interpreter_of
from rulec.transcripts import edited_lines

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from rulec.agents.protocol.agent_spec import HookRequest
    from rulec.domain.compiled_rule import EventFinding, PathCheck
    from rulec.shell.parsing.call import Call


CLOCKS = 0.1  # seconds by which the times of a call and of the file that it wrote may differ
LATE = 3_600.0  # seconds after which a record that ends before now was kept by another clock
LAG = 0.15  # seconds: agents write their record with a delay
NO_RECORD = "there is no record of this session's calls that rulec can read"
BY_OTHERS = "no call of this session is known that changed it: a person, or a program in the background, may have"
NOT_IN_EDITS = (
    "none of this session's edits of the file has this line: a person, or another program, may have written it"
)
BY_PROGRAM = "`{}` changed it, which runs what was there before this session"
BY_GIT = "`{}` brought it"
# Programs that write nothing but what their words name.
ONLY_READ = frozenset([
    "[", "ag", "basename", "bat", "batcat", "cat", "cd", "cksum", "cmp", "column", "comm", "cut", "date", "df", "diff",
    "dirname", "du", "echo", "egrep", "export", "fgrep", "file", "free", "grep", "head", "hexdump", "hostname", "id",
    "jq", "ls", "md5sum", "nl", "od", "printenv", "printf", "ps", "pwd", "readlink", "realpath", "rg", "seq", "set",
    "sha256sum", "sleep", "stat", "strings", "tac", "tail", "test", "tr", "tree", "true", "type", "uname", "uniq",
    "wc", "which", "whoami", "xxd", ":",
])  # fmt: skip
GIT_WRITES = ("apply", "am", "filter-branch", "replay")  # of git's verbs those by which a session writes its own
GIT_BRINGS = ("pull", "merge", "stash", "checkout", "switch", "rebase", "cherry-pick", "revert", "reset", "clone",
              "submodule", "restore", "bisect", "worktree", "sparse-checkout", "read-tree")  # fmt: skip
LOOKING_TOOLS = ("read", "get", "list", "search", "find", "view", "query", "fetch", "describe", "browser", "resolve")


class OwnWork:
    """What of the pending change the session's own calls did; its record is read when somebody asks."""

    def __init__(self, asked: HookRequest, pending: PendingChange) -> None:
        self.asked, self.pending = asked, pending
        self._events: list[Event] | None = None
        self._read = False
        self._known: dict[str, str] = {}
        self._edits: dict[str, list[edited_lines.Edit] | None] = {}
        self._by_program: set[str] = set()  # changed files
        self._waited = False

    @property
    def calls(self) -> list[Event] | None:
        """The session's calls, those of its sub-agents among them; None where no record of them can be read."""
        if not self._read:
            from rulec.transcripts import recent_history  # noqa: PLC0415 (a session's start has no past)

            self._read, self._events = True, recent_history.session_calls(self.asked, self.pending.world)
        return self._events

    def why_not_own(self, file: Event, finding: EventFinding | None = None) -> str:
        """Why a changed file, or what was found in it, is not held against the session; "" where its calls did it."""
        why = self._why_now(file, finding)
        if why in (BY_OTHERS, NOT_IN_EDITS) and self._has_grown():
            why = self._why_now(file, finding)
        return why

    def why_finding_not_own(self, finding: EventFinding) -> str:
        """The same of a finding's place; "" where it names no changed file."""
        path = finding.path
        file = next((one for one in self.pending.files if path in (one.path, *one.also)), None)
        return self.why_not_own(file, finding) if file else ""

    def _why_now(self, file: Event, finding: EventFinding | None) -> str:
        """The same by the record as it is now."""
        path = file.path
        if path not in self._known:
            self._known[path] = self._judge(file)
        if self._known[path] or not finding or not finding.line:
            return self._known[path]
        if path not in self._edits:
            self._edits[path] = self._sole_edits(file)
        edits, first = self._edits[path], finding.line
        lines = range(first, max(first, finding.last) + 1)
        own = edits is None or any(edited_lines.has_line(edits, file.content or "", line) for line in lines)
        return "" if own else NOT_IN_EDITS

    def is_changed_by_program(self, file: Event) -> bool:
        """Whether a call of the session ran a program that was there before, and that changed the file."""
        self.why_not_own(file)
        return file.path in self._by_program

    def is_generated(self, file: Event, check: PathCheck) -> bool:
        """Whether all that the session did to the file is that a generator which the check permits wrote it."""
        events, whole = self.calls or [], self._whole_path(file)
        ran = [one for one in events if any(runs_generator(check, call) for call in _calls_of(one))]
        if not ran or any(_writes_by_hand(one, whole, check) for one in events):
            return False
        changed = changed_at(self.pending.world.absolute(file.path))
        under_way = events_at(events, changed)
        if under_way is None:
            return True
        exactly = [one for one in under_way if _spans(one, changed, slack=0.0)]
        return any(one in ran and not self._runs_own_code(one) for one in exactly or under_way)

    def _sole_edits(self, file: Event) -> list[edited_lines.Edit] | None:
        """The edits that are all that the session did to the file; None where it may have changed it otherwise, too."""
        events, whole = self.calls, self._whole_path(file)
        named = [one for one in events or () if _names(one, whole)]
        if events is None or not named or not all(one.edits for one in named):
            return None
        under_way = events_at(events, changed_at(self.pending.world.absolute(file.path)))
        doubted = events if under_way is None else under_way
        others = [one for one in doubted if may_have_written(one) and not self._standing_program(one)]
        others += [one for one in events if self._runs_own_code(one)]
        return None if others else [edit for one in named for edit in one.edits]

    def _has_grown(self) -> bool:
        """Whether the record, which is written with a delay, has grown since it was read; waited for once."""
        if self._waited:
            return False
        self._waited, before = True, _size(self.asked.transcript)
        time.sleep(LAG)
        if _size(self.asked.transcript) == before:
            return False
        self._read = False
        self._known.clear()
        self._edits.clear()
        return True

    def _judge(self, file: Event) -> str:
        events, whole = self.calls, self._whole_path(file)
        world = self.pending.world
        if events is None:
            return "" if whole in written_paths(world.root, self.asked) else NO_RECORD
        named = [one for one in events if _names(one, whole)]
        if any(one.kind in FILE_KINDS or whole in _exact_paths(one) for one in named):
            return ""
        changed = changed_at(world.absolute(file.path))
        under_way = events_at(events, changed)
        for event in named if under_way is None else under_way:
            if not (may_have_written(event) or any(event is one for one in named)):
                continue
            program = self._standing_program(event)
            self._by_program |= {file.path} if program else set()
            return BY_PROGRAM.format(program) if program else ""
        if under_way is None and any(map(may_have_written, events)):  # nobody can tell when they ran
            return ""
        brought = next((line for event in under_way or () if (line := _brought_by(event))), "")
        return BY_GIT.format(brought) if brought else BY_OTHERS

    def _whole_path(self, file: Event) -> str:
        place = self.pending.world.absolute(file.path)
        return os.path.join(os.path.realpath(os.path.dirname(place)), os.path.basename(place))

    def _standing_program(self, event: Event) -> str:
        """What the command runs from a script or recipe that was there before the session; "" where it runs none."""
        return self._script_run_by(event, own=False)

    def _runs_own_code(self, event: Event) -> bool:
        """Whether a call runs code that the session wrote, or that nobody can see."""
        if event.kind != "command":
            return may_have_written(event)
        calls = _calls_of(event)
        typed = any(writes.program_code(call).strip() for call in calls if interpreter_of(call.program))
        return typed or bool(self._script_run_by(event, own=True))

    def _script_run_by(self, event: Event, *, own: bool) -> str:
        """The part of a command that runs a script or recipe of the session's ``own``, or else one of others."""
        if event.kind != "command":
            return ""
        from rulec.shell import run_files  # noqa: PLC0415 (few files are changed by what runs from a file)

        def read(path: str) -> str | None:
            text = event.here.read(path)
            return text if text is not None and self._is_own_script(path) is own else None

        view = event.but(reader=read, scripts_read=None)
        for call in action_events.parsed_command(event).calls:
            how = facts_of(call.program).get("from_files")
            runs = how in (None, *run_files.RECIPES)
            runs = runs or (how == "shell" and not "".join(call.argv[1:2]).startswith("-"))
            texts = run_files.texts_of_scripts(view, call) if runs and run_files.runs_files(call) else ()
            if any(script.text and script.program != "diff" for script in texts):  # a patch is no program of theirs
                return action_events.command_line(call.argv)
        return ""

    def _is_own_script(self, path: str) -> bool:
        """Whether a script is the session's: its calls name it, it is not as the last commit has it, or came with them.

        The last is asked of what lies outside the repository.
        """
        world, pending = self.pending.world, self.pending
        place = resolved(world.absolute(path))
        if any(place in _named_paths(one) for one in self.calls or ()):
            return True
        inside = world.relative(place)
        if not os.path.isabs(inside):
            return any(inside == file.path for file in pending.files)
        if not pending.since or not pending.changed(place):
            return False
        under_way = events_at(self.calls or [], changed_at(place))
        return under_way is None or any(map(may_have_written, under_way))


def _calls_of(event: Event) -> list[Call]:
    return action_events.parsed_command(event).calls if event.kind == "command" else []


def _writes_by_hand(event: Event, whole: str, check: PathCheck) -> bool:
    """Whether a call writes the file otherwise than by a generator of the check."""
    if event.kind in FILE_KINDS:
        return whole in _named_paths(event)
    effects = [one for call in _calls_of(event) for one in writes.effects_of_call(call)]
    named = [one.path for one in effects if not one.undoes and not runs_generator(check, one.call)]
    return whole in [_real(event, action_events.relative_path(event, path)) for path in named]


def _names(event: Event, whole: str) -> bool:
    """Whether a call names the file as one that it writes, or a folder that holds it."""
    if event.kind in FILE_KINDS:
        return whole in _named_paths(event)
    return any(
        path == whole or whole.startswith(path.rstrip("/") + "/") or _is_glob_of(path, whole)
        for path in _written_paths(event)
    )


def _is_glob_of(path: str, whole: str) -> bool:
    return any(sign in path for sign in globs.WILDCARDS) and globs.match([path], whole)


def _named_paths(event: Event) -> list[str]:
    """The absolute paths that a call writes by name."""
    return [_real(event, event.path)] if event.kind in FILE_KINDS else _written_paths(event)


def _exact_paths(event: Event) -> list[str]:
    return [path for path in _written_paths(event) if not os.path.isdir(path)]


def _written_paths(event: Event) -> list[str]:
    """The absolute paths that a command writes or deletes, but for what git takes from a commit; found once."""
    if event.kind != "command":
        return []
    if event.written is None:
        effects = writes.file_effects(action_events.parsed_command(event))
        named = [one.path for one in effects if not (one.undoes or one.source or one.elsewhere)]
        event.written = [_real(event, action_events.relative_path(event, path)) for path in named]
    return event.written


def _real(event: Event, path: str) -> str:
    """The absolute path with the links of its folder resolved."""
    whole = event.whole_path or event.here.absolute(path)
    return os.path.join(resolved(os.path.dirname(whole)), os.path.basename(whole))


def may_have_written(event: Event) -> bool:
    """Whether a call may have written a file that its words do not name."""
    if event.kind == "command":
        return any(map(_may_write, action_events.parsed_command(event).calls))
    tool = event.tool.lower()
    if event.kind == "tool" and tool.startswith("mcp__"):
        return not tool.rpartition("__")[2].startswith(LOOKING_TOOLS)
    return event.kind == "gap" and bool(event.began)


def _may_write(call: Call) -> bool:
    if call.program == "git":
        return git_subcommand(call.argv)[1] in GIT_WRITES
    return bool(call.program) and call.program not in ONLY_READ


def _brought_by(event: Event) -> str:
    """The git command of a call that brings files of others; "" where there is none."""
    brings = (one for one in _calls_of(event) if one.program == "git" and git_subcommand(one.argv)[1] in GIT_BRINGS)
    return next((action_events.command_line(one.argv) for one in brings), "")


def events_at(events: list[Event], changed: float) -> list[Event] | None:
    """The calls that were under way at that time; None where the record does not tell when its calls ran."""
    if not times_of(events) or not has_spans(events):
        return None
    return [event for event in events if _spans(event, changed)]


def _spans(event: Event, changed: float, slack: float = CLOCKS) -> bool:
    began, ended = seconds_of(event.began), seconds_of(event.at)
    return bool(began) and began - slack <= changed and bool(event.pending or changed <= ended + slack)


def has_spans(events: list[Event]) -> bool:
    """Whether the record tells when calls began."""
    return any(event.began for event in events)


def times_of(events: list[Event]) -> list[float]:
    """When each was over, at the latest; [] where that is not known of one that may matter, or not by this clock."""
    times: list[float] = []
    last = 0.0
    for event in events:
        at = seconds_of(event.at)
        if not at and event.kind in ("command", *FILE_KINDS) and not event.pending:
            return []
        last = max(last, at)
        times.append(last)
    return times if abs(time.time() - max(last, *(seconds_of(one.began) for one in events), 0.0)) < LATE else []


def changed_at(path: str) -> float:
    """When a file changed last; of one that is gone when its folder did."""
    try:
        seen = os.lstat(path)
    except (OSError, ValueError):
        above = os.path.dirname(path)
        return changed_at(above) if above != path else 0.0
    return max(seen.st_mtime, seen.st_ctime)


def _size(path: str) -> int:
    try:
        return os.stat(path).st_size
    except (OSError, ValueError):
        return 0


def other_trees(own: OwnWork) -> Iterator[Worktree]:
    """Other work trees of the repository, and repositories with rules within it, in which its calls wrote files."""
    world = own.pending.world
    if own.calls is None:
        paths = sorted(written_paths(world.root, own.asked))
    else:
        paths = [path for one in own.calls for path in _named_paths(one)]
    seen = {world.root}
    for path in paths:
        tree = world.tree_at(os.path.dirname(path))
        top = tree_top(os.path.dirname(path)) if tree is world else ""
        if top not in ("", world.top) and os.path.isdir(os.path.join(top, GUARD)):
            tree = Worktree(top)
        if tree.root not in seen:
            seen.add(tree.root)
            yield tree


WROTE, STOOD = "wrote", "stood"  # parts of what is remembered of a session
MOST_PATHS = 300  # that a session's calls wrote
MOST_LINES = 2_000  # that stood in changed files when a session began


def note_written(root: str, asked: HookRequest, events: list[Event]) -> None:
    """Note the files that a call writes by name: the evidence where the agent keeps no record of its calls."""
    paths = [path for event in events for path in _written_by(event)]
    if not paths or written_paths(root, asked).issuperset(paths):
        return

    def add(known: object) -> list[str]:
        kept = [path for path in _texts(known) if path not in paths]
        return [*kept, *dict.fromkeys(paths)][-MOST_PATHS:]

    session_state.update(root, asked.main_session, WROTE, add)


def written_paths(root: str, asked: HookRequest) -> frozenset[str]:
    """The absolute paths that calls of the session were seen to write."""
    return frozenset(_texts(session_state.load(root, asked.main_session).get(WROTE)))


def _texts(value: object) -> list[str]:
    return [one for one in value if isinstance(one, str)] if isinstance(value, list) else []


def _written_by(event: Event) -> list[str]:
    world = event.here
    if event.kind in FILE_KINDS:
        named = [event.path]
    elif event.kind == "command":
        effects = [one for one in action_events.touched_paths(event) if not (one.undoes or one.source or one.elsewhere)]
        named = [action_events.relative_path(event, one.path) for one in effects]
    else:
        return []
    whole = [world.absolute(path) for path in named if path]
    return [os.path.join(resolved(os.path.dirname(path)), os.path.basename(path)) for path in whole]


def note_standing(root: str, asked: HookRequest) -> None:
    """Note the lines by which files differ from HEAD as a session begins: they are no work of its own."""
    left, stood = MOST_LINES, dict[str, list[int]]()
    for file in PendingChange(Worktree(root), "", 0.0).files:
        lines = [forbidden_text.line_digest(text) for _, text in forbidden_text.added_lines(file)]
        left -= len(lines)
        if lines and left >= 0:
            stood[file.path] = lines
    if stood:
        told = {"root": os.path.realpath(root), "lines": stood}
        session_state.update(root, asked.session, STOOD, lambda _: told)


def mark_standing(pending: PendingChange, asked: HookRequest) -> None:
    """Give each changed file the lines that are somebody else's, as ``stood``: ``added_lines`` leaves them out.

    They stood there when the session began, or the other side of a merge that is under way has them.
    """
    root = pending.world.root
    sessions = (session_state.load(root, one) for one in (asked.session, asked.main_session))
    entry: object = next((known[STOOD] for known in sessions if STOOD in known), {})
    lines = entry.get("lines") if isinstance(entry, dict) and entry.get("root") == os.path.realpath(root) else None
    stood = lines if isinstance(lines, dict) else {}
    merged = [texts_at_head(root, [file.path for file in pending.files], head) for head in merge_heads(root)]
    for file in pending.files:
        theirs = [Event(kind="edit", old=file.old, new=texts.get(file.path, "")) for texts in merged]
        brought = [forbidden_text.line_digest(text) for one in theirs for _, text in forbidden_text.added_lines(one)]
        file.stood = (*(stood.get(file.path) or ()), *brought)
