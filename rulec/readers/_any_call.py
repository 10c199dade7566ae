"""Tool calls of any agent as actions, told by the names of their arguments."""

import shlex
from collections.abc import Callable

from rulec.model.transcript import Action, ActionKind
from rulec.readers import _patch
from rulec.readers._jsonl import Record, mapping, string, summary

_SCRIPT = ("command", "cmd", "script", "CommandLine", "commandLine", "bash_command")
_PLACE = (
    "file_path", "path", "filePath", "filepath", "absolute_path", "relative_workspace_path", "target_file",
    "TargetFile", "notebook_path", "file_name", "filename", "file",
)  # fmt: skip
_OLD = ("old_string", "old_str", "oldString", "oldText", "old_text", "search", "old")
_NEW = ("new_string", "new_str", "newString", "newText", "new_text", "replace", "new", "new_source", "insert_text")
_WHOLE = ("content", "contents", "file_text", "code_edit", "CodeContent", "text")
_PATCH = ("patch", "input", "diff")
_SEARCHES = ("read", "view", "grep", "glob", "search", "list", "find", "fetch", "open", "cat", "ls")
_EDITOR = {"create": "write", "write": "write", "str_replace": "edit", "insert": "edit", "view": "read"}
_RUNNERS = ("bash", "sh", "zsh", "powershell", "pwsh")
_WORDS = 3  # program, -c, script


def actions(tool: str, given: Record, call: str, path: Callable[[str], str]) -> list[Action]:
    """The actions of one call; ``path`` makes paths relative to the session's folder."""
    name, place = tool.rpartition("__")[2].casefold(), path(_first(given, _PLACE))

    def action(kind: ActionKind, command: str = "", old: str = "", new: str = "") -> Action:
        told = summary(given) if kind in ("read", "other") and given else ""
        return Action(kind=kind, id=call, tool=tool, command=command, path=place, old=old, new=new, output=told)

    if patch := next((text for key in _PATCH if (text := _patch.patch_in(string(given.get(key))))), ""):
        return _patch.actions(patch, call, tool, path)
    script = _script(given)
    editor = _EDITOR.get(script, "") if place else ""
    if script and not editor:
        return [action("command", command=script)]
    if place and name.startswith(("delete", "remove")):
        return [action("delete")]
    edits = given.get("edits")
    if place and isinstance(edits, list) and edits:
        return [action("edit", old=_first(edit, _OLD), new=_first(edit, _NEW)) for edit in map(mapping, edits)]
    if place and editor != "read" and any(key in given for key in (*_OLD, *_NEW)):
        return [action("edit", old=_first(given, _OLD), new=_first(given, _NEW))]
    if place and editor != "read" and any(key in given for key in _WHOLE):
        return [action("write", new=_first(given, _WHOLE))]
    return [action("read" if editor == "read" or any(word in name for word in _SEARCHES) else "other")]


def _first(given: Record, keys: tuple[str, ...]) -> str:
    return next((text for key in keys if (text := string(given.get(key)))), "")


def _script(given: Record) -> str:
    value = next((given[key] for key in _SCRIPT if given.get(key)), "")
    if not isinstance(value, list):
        return string(value)
    words = [string(word) for word in value]
    if len(words) == _WORDS and words[0].rpartition("/")[2] in _RUNNERS and words[1].startswith("-"):
        return words[2]
    return shlex.join(words)
