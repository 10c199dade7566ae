"""Tool calls of any agent as actions: by a table of its tools, by the names of their arguments, or out of a patch."""

import posixpath
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace

from rulec.agents.protocol import patches, tool_calls
from rulec.agents.protocol.agent_spec import ToolAction
from rulec.agents.protocol.tool_calls import COMMAND, NEW, OLD, PATCH, PLACE, WHOLE, first_argument
from rulec.domain.transcript import Action, ActionKind
from rulec.transcripts.reading.json_records import Record, arguments_json, as_string, summary

MakePath = Callable[[str], str]

_ACTING: Mapping[str, ActionKind] = {"command": "command", "write": "write", "edit": "edit", "delete": "delete"}
_PATCHERS = ("apply_patch", "patch")
_SEARCHES = ("read", "view", "grep", "glob", "search", "list", "find", "fetch", "open", "cat", "ls")
_EDITOR = ("create", "write", "str_replace", "insert")  # what an editor tool calls its command


def tool_actions(
    call: str, tool: str, given: Record, path: MakePath, kinds: Mapping[str, ActionKind] | None = None
) -> list[Action]:
    """The actions of one call; ``kinds`` names all tools that act, without it the arguments show what a tool does."""
    if (kinds is None or tool in _PATCHERS) and (patch := _patch_in_arguments(given)):
        return actions_of(patches.patch_actions(patch), call, tool, path)
    kind = _kind_of_unknown_tool(tool, given) if kinds is None else kinds.get(tool, "other")
    if kind not in ("read", "other"):
        return actions_of(tool_calls.tool_actions(kind, given), call, tool, path)
    place = path(as_string(first_argument(given, (*PLACE, "dir_path"))))
    done = Action(kind=kind, id=call, tool=tool, path=place, output=summary(given) if given else "")
    return [replace(done, args=arguments_json(given)) if kind == "other" else done]


def actions_of(done: Iterable[ToolAction], call: str, tool: str, path: MakePath) -> list[Action]:
    """What a hook would be asked about, as actions of a transcript: one for each command, file and edit."""
    found = []
    for one in done:
        place = path(as_string(posixpath.join(one.cwd, one.path))) if one.path else ""
        for old, new, _ in one.edits or [("", one.new or "", False)]:
            command, old_text, new_text = map(as_string, (one.command, old, new))
            found.append(
                Action(
                    kind=_ACTING[one.kind], id=call, tool=tool, command=command, path=place, old=old_text, new=new_text
                )
            )
    return found


def _patch_in_arguments(given: Record) -> str:
    """The argument that is a patch, or has one in it where it is no command."""
    texts = ((key, as_string(given.get(key))) for key in PATCH)
    return next(
        (
            text
            for key, text in texts
            if patches.BEGIN in text and (key not in COMMAND or text.lstrip().startswith(patches.BEGIN))
        ),
        "",
    )


def _kind_of_unknown_tool(tool: str, given: Record) -> ActionKind:
    """The kind of a call of an unknown tool."""
    place, script = first_argument(given, PLACE), tool_calls.command_actions(given)[0].command
    name = tool.rpartition("__")[2].casefold()
    views = bool(place) and script == "view"
    if script and not views and not (place and script in _EDITOR):
        return "command"
    if place and name.startswith(("delete", "remove")):
        return "delete"
    if place and not views and (given.get("edits") or any(key in given for key in (*OLD, *NEW))):
        return "edit"
    if place and not views and any(key in given for key in WHOLE):
        return "write"
    return "read" if views or any(word in name for word in _SEARCHES) else "other"
