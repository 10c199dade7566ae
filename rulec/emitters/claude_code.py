"""Claude Code's settings: five hooks, spliced into what people have there."""

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from rulec.emitters import _json_splice as splice
from rulec.errors import RulecError
from rulec.model.artifact import COMPILED, Artifact
from rulec.model.plan import Plan
from rulec.ports import Emitter, Render

AGENT = "claude-code"
PATH = ".claude/settings.json"
HOOK = f"{COMPILED}/runtime/hook.py"
# -I -S: nothing from the environment or the work tree may stand in for what the hook imports; and it starts quicker
COMMAND = f'python3 -I -S "$CLAUDE_PROJECT_DIR"/{HOOK} {AGENT}'
_STYLE = splice.Style(newline="\n", step="  ")


def emit(_: Plan, render: Render, current: Mapping[str, str]) -> Iterator[Artifact]:
    """The settings with each of our hooks in it once, as it is wanted now."""
    wanted: dict[str, list[Any]] = json.loads(render("emit/claude_code.json.j2", {"command": COMMAND}))
    text = current.get(PATH)
    if text is not None:
        _check(text)
        text = _without(text, {event: groups[0] for event, groups in wanted.items()})
    whole = _with(text, wanted) if text else splice.write({"hooks": wanted}, _STYLE) + "\n"
    yield Artifact(path=PATH, text=whole)


def remove(path: str, text: str) -> str | None:
    """The settings without our hooks, and without the containers that we made for them."""
    if HOOK not in text:
        return text
    _check(text, path)
    return _without(text, {}) or None


def _with(text: str, wanted: Mapping[str, list[Any]]) -> str:
    if splice.member(text, splice.root(text), "hooks") is None:
        return splice.add(text, splice.root(text), dict(wanted), "hooks")
    for event, groups in wanted.items():
        start = _hooks(text)
        place = splice.member(text, start, event)
        if place is None:
            text = splice.add(text, start, groups, event)
        elif not any(_is_ours(group) for group in place.data):
            text = splice.add(text, place.value, groups[0])
    return text


def _without(text: str, keep: Mapping[str, Any]) -> str:
    """The text without our groups; one an event may stay, with the value that it has in ``keep``; "" if all goes."""
    seen: set[str] = set()
    done = 0  # groups looked at, counted over all events
    while (place := _ours(text, done)) is not None:
        event, group = place
        if event.key in keep and event.key not in seen:
            seen.add(event.key)
            done += 1
            text = text if group.data == keep[event.key] else splice.replace(text, group, keep[event.key])
        else:
            text = _cut(text, event, group)
            if not text:
                return ""
    return text


def _cut(text: str, event: splice.Part, group: splice.Part) -> str:
    text, empty = splice.cut(text, event.value, group)
    if empty:
        text, empty = splice.cut_member(text, _hooks(text), event.key)
    if empty:
        text, empty = splice.cut_member(text, splice.root(text), "hooks")
    return "" if empty else text


def _ours(text: str, skip: int) -> tuple[splice.Part, splice.Part] | None:
    """The event and group that is ours, after so many of them."""
    hooks = splice.member(text, splice.root(text), "hooks")
    events = splice.parts(text, hooks.value) if hooks else []
    found = [(event, group) for event in events for group in splice.parts(text, event.value) if _is_ours(group.data)]
    return found[skip] if skip < len(found) else None


def _hooks(text: str) -> int:
    place = splice.member(text, splice.root(text), "hooks")
    return place.value if place else splice.root(text)


def _is_ours(group: Mapping[str, Any]) -> bool:
    return any(HOOK in str(hook.get("command", "")) for hook in group["hooks"])


def _check(text: str, path: str = PATH) -> None:
    """Refuse settings whose hooks have another shape: what we do not understand we do not touch."""
    splice.load(text, path)
    _once(text, path, splice.root(text))
    hooks = splice.member(text, splice.root(text), "hooks")
    if hooks is None:
        return
    if not isinstance(hooks.data, dict):
        raise _refusal(text, path, hooks, "hooks is no object")
    _once(text, path, hooks.value)
    for event in splice.parts(text, hooks.value):
        if not isinstance(event.data, list):
            raise _refusal(text, path, event, f"hooks.{event.key} is no list")
        for group in splice.parts(text, event.value):
            inner = group.data.get("hooks") if isinstance(group.data, dict) else None
            if not isinstance(inner, list) or not all(isinstance(hook, dict) for hook in inner):
                raise _refusal(text, path, group, f"hooks.{event.key} holds something that is no group of hooks")
            if _is_ours(group.data) and len(inner) > 1:
                raise _refusal(text, path, group, "rulec's hook stands in one group with others")


def _once(text: str, path: str, start: int) -> None:
    seen: set[str] = set()
    for part in splice.parts(text, start):
        if part.key in seen:
            raise _refusal(text, path, part, f"{part.key} stands here a second time")
        seen.add(part.key)


def _refusal(text: str, path: str, part: splice.Part, what: str) -> RulecError:
    where = f"{path}:{splice.line_of(text, part.start)}"
    return RulecError(what, where=where, hint='write "hooks": {"EVENT": [{"hooks": [...]}]}, one group for each')


def _wanted_at_init(paths: Sequence[str]) -> bool:
    """Where Claude Code is used, or where no agent has left files yet."""
    claude = any(path.startswith(".claude/") or path.rpartition("/")[2] == "CLAUDE.md" for path in paths)
    return claude or not any(path.startswith(_OTHER_AGENTS) for path in paths)


_OTHER_AGENTS = (".codex/", ".cursor/", ".cursorrules", ".gemini/", "GEMINI.md", ".opencode/", ".clinerules", ".aider")

PLUG = Emitter(name=AGENT, files=(PATH,), emit=emit, remove=remove, agent=AGENT, when_init=_wanted_at_init)
