"""Tool calls of any agent as actions: by a table of its tools, by the names of their arguments, or out of a patch."""

import shlex
from collections.abc import Callable, Mapping
from dataclasses import replace

from rulec.agents.protocol import patches
from rulec.domain.transcript import Action, ActionKind
from rulec.transcripts.reading.json_records import Record, arguments_json, as_object, as_string, summary


def patch_in(text: str) -> str:
    """The patch inside a text, such as a shell script with a here-document; "" where there is none."""
    start = text.find(patches.BEGIN)
    if start < 0:
        return ""
    end = text.find(patches.END, start)
    return text[start:end] if end >= 0 else text[start:]


def patch_actions(patch: str, call: str, tool: str, path: Callable[[str], str]) -> list[Action]:
    """One action per file: what is added, the old and new text of the hunks, or a deletion."""
    return [_patched(done, call, tool, path) for done in patches.patch_actions(patch)] if patch else []


def _patched(done: Record, call: str, tool: str, path: Callable[[str], str]) -> Action:
    edits: list[tuple[str, str, bool]] = done.get("edits", [])
    old = "\n".join(before for before, _, _ in edits)
    new = as_string(done.get("content")) or "\n".join(after for _, after, _ in edits)
    return Action(kind=done["kind"], id=call, tool=tool, path=path(done["path"]), old=old, new=new)


MakePath = Callable[[str], str]

_SCRIPT = ("command", "cmd", "script", "CommandLine", "commandLine", "bash_command")
_PLACE = (
    "file_path", "filePath", "absolute_path", "absolutePath", "path", "filepath", "relative_workspace_path",
    "target_file", "TargetFile", "dir_path", "notebook_path", "file_name", "filename", "file",
)  # fmt: skip
_OLD = ("old_string", "oldString", "old_str", "oldText", "old_text", "search", "old")
_NEW = ("new_string", "newString", "new_str", "newText", "new_text", "replace", "new", "new_source", "insert_text")
_WHOLE = ("content", "contents", "file_text", "code_edit", "CodeContent", "text")
_PATCH_KEYS = ("patchText", "patch", "input", "diff")
_SEARCHES = ("read", "view", "grep", "glob", "search", "list", "find", "fetch", "open", "cat", "ls")
_EDITOR = ("create", "write", "str_replace", "insert")  # what an editor tool calls its command
_RUNNERS = ("bash", "sh", "zsh", "powershell", "pwsh")
_WORDS = 3  # program, -c, script


def tool_actions(
    call: str, tool: str, given: Record, path: MakePath, kinds: Mapping[str, ActionKind] | None = None
) -> list[Action]:
    """The actions of one call; ``kinds`` names all tools that act, without it the arguments show what a tool does."""
    place = path(_first(given, _PLACE))
    patched = tool in ("apply_patch", "patch") if kinds is not None else True
    if patched and (patch := next((text for key in _PATCH_KEYS if (text := patch_in(_text(given, key)))), "")):
        return patch_actions(patch, call, tool, path)
    kind = _kind_of_unknown_tool(tool, given, place) if kinds is None else kinds.get(tool, "other")

    def action(old: str = "", new: str = "", command: str = "", told: str = "") -> Action:
        return Action(kind=kind, id=call, tool=tool, command=command, path=place, old=old, new=new, output=told)

    if kind == "command":
        return [action(command=_script(given))]
    if kind == "edit" and isinstance(given.get("edits"), list) and given["edits"]:
        return [action(_first(edit, _OLD), _first(edit, (*_NEW, *_WHOLE))) for edit in map(as_object, given["edits"])]
    if kind == "edit":
        return [action(_first(given, _OLD), _first(given, (*_NEW, *_WHOLE)))]
    if kind == "write":
        return [action(new=_first(given, (*_WHOLE, *_NEW)))]
    done = action(told=summary(given) if given and kind != "delete" else "")
    return [replace(done, args=arguments_json(given)) if kind == "other" else done]


def _kind_of_unknown_tool(tool: str, given: Record, place: str) -> ActionKind:
    """The kind of a call of an unknown tool."""
    name, script = tool.rpartition("__")[2].casefold(), _script(given)
    views = bool(place) and script == "view"
    if script and not views and not (place and script in _EDITOR):
        return "command"
    if place and name.startswith(("delete", "remove")):
        return "delete"
    if place and not views and (given.get("edits") or any(key in given for key in (*_OLD, *_NEW))):
        return "edit"
    if place and not views and any(key in given for key in _WHOLE):
        return "write"
    return "read" if views or any(word in name for word in _SEARCHES) else "other"


def _text(given: Record, key: str) -> str:
    return as_string(given.get(key))


def _first(given: Record, keys: tuple[str, ...]) -> str:
    return next((text for key in keys if (text := _text(given, key))), "")


def _script(given: Record) -> str:
    value = next((given[key] for key in _SCRIPT if given.get(key)), "")
    if not isinstance(value, list):
        return as_string(value)
    words = [as_string(word) for word in value]
    if len(words) == _WORDS and words[0].rpartition("/")[2] in _RUNNERS and words[1].startswith("-"):
        return words[2]
    return shlex.join(words)
