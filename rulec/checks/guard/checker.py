"""guard: what an agent is about to do, decided in-process by what its hooks run, too."""

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache, partial
from typing import Any

from rulec.checkout.rules_layout import LAUNCHER
from rulec.checks.guard.guard_schema import complaint_about, require_bounded_patterns
from rulec.checks.skipped_files import is_newly_large, unread_fault
from rulec.domain.artifact import Artifact, PlannedCheck, RuleFacts, facts_data, facts_from_data, generated_notice
from rulec.domain.change import Change, FileChange
from rulec.domain.compiled_rule import ChangeCheck, CompiledRule, EventFinding, SessionCheck, TextCheck, read_rule
from rulec.domain.files.globs import match
from rulec.domain.finding import Fault, Finding
from rulec.domain.plugs import Checker, FileReach, Job, JobOutput
from rulec.domain.text.one_line import to_one_line
from rulec.domain.transcript import Action
from rulec.errors import RulecError
from rulec.guard import decision, file_check
from rulec.guard.decision import decide
from rulec.hook import script_rules
from rulec.shell import action_events, run_files
from rulec.shell.action_events import Event, FileOfChange
from rulec.shell.parsing.call import join_path
from rulec.shell.parsing.parser import parse_shell
from rulec.shell.writes import file_effects

_HOW = {"A": "create", "D": "delete"}

DELEGATES = ("Task", "Agent")  # tools behind which another agent works, unseen
_DONE = ("write", "edit", "delete", "read", "tool", "says", "stop", "reply")


def reach(artifact: Artifact) -> FileReach:
    """The files that the check speaks of."""
    rule = json.loads(artifact.text or "")
    check = rule["check"]
    if check["on"] == "dependency":
        from rulec.guard import manifests  # noqa: PLC0415 - only where a rule is of dependencies

        return FileReach(tuple(manifests.FILES))
    named = check.get("globs") if check["on"] in ("text", "path") else ()
    return FileReach(tuple(named or facts_from_data(rule["facts"]).scope.include))


def build(step: PlannedCheck, body: str) -> str:
    """The artifact around the body that the template rendered; RulecError where the body is no guard check."""
    where = f"{step.place}: template {step.template}"
    try:
        check = json.loads(body)
    except ValueError as error:
        raise RulecError(f"the guard check is no JSON: {error}", where=where, hint="mend the template") from None
    complaint = complaint_about(check)
    if complaint:
        raise RulecError(complaint, where=where, hint="mend the template or the rule's parameters")
    require_bounded_patterns(check, where)
    artifact = {
        "generated": generated_notice(step.facts),
        "about": describe_check(step.facts, check),
        "facts": facts_data(step.facts),
        "check": check,
    }
    return json.dumps(artifact, indent=2, ensure_ascii=False, sort_keys=True) + "\n"


def facts(text: str) -> RuleFacts:
    """The facts of an artifact's rule; RulecError where it is damaged."""
    try:
        return facts_from_data(json.loads(text)["facts"])
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise RulecError(f"a guard artifact is damaged: {error}", hint="run `rulec compile`") from None


def no_jobs(_: Sequence[Artifact], __: Change) -> Sequence[Job]:
    """Guards need no process."""
    return ()


def findings(artifacts: Sequence[Artifact], change: Change, _: Sequence[JobOutput]) -> Iterator[Finding | Fault]:
    """What the rules see in the actions; where there are none, in the files as if they were being written."""
    rules = [rule for artifact in artifacts for rule in _loaded(artifact)]
    yield from (rule for rule in rules if isinstance(rule, Fault))
    usable = [rule for rule in rules if not isinstance(rule, Fault)]
    events = events_in_order(change) or [
        event.but(environment=change.environment) for file in change.files for event in _events_of_file(file)
    ]
    if change.whole and any(isinstance(rule.check, ChangeCheck) for rule in usable):
        events = [*events, event_of_change(change)]
    commit = change.message is not None and change.whole  # which files were written first nobody knows of a commit
    unordered = _without_order(usable) if commit else usable
    filed = _filed(tuple(artifacts), commit=commit)

    def judge(event: Event) -> list[EventFinding]:
        asked = decision.find_rules(filed, decision.words_of_event(event))
        return decide([unordered[at] for at in asked], event)

    yield from _unread(usable, change)
    for event in events:
        for found in (*judge(event), *_found_in_scripts(event, change, judge)):
            if found.fault:
                yield Fault(slug=found.slug, what=found.fault)
            elif not found.unsure or found.told:
                place = Finding(slug=found.slug, path=found.path, line=found.line, sure=not found.unsure)
                yield replace(place, text=found.text, cure=found.cure)


def _unread(rules: Sequence[CompiledRule], change: Change) -> Iterator[Fault]:
    """New code that is too large to be read, for each rule on what it may hold."""
    for file in filter(is_newly_large, (file for file in change.files if file.large)):
        for rule in rules:
            if isinstance(rule.check, TextCheck) and file_check.looks_at(rule.facts, rule.check, file.path):
                yield unread_fault(rule.facts.slug, "its check", file)


def _found_in_scripts(event: Event, change: Change, judge: Callable[[Event], list[EventFinding]]) -> list[EventFinding]:
    """What the rules see in what a command runs from files, as the hook judges it: scripts and recipes."""
    if event.kind != "command" or not any(map(run_files.runs_files, action_events.parsed_command(event).calls)):
        return []
    past = event.history or ()

    def judge_inner(inner: Event) -> list[EventFinding]:
        return judge(inner.but(history=event.history, past=event.past))

    def read_any(path: str) -> str | None:
        return written if (written := _text_written(past, path)) is not None else _text_at_head(change, path)

    return script_rules.judge_known_scripts(event, read_any, lambda path: _text_written(past, path), judge_inner)


def _text_written(past: Sequence[Event], path: str) -> str | None:
    """What the session last put into a file, None where it did not write it or took it away."""
    for event in reversed(past):
        for place, gone, text in _touched(event):
            if place == path:
                return None if gone else text
    return None


def _text_at_head(change: Change, path: str) -> str | None:
    return change.tree.read(path) if change.tree is not None and path in change.tree.paths() else None


def _without_order(rules: Iterable[CompiledRule]) -> list[CompiledRule]:
    return [rule for rule in rules if not isinstance(rule.check, SessionCheck)]


@lru_cache(maxsize=50)  # who judges a session asks the same rules of each action
def _filed(artifacts: tuple[Artifact, ...], *, commit: bool) -> dict[str, list[int]]:
    """The positions of the usable rules by the words that lead to them."""
    loaded = [rule for artifact in artifacts for rule in _loaded(artifact) if not isinstance(rule, Fault)]
    return decision.file_rules(map(decision.words_of_rule, _without_order(loaded) if commit else loaded))


@lru_cache(maxsize=1_000)
def _loaded(artifact: Artifact) -> list[CompiledRule | Fault]:
    try:
        told = json.loads(artifact.text or "")
        complaint = complaint_about(told["check"]) or ("" if told["facts"]["slug"] else "it has no slug")
        if not complaint:
            return [read_rule(told)]
    except (ValueError, KeyError, TypeError) as error:
        complaint = f"{type(error).__name__}: {error}"
    return [Fault(slug=artifact.slug, what=f"{artifact.path}: {complaint}; run `rulec compile`")]


def _events_of_file(file: FileChange) -> Iterator[Event]:
    """The file as if it were being written or deleted; a renamed one is gone from where it stood."""
    if file.status == "R":
        yield _of_file(replace(file, path=file.old_path, status="D", content=None))
    yield _of_file(file)


def _of_file(file: FileChange) -> Event:
    content = None if file.content is None else file.content.decode("utf-8", "replace")
    return Event(
        kind="delete" if file.status == "D" else "write",
        path=file.path,
        old=(file.base or b"").decode("utf-8", "replace"),
        new=content or "",
        content=content,
        exists=file.status not in ("A", "R"),
    )


PLUG = Checker(
    name="guard",
    suffix=".json",
    build=build,
    facts=facts,
    jobs=no_jobs,
    findings=findings,
    by_file=True,
    reach=reach,
)

_READER = "rulec reads it, in the agent's hook"
_ANSWERS = "it prints why the action is denied, or nothing where no rule minds"
_WHOLE = "no hook sees a whole change: `rulec check --staged` and `rulec check --base REF` judge it"


def describe_check(facts: RuleFacts, check: Mapping[str, Any]) -> list[str]:
    """The rule in a sentence, and one command that asks all rules here about an action of its kind."""
    said = f"a check of the rule {facts.slug}: {to_one_line(facts.statement)}"
    if check["on"] == "change":
        return [said, _WHOLE]
    if check["on"] == "reply":
        ends = {"hook_event_name": "Stop", "last_assistant_message": "TEXT", "transcript_path": "FILE"}
        return [said, _READER, f"run: echo '{json.dumps(ends)}' | sh {LAUNCHER} claude-code"]
    if check["on"] == "tool":
        event = {"hook_event_name": "PreToolUse", "tool_name": "TOOL", "tool_input": {}}
        run = f"echo '{json.dumps(event)}' | sh {LAUNCHER} claude-code"
        return [said, _READER, f"run: {run}", _ANSWERS]
    words = check["on"] in ("command", "session")
    given = {"command": "COMMAND"} if words else {"file_path": "PATH", "content": "TEXT"}
    event = {"hook_event_name": "PreToolUse", "tool_name": "Bash" if words else "Write", "tool_input": given}
    past = {"transcript_path": "FILE"} if check["on"] == "session" else {}
    run = f"echo '{json.dumps(event | past)}' | sh {LAUNCHER} claude-code"
    return [said, _READER, f"run: {run}", _ANSWERS]


def event_of_change(change: Change) -> Event:
    """A whole change as the runtime judges it."""
    changes = [_seen(file) for file in change.files]
    return Event(kind="change", changes=changes, tree=change.tree, environment=change.environment)


def _seen(file: FileChange) -> FileOfChange:
    moved = file.status == "R" and file.content == file.base
    return FileOfChange(
        path=file.path,
        old_path=file.old_path if file.old_path != file.path else "",  # git names the path of each file twice
        how="move" if moved else _HOW.get(file.status, "change"),
        old=(file.base or b"").decode("utf-8", "replace"),
        new=(file.content or b"").decode("utf-8", "replace"),
    )


def events_in_order(change: Change) -> list[Event]:
    """An event for each action that is judged."""
    walk = _walk_to(change)
    found: list[Event] = []
    for action, before in zip(change.actions, (None, *change.actions), strict=False):
        if before:
            walk.add(before, change.files)
        event = _event(action).but(agent=change.agent, environment=change.environment, example=change.example)
        event.exists = walk.exists(action, change.files)
        event.history, event.past = list(walk.past), list(walk.past)
        if change.example and not change.earlier and action.kind == "write":
            event.left = True  # nothing follows that takes the file away
        if action.kind == "stop":
            event.files = _left(walk.past)
        elif action.kind == "command":
            event.there = partial(_there, change, dict(walk.seen))
        elif action.kind == "edit":
            _add_surroundings(event, change, action)
        found.append(event)
    return found


class _SessionWalk:
    """What a session has left behind so far: the events to look back at, and which paths are there."""

    __slots__ = ("change", "past", "seen", "walked")

    def __init__(self, change: Change) -> None:
        self.change = change
        self.walked: tuple[Action, ...] = ()
        self.past: list[Event] = []
        self.seen: dict[str, bool] = {}  # paths that the session touched

    def exists(self, action: Action, files: Sequence[FileChange] = ()) -> bool | None:
        """Whether the file of an action was there before it; ``files`` say how it was right before."""
        updated = "has been updated" in action.output
        return True if updated else _there(self.change, self.seen, join_path("", action.path), files)

    def add(self, action: Action, files: Sequence[FileChange] = ()) -> None:
        """Go on behind an action."""
        if event := _past(action):
            self.past.append(event.but(exists=self.exists(action, files)) if event.kind == "write" else event)
            self.seen.update(_leaves(action))


_LATEST: list[_SessionWalk] = []  # the last one: the next action of the same session only adds to it


def _walk_to(change: Change) -> _SessionWalk:
    """The walk through what the session had done before."""
    walk = _SessionWalk(change)
    latest = _LATEST[0] if _LATEST and not change.example else walk
    if change.earlier[: len(latest.walked)] == latest.walked:
        walk.past, walk.seen, walk.walked = list(latest.past), dict(latest.seen), latest.walked
    for action in change.earlier[len(walk.walked) :]:
        walk.add(action)
    if change.earlier and not change.example:
        kept = _SessionWalk(change)
        kept.past, kept.seen, kept.walked = list(walk.past), dict(walk.seen), change.earlier
        _LATEST[:] = [kept]
    return walk


def _add_surroundings(event: Event, change: Change, action: Action) -> None:
    """The whole file before and after an edit, where the change knows what stood there."""
    path = join_path("", action.path)
    base = next((file.base for file in change.files if file.path == path and file.base is not None), None)
    before = "" if base is None else base.decode("utf-8", "replace")
    if action.old and action.old in before:
        event.disk, event.content = before, before.replace(action.old, action.new, 1)


def _there(
    change: Change, seen: Mapping[str, bool], path: str, files: Sequence[FileChange] | None = None
) -> bool | None:
    """Whether a file exists at some point of a session; None where nothing shows it."""
    if path in seen:
        return seen[path]
    files = change.files if files is None else files  # they say how it was right before what is judged
    known = {file.path: file.status not in ("A", "R") for file in files}.get(path)
    if known is None and change.example:
        return change.tree is not None and path in change.tree.paths()
    return known


@lru_cache(maxsize=2_048)
def _leaves(action: Action) -> tuple[tuple[str, bool], ...]:
    """The paths that an action touches, and whether they are there after it."""
    if action.kind == "command":
        event = _event(action)
        done = [(effect.path, not effect.delete) for effect in file_effects(action_events.parsed_command(event))]
        return (*done, *((path, True) for path in action_events.new_folders(event)))
    return ((join_path("", action.path), action.kind != "delete"),) if action.path else ()


def _left(past: Iterable[Event]) -> list[Event]:
    """The files that came into being and are still there, as the end of a turn finds them in the work tree."""
    known: set[str] = set()
    files: dict[str, Event] = {}
    for event in past:
        for path, gone, text in _touched(event):
            if gone:
                files = {other: file for other, file in files.items() if not match([path], other)}
            elif path not in known and event.kind in ("write", "command"):
                files[path] = Event(kind="write", path=path, new=text, content=text, exists=False, left=True)
            known.add(path)
    return list(files.values())


def _touched(event: Event) -> Iterator[tuple[str, bool, str]]:
    """Paths that an act looked at, changed or removed, whether they are gone, and what was put there."""
    if event.kind == "command":
        yield from _effects(event.command)
    elif event.path:
        yield event.path, event.kind == "delete", event.new or ""


@lru_cache(maxsize=2_048)  # every end of a turn looks back at all commands before it
def _effects(command: str) -> tuple[tuple[str, bool, str], ...]:
    return tuple((effect.path, effect.delete, effect.content) for effect in file_effects(parse_shell(command)))


@lru_cache(maxsize=2_048)
def _past(action: Action) -> Event | None:
    """What an action leaves for later ones: nothing where it did not happen."""
    if action.rejected or (action.ok is False and action.kind != "command"):
        return None
    if action.kind == "command" or action.kind in _DONE:
        return _event(action)
    if action.tool in DELEGATES:
        return Event(kind="gap", tool=action.tool, ok=action.ok)
    return _event(action).but(kind="tool") if action.tool else None


def _event(action: Action) -> Event:
    return Event(
        kind=action.kind,
        command=action.command,
        ok=action.ok,
        path=join_path("", action.path),
        text=action.new,
        old=action.old,
        new=action.new,
        content=action.new if action.kind == "write" else None,
        tool=action.tool,
        args=_arguments(action.args),
    )


def _arguments(text: str) -> dict[str, object]:
    try:
        given = json.loads(text) if text else {}
    except ValueError:
        return {}
    return given if isinstance(given, dict) else {}
