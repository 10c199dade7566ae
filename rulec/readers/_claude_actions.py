"""Claude Code's tool calls as actions."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from rulec.model.transcript import Action, ActionKind
from rulec.readers._jsonl import arguments, mapping, string, summary

_READ = ("Read", "Grep", "Glob", "LS", "NotebookRead")


def actions(block: dict[str, Any], path: Callable[[str], str]) -> list[Action]:
    """The actions of one tool_use block; ``path`` makes paths relative to the session's folder."""
    tool, given, call = string(block.get("name")), mapping(block.get("input")), string(block.get("id"))
    place = path(next((string(given[k]) for k in ("file_path", "notebook_path", "path") if given.get(k)), ""))

    def action(kind: ActionKind, *, command: str = "", old: object = "", new: object = "", output: str = "") -> Action:
        return Action(
            kind=kind, id=call, tool=tool, command=command, path=place, old=string(old), new=string(new), output=output
        )

    if tool in ("Bash", "PowerShell"):
        return [action("command", command=string(given.get("command")))]
    if tool == "Write":
        return [action("write", new=given.get("content"))]
    if tool == "Edit":
        return [action("edit", old=given.get("old_string"), new=given.get("new_string"))]
    if tool == "MultiEdit" and isinstance(given.get("edits"), list):
        edits = [mapping(edit) for edit in given["edits"]]
        return [action("edit", old=edit.get("old_string"), new=edit.get("new_string")) for edit in edits]
    if tool == "NotebookEdit":
        return [action("edit", new=given.get("new_source"))]
    found = action("read" if tool in _READ else "other", output=summary(given) if given else "")
    return [found if found.kind == "read" else replace(found, args=arguments(given))]
