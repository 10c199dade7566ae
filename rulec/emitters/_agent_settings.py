"""Our hooks in the settings of an agent: put in once for each event, found again, taken out to the very byte."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from rulec.emitters import _json_splice as splice
from rulec.errors import RulecError
from rulec.model.artifact import COMPILED

# Our entries run the hook, or what stood in its place in older layouts; the launcher is for people's own lines.
OURS = re.compile(re.escape(f"{COMPILED}/") + r"(?:runtime/(?!rulec\.sh\b)|hook\.py\b)")
_LINES = ("command", "bash", "powershell")  # where a hook has its command line
_STYLE = splice.Style(newline="\n", step="  ")
_VERSION = {"version": 1}


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
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


def spliced(settings: Settings, wanted: Mapping[str, list[Any]], text: str | None) -> str:
    """The settings with each of our hooks in it once, as it is wanted now: one entry for each event."""
    if text is not None:
        _check(settings, text)
        text = _without(settings, text, {event: entries[0] for event, entries in wanted.items()})
    if text:
        return _with(settings, text, wanted)
    # Our hooks stand before the version, as nobody's do that were added to a file: so remove knows what it began.
    return splice.write({"hooks": wanted, **(_VERSION if settings.versioned else {})}, _STYLE) + "\n"


def removed(settings: Settings, text: str) -> str | None:
    """The settings without our hooks, and without the containers that we made for them; None where all was ours."""
    if not OURS.search(text):
        return text
    _check(settings, text)
    return _without(settings, text, {}) or None


def lines(settings: Settings, text: str) -> dict[str, list[str]]:
    """The command lines that settings name for each event; none where they cannot be read."""
    try:
        hooks = splice.load(text, settings.path).get("hooks")
    except RulecError:
        return {}
    found: dict[str, list[str]] = {}
    for event, entries in (hooks if isinstance(hooks, dict) else {}).items():
        for entry in entries if isinstance(entries, list) else []:
            inner = settings.hooks(entry)
            for hook in inner if isinstance(inner, list) else []:
                found.setdefault(event, []).extend(_lines(hook))
    return found


def _lines(hook: Any) -> list[str]:
    return [str(hook[key]) for key in _LINES if key in hook] if isinstance(hook, dict) else []


def _with(settings: Settings, text: str, wanted: Mapping[str, list[Any]]) -> str:
    if splice.member(text, splice.root(text), "hooks") is None:
        return splice.add(text, splice.root(text), dict(wanted), "hooks")
    for event, entries in wanted.items():
        start = _hooks(text)
        place = splice.member(text, start, event)
        if place is None:
            text = splice.add(text, start, entries, event)
        elif not any(_is_ours(settings, entry) for entry in place.data):
            text = splice.add(text, place.value, entries[0])
    return text


def _without(settings: Settings, text: str, keep: Mapping[str, Any]) -> str:
    """The text without our entries; one an event may stay, with the value that it has in ``keep``; "" if all goes."""
    seen: set[str] = set()
    done = 0  # entries looked at, counted over all events
    while (place := _ours(settings, text, done)) is not None:
        event, entry = place
        if event.key in keep and event.key not in seen:
            seen.add(event.key)
            done += 1
            text = text if entry.data == keep[event.key] else splice.replace(text, entry, keep[event.key])
        else:
            text = _cut(text, event, entry)
            if not text:
                return ""
    return text


def _cut(text: str, event: splice.Part, entry: splice.Part) -> str:
    text, empty = splice.cut(text, event.value, entry)
    if empty:
        text, empty = splice.cut_member(text, _hooks(text), event.key)
    if empty:
        began = splice.parts(text, splice.root(text))[0].key == "hooks"
        text, empty = splice.cut_member(text, splice.root(text), "hooks")
        rest = {part.key: part.data for part in splice.parts(text, splice.root(text))}
        empty = empty or (began and rest == _VERSION)
    return "" if empty else text


def _ours(settings: Settings, text: str, skip: int) -> tuple[splice.Part, splice.Part] | None:
    """The event and entry that is ours, after so many of them."""
    hooks = splice.member(text, splice.root(text), "hooks")
    events = splice.parts(text, hooks.value) if hooks else []
    found = [(event, part) for event in events for part in splice.parts(text, event.value)]
    ours = [(event, part) for event, part in found if _is_ours(settings, part.data)]
    return ours[skip] if skip < len(ours) else None


def _hooks(text: str) -> int:
    place = splice.member(text, splice.root(text), "hooks")
    return place.value if place else splice.root(text)


def _is_ours(settings: Settings, entry: Any) -> bool:
    return any(OURS.search(line) for hook in settings.hooks(entry) for line in _lines(hook))


def _check(settings: Settings, text: str) -> None:
    """Refuse settings whose hooks have another shape: what we do not understand we do not touch."""
    whole = splice.load(text, settings.path)
    _once(settings, text, splice.root(text))
    if settings.versioned and whole.get("version") != _VERSION["version"]:
        raise RulecError("is not of version 1", where=f"{settings.path}:1", hint=settings.hint)
    hooks = splice.member(text, splice.root(text), "hooks")
    if hooks is None:
        return
    if not isinstance(hooks.data, dict):
        raise _refusal(settings, text, hooks, "hooks is no object")
    _once(settings, text, hooks.value)
    for event in splice.parts(text, hooks.value):
        if not isinstance(event.data, list):
            raise _refusal(settings, text, event, f"hooks.{event.key} is no list")
        for entry in splice.parts(text, event.value):
            _check_entry(settings, text, event.key, entry)


def _check_entry(settings: Settings, text: str, event: str, entry: splice.Part) -> None:
    inner = settings.hooks(entry.data)
    if not isinstance(inner, list) or not all(isinstance(hook, dict) for hook in inner):
        what = "group of hooks" if settings.grouped else "hook"
        raise _refusal(settings, text, entry, f"hooks.{event} holds something that is no {what}")
    if _is_ours(settings, entry.data) and len(inner) > 1:
        raise _refusal(settings, text, entry, "rulec's hook stands in one group with others")


def _once(settings: Settings, text: str, start: int) -> None:
    seen: set[str] = set()
    for part in splice.parts(text, start):
        if part.key in seen:
            raise _refusal(settings, text, part, f"{part.key} stands here a second time")
        seen.add(part.key)


def _refusal(settings: Settings, text: str, part: splice.Part, what: str) -> RulecError:
    where = f"{settings.path}:{splice.line_of(text, part.start)}"
    return RulecError(what, where=where, hint=settings.hint)
