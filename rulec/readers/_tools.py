"""Tool calls of any agent as actions: by a table of its tools, or told by the names of their arguments."""

import shlex
from collections.abc import Callable, Mapping
from dataclasses import replace

from rulec.model.transcript import Action, ActionKind
from rulec.readers import _patch
from rulec.readers._jsonl import Record, arguments, mapping, string, summary

Path = Callable[[str], str]

_SCRIPT = ("command", "cmd", "script", "CommandLine", "commandLine", "bash_command")
_PLACE = (
    "file_path", "filePath", "absolute_path", "absolutePath", "path", "filepath", "relative_workspace_path",
    "target_file", "TargetFile", "dir_path", "notebook_path", "file_name", "filename", "file",
)  # fmt: skip
_OLD = ("old_string", "oldString", "old_str", "oldText", "old_text", "search", "old")
_NEW = ("new_string", "newString", "new_str", "newText", "new_text", "replace", "new", "new_source", "insert_text")
_WHOLE = ("content", "contents", "file_text", "code_edit", "CodeContent", "text")
_PATCH = ("patchText", "patch", "input", "diff")
_SEARCHES = ("read", "view", "grep", "glob", "search", "list", "find", "fetch", "open", "cat", "ls")
_EDITOR = ("create", "write", "str_replace", "insert")  # what an editor tool calls its command
_RUNNERS = ("bash", "sh", "zsh", "powershell", "pwsh")
_WORDS = 3  # program, -c, script


def actions(
    call: str, tool: str, given: Record, path: Path, kinds: Mapping[str, ActionKind] | None = None
) -> list[Action]:
    """The actions of one call; ``kinds`` names all tools that do something, without it the arguments tell."""
    place = path(_first(given, _PLACE))
    patches = tool in ("apply_patch", "patch") if kinds is not None else True
    if patches and (patch := next((text for key in _PATCH if (text := _patch.patch_in(_text(given, key)))), "")):
        return _patch.actions(patch, call, tool, path)
    kind = _told(tool, given, place) if kinds is None else kinds.get(tool, "other")

    def action(old: str = "", new: str = "", command: str = "", told: str = "") -> Action:
        return Action(kind=kind, id=call, tool=tool, command=command, path=place, old=old, new=new, output=told)

    if kind == "command":
        return [action(command=_script(given))]
    if kind == "edit" and isinstance(given.get("edits"), list) and given["edits"]:
        return [action(_first(edit, _OLD), _first(edit, (*_NEW, *_WHOLE))) for edit in map(mapping, given["edits"])]
    if kind == "edit":
        return [action(_first(given, _OLD), _first(given, (*_NEW, *_WHOLE)))]
    if kind == "write":
        return [action(new=_first(given, (*_WHOLE, *_NEW)))]
    done = action(told=summary(given) if given and kind != "delete" else "")
    return [replace(done, args=arguments(given)) if kind == "other" else done]


def _told(tool: str, given: Record, place: str) -> ActionKind:
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
    return string(given.get(key))


def _first(given: Record, keys: tuple[str, ...]) -> str:
    return next((text for key in keys if (text := _text(given, key))), "")


def _script(given: Record) -> str:
    value = next((given[key] for key in _SCRIPT if given.get(key)), "")
    if not isinstance(value, list):
        return string(value)
    words = [string(word) for word in value]
    if len(words) == _WORDS and words[0].rpartition("/")[2] in _RUNNERS and words[1].startswith("-"):
        return words[2]
    return shlex.join(words)
