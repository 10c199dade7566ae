"""An agent's hooks in its settings file: put in once for each event, found again, taken out to the byte."""

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from rulec.agents.protocol.agent_spec import BEFORE_TOOL, SESSION_START, AgentSpec
from rulec.checkout.rules_layout import LAUNCHER
from rulec.domain.artifact import CompilePlan
from rulec.domain.enforcement import refuses
from rulec.errors import RulecError
from rulec.guard.tool_check import MCP_PREFIX, RENAMED_TOOLS, name_words
from rulec.integrations import json_text

OURS = re.compile(re.escape(LAUNCHER) + r"\b")
_LINES = ("command", "bash", "powershell")  # where a hook has its command line
_STYLE = json_text.JsonStyle(newline="\n", step="  ")
_VERSION = {"version": 1}


@dataclass(frozen=True, slots=True, kw_only=True)
class HookSettings:
    """A file that holds hooks by event, and how it holds them."""

    path: str
    grouped: bool = True  # an event has groups of hooks, each with its matcher; else it has the hooks themselves
    versioned: bool = False  # the file has to say that it is of version 1

    @property
    def hint(self) -> str:
        """The form that we understand."""
        if self.grouped:
            return 'write "hooks": {"EVENT": [{"hooks": [...]}]}, one group for each'
        return 'write {"version": 1, "hooks": {"EVENT": [{...}]}}'

    def hooks(self, entry: Any) -> Any:
        """The hooks in an entry of an event; no list of objects where it has another shape."""
        return (entry.get("hooks") if self.grouped else [entry]) if isinstance(entry, dict) else None


def put_hooks_in(settings: HookSettings, wanted: Mapping[str, list[Any]], text: str | None) -> str:
    """The settings with each of our hooks in it once, as it is wanted now: one entry for each event."""
    if text is not None:
        _check(settings, text)
        text = _without(settings, text, {event: entries[0] for event, entries in wanted.items()})
    if text:
        return _with(settings, text, wanted)
    # Our hooks stand before the version, as nobody's do that were added to a file: so remove knows what it began.
    return json_text.write_value({"hooks": wanted, **(_VERSION if settings.versioned else {})}, _STYLE) + "\n"


def take_hooks_out(settings: HookSettings, text: str) -> str | None:
    """The settings without rulec's hooks and the containers made for them; None where nothing else is left."""
    if not OURS.search(text):
        return text
    _check(settings, text)
    return _without(settings, text, {}) or None


def registered_lines(settings: HookSettings, text: str) -> dict[str, list[str]]:
    """The command lines that settings name for each event; none where they cannot be read."""
    try:
        hooks = json_text.load_object(text, settings.path).get("hooks")
    except RulecError:
        return {}
    found: dict[str, list[str]] = {}
    for event, entries in (hooks if isinstance(hooks, dict) else {}).items():
        for entry in entries if isinstance(entries, list) else []:
            inner = settings.hooks(entry)
            for hook in inner if isinstance(inner, list) else []:
                found.setdefault(event, []).extend(_lines(hook))
    return found


def why_unreadable(settings: HookSettings, text: str) -> str:
    """Why the settings cannot be read, "" where they can."""
    try:
        json_text.load_object(text, settings.path)
    except RulecError as error:
        return f"cannot be read: {error.message}, line {error.where.rpartition(':')[2]}"
    return ""


def matchers_of_ours(settings: HookSettings, text: str) -> dict[str, list[str]]:
    """The patterns of tools at which rulec's own lines are called, by event; "" and "*" are all tools."""
    try:
        hooks = json_text.load_object(text, settings.path).get("hooks")
    except RulecError:
        return {}
    found: dict[str, list[str]] = {}
    for event, entries in (hooks if isinstance(hooks, dict) else {}).items():
        for entry in entries if isinstance(entries, list) else []:
            inner = settings.hooks(entry)
            if isinstance(inner, list) and any(OURS.search(line) for hook in inner for line in _lines(hook)):
                found.setdefault(event, []).append(str(entry.get("matcher") or ""))
    return found


def _lines(hook: Any) -> list[str]:
    return [str(hook[key]) for key in _LINES if key in hook] if isinstance(hook, dict) else []


def _with(settings: HookSettings, text: str, wanted: Mapping[str, list[Any]]) -> str:
    if json_text.find_member(text, json_text.root_start(text), "hooks") is None:
        return json_text.add_part(text, json_text.root_start(text), dict(wanted), "hooks")
    for event, entries in wanted.items():
        start = _hooks(text)
        place = json_text.find_member(text, start, event)
        if place is None:
            text = json_text.add_part(text, start, entries, event)
        elif not any(_is_ours(settings, entry) for entry in place.data):
            text = json_text.add_part(text, place.value, entries[0])
    return text


def _without(settings: HookSettings, text: str, keep: Mapping[str, Any]) -> str:
    """The text without our entries; one an event may stay, with the value that it has in ``keep``; "" if all goes."""
    seen: set[str] = set()
    done = 0  # entries looked at, counted over all events
    while (place := _ours(settings, text, done)) is not None:
        event, entry = place
        if event.key in keep and event.key not in seen:
            seen.add(event.key)
            done += 1
            text = text if entry.data == keep[event.key] else json_text.replace_part(text, entry, keep[event.key])
        else:
            text = _cut(text, event, entry)
            if not text:
                return ""
    return text


def _cut(text: str, event: json_text.JsonPart, entry: json_text.JsonPart) -> str:
    text, empty = json_text.cut_part(text, event.value, entry)
    if empty:
        text, empty = json_text.cut_member(text, _hooks(text), event.key)
    if empty:
        began = json_text.parts_of(text, json_text.root_start(text))[0].key == "hooks"
        text, empty = json_text.cut_member(text, json_text.root_start(text), "hooks")
        rest = {part.key: part.data for part in json_text.parts_of(text, json_text.root_start(text))}
        empty = empty or (began and rest == _VERSION)
    return "" if empty else text


def _ours(settings: HookSettings, text: str, skip: int) -> tuple[json_text.JsonPart, json_text.JsonPart] | None:
    """The event and entry of rulec's hook number ``skip``."""
    hooks = json_text.find_member(text, json_text.root_start(text), "hooks")
    events = json_text.parts_of(text, hooks.value) if hooks else []
    found = [(event, part) for event in events for part in json_text.parts_of(text, event.value)]
    ours = [(event, part) for event, part in found if _is_ours(settings, part.data)]
    return ours[skip] if skip < len(ours) else None


def _hooks(text: str) -> int:
    place = json_text.find_member(text, json_text.root_start(text), "hooks")
    return place.value if place else json_text.root_start(text)


def _is_ours(settings: HookSettings, entry: Any) -> bool:
    return any(OURS.search(line) for hook in settings.hooks(entry) for line in _lines(hook))


def _check(settings: HookSettings, text: str) -> None:
    """Refuse settings whose hooks have another shape: what we do not understand we do not touch."""
    whole = json_text.load_object(text, settings.path)
    _once(settings, text, json_text.root_start(text))
    if settings.versioned and whole.get("version") != _VERSION["version"]:
        raise RulecError("is not of version 1", where=f"{settings.path}:1", hint=settings.hint)
    hooks = json_text.find_member(text, json_text.root_start(text), "hooks")
    if hooks is None:
        return
    if not isinstance(hooks.data, dict):
        raise _refusal(settings, text, hooks, "hooks is no object")
    _once(settings, text, hooks.value)
    for event in json_text.parts_of(text, hooks.value):
        if not isinstance(event.data, list):
            raise _refusal(settings, text, event, f"hooks.{event.key} is no list")
        for entry in json_text.parts_of(text, event.value):
            _check_entry(settings, text, event.key, entry)


def _check_entry(settings: HookSettings, text: str, event: str, entry: json_text.JsonPart) -> None:
    inner = settings.hooks(entry.data)
    if not isinstance(inner, list) or not all(isinstance(hook, dict) for hook in inner):
        what = "group of hooks" if settings.grouped else "hook"
        raise _refusal(settings, text, entry, f"hooks.{event} holds something that is no {what}")
    if _is_ours(settings, entry.data) and len(inner) > 1:
        raise _refusal(settings, text, entry, "rulec's hook stands in one group with others")


def _once(settings: HookSettings, text: str, start: int) -> None:
    seen: set[str] = set()
    for part in json_text.parts_of(text, start):
        if part.key in seen:
            raise _refusal(settings, text, part, f"{part.key} stands here a second time")
        seen.add(part.key)


def _refusal(settings: HookSettings, text: str, part: json_text.JsonPart, what: str) -> RulecError:
    where = f"{settings.path}:{json_text.line_of(text, part.start)}"
    return RulecError(what, where=where, hint=settings.hint)


# What the launcher is told of the moment: only a tool call may be denied by it, only a session's start may download.
_TOLD = {BEFORE_TOOL: " call", SESSION_START: " start"}


def hook_command(spec: AgentSpec, moment: str) -> str:
    """The command line that an agent registers: the launcher's copy in the git directory, else the work tree's.

    It never changes with rulec's version or with the rules: agents ask their people anew about each line that does.
    Only a tool call's end tells the agent to stop: a launcher that breaks keeps nobody from their agent. Without any
    launcher, as in a commit of before there were rules, the call passes: an agent must find back.
    """
    find = f'cd {spec.folder}; h=$(git rev-parse --git-common-dir 2>&-)/rulec/hook; [ -f "$h" ]||h={LAUNCHER}'
    run = f'[ ! -f "$h" ]||sh "$h" {spec.name}{_TOLD.get(moment, "")}'
    return f"{find}; {run}" + " ||:" * (moment != BEFORE_TOOL)


def any_strict(plan: CompilePlan) -> bool:
    """Whether some rule wants an action stopped where its check breaks."""
    return any(step.kind == "guard" and refuses(step.facts.on_error) for step in plan.steps)


_TOOLS = ("tools", "before_tools")  # parameters, and keys of a guard check, that name the tools which are judged
_SERVER = re.compile(r"^mcp_+", re.IGNORECASE)


def named_tools(plan: CompilePlan, *, servers: bool = False) -> list[str]:
    """The tools that rules judge by their names, as patterns in every spelling that agents have for them.

    Those of MCP servers are asked about anyway by most agents; ``servers`` names them too, with and without ``mcp__``.
    """
    found: dict[str, None] = {}
    for step in plan.steps:
        for name in _tool_names(step.parameters) if step.kind == "guard" else ():
            if name_words(name).startswith(MCP_PREFIX):
                found.update(dict.fromkeys([name, _SERVER.sub("", name).replace("__", "_")] if servers else []))
                continue
            twins = [twin for pair in RENAMED_TOOLS.items() if name_words(name) in pair for twin in pair]
            for one in (name, *(twin.capitalize() for twin in twins)):
                snake = name_words(one) if one not in twins else one
                camel = "".join(part[:1].upper() + part[1:] for part in snake.split("_"))
                found.update(dict.fromkeys([one, camel, snake, snake.replace("_", "")]))
    return [re.escape(name).replace(r"\*", ".*").replace(r"\?", ".").replace(r"\-", "-") for name in found if name]


def _tool_names(value: Any) -> Iterator[str]:
    """The names of tools in a check's parameters, which may hold a whole check as JSON."""
    if isinstance(value, str) and value.lstrip().startswith("{"):
        try:
            value = json.loads(value)
        except ValueError:
            return
    for key, one in value.items() if isinstance(value, Mapping) else ():
        if key in _TOOLS and isinstance(one, list | tuple):
            yield from (name for name in one if isinstance(name, str))
        else:
            yield from _tool_names(one)
