"""Cline's and Roo's tool calls as actions, from their two files and from tags in the agent's words."""

import re
from collections.abc import Iterator

from rulec.domain.transcript import Action, ActionKind
from rulec.transcripts.reading import tool_actions
from rulec.transcripts.reading.json_records import Record, as_string, summary

KINDS: dict[str, ActionKind] = {
    "execute_command": "command", "write_to_file": "write", "new_rule": "write", "replace_in_file": "edit",
    "apply_diff": "edit", "insert_content": "edit", "search_and_replace": "edit", "search_replace": "edit",
    "edit_file": "edit", "apply_patch": "edit", "read_file": "read", "list_files": "read", "search_files": "read",
    "list_code_definition_names": "read", "codebase_search": "read",
}  # fmt: skip
_SHOWN: dict[str, ActionKind] = {
    "newFileCreated": "write", "editedExistingFile": "edit", "appliedDiff": "edit", "insertContent": "edit",
    "searchAndReplace": "edit", "fileDeleted": "delete", "readFile": "read", "listFilesTopLevel": "read",
    "listFilesRecursive": "read", "listCodeDefinitionNames": "read", "searchFiles": "read", "codebaseSearch": "read",
}  # fmt: skip
_TALK = ("attempt_completion", "ask_followup_question", "plan_mode_respond")
_TAG = re.compile(rf"<({'|'.join((*KINDS, *_TALK, 'use_mcp_tool', 'browser_action', 'new_task'))})>")
_PARAMETER = re.compile(r"<(\w+)>")
_MARK = re.compile(r"(?:[-<]{3,} SEARCH>?|(={3,})|[+>]{3,} REPLACE>?)\s*")


def called_actions(call: str, tool: str, given: Record, path: tool_actions.MakePath) -> list[Action]:
    """The actions of one call of the agent."""
    diff = as_string(given.get("diff"))
    if KINDS.get(tool) == "edit" and diff and tool != "apply_patch":
        return _edits(call, tool, path(as_string(given.get("path"))), diff)
    return tool_actions.tool_actions(call, tool, {"path": given.get("absolutePath"), **given}, path, KINDS)


def shown_actions(call: str, given: Record, path: tool_actions.MakePath) -> list[Action]:
    """The actions of one tool as the person saw it."""
    tool = as_string(given.get("tool")) or as_string(given.get("toolName")) or "tool"
    kind, place = _SHOWN.get(tool, "other"), path(as_string(given.get("path")))
    content = as_string(given.get("content"))
    if kind == "write":
        return [Action(kind=kind, id=call, tool=tool, path=place, new=content)]
    if kind == "edit":
        return _edits(call, tool, place, as_string(given.get("diff")) or content)
    return [Action(kind=kind, id=call, tool=tool, path=place, output="" if kind == "delete" else summary(given))]


def tagged_calls(text: str) -> tuple[str, list[tuple[str, Record]]]:
    """The words, and the calls that stand between them as ``<tool><parameter>value</parameter></tool>``."""
    words, calls, at = [], [], 0
    while found := _TAG.search(text, at):
        end = text.find(f"</{found[1]}>", found.end())
        if end < 0:
            break
        words.append(text[at : found.start()])
        calls.append((found[1], _parameters(text[found.end() : end])))
        at = end + len(found[1]) + 3
    return "\n".join(filter(None, (word.strip() for word in [*words, text[at:]]))), calls


def _parameters(body: str) -> Record:
    given: Record = {}
    at = 0
    while found := _PARAMETER.search(body, at):
        closing = f"</{found[1]}>"
        last = found[1] in ("content", "diff")  # may hold such tags itself
        end = body.rfind(closing, found.end()) if last else body.find(closing, found.end())
        if end < 0:
            return given
        given[found[1]] = body[found.end() : end].strip("\n")
        at = end + len(closing)
    return given


def _edits(call: str, tool: str, place: str, diff: str) -> list[Action]:
    blocks = list(_searched(diff))
    if not blocks:
        old, new = _hunks(diff) if "\n@@ " in f"\n{diff}" else ("", diff)
        blocks = [(old, new)]
    return [Action(kind="edit", id=call, tool=tool, path=place, old=old, new=new) for old, new in blocks]


def _searched(diff: str) -> Iterator[tuple[str, str]]:
    """Old and new text of every SEARCH/REPLACE block."""
    sides: tuple[list[str], list[str]] = ([], [])
    side = -1
    for line in diff.split("\n"):
        mark = _MARK.fullmatch(line)
        if mark and "SEARCH" in line:
            sides, side = ([], []), 0
        elif mark and mark[1] and side == 0:
            side = 1
        elif mark and "REPLACE" in line and side == 1:
            yield "\n".join(sides[0]), "\n".join(sides[1])
            side = -1
        elif side >= 0 and not (
            side == 0 and not sides[0] and line.startswith((":start_line:", ":end_line:", "-----"))
        ):
            sides[side].append(line)


def _hunks(diff: str) -> tuple[str, str]:
    lines = [line for line in diff.split("\n") if not line.startswith(("---", "+++", "@@", "Index:", "=====", "\\"))]
    old = [line[1:] for line in lines if not line.startswith("+")]
    new = [line[1:] for line in lines if not line.startswith("-")]
    return "\n".join(old), "\n".join(new)
