"""Gemini CLI's tool calls, which stand in one record with their results."""

import re

from rulec.model.transcript import ActionKind
from rulec.readers._jsonl import Record, blocks, mapping, string

KINDS: dict[str, ActionKind] = {
    "run_shell_command": "command", "write_file": "write", "replace": "edit", "edit": "edit", "smart_edit": "edit",
    "read_file": "read", "read_many_files": "read", "list_directory": "read", "glob": "read", "grep_search": "read",
    "search_file_content": "read",
}  # fmt: skip
_CODE = re.compile(r"^Exit Code: (-?\d+)[ \t]*$", re.MULTILINE)
_STATUS = {"success": True, "error": False, "cancelled": False}


def outcome(call: Record) -> tuple[str, bool | None, bool]:
    """What a call printed, whether it went well, and whether the person refused it."""
    status = string(call.get("status"))
    output, error = _response(call.get("result"))
    ok = _STATUS.get(status)
    if ok and call.get("name") == "run_shell_command":
        codes = _CODE.findall(output)
        ok = not codes or codes[-1].strip("-0") == ""  # the last one: the output before it could say anything
    refused = status == "cancelled" and "did not allow" in error[:200]
    return output or error, ok, refused


def _response(result: object) -> tuple[str, str]:
    if isinstance(result, str):
        return string(result), ""
    output, error = [], []
    for part in blocks([result] if isinstance(result, dict) else result):
        response = mapping(mapping(part.get("functionResponse")).get("response"))
        output += [string(response.get("output")), string(part.get("text"))]
        error += [string(response.get("error"))]
    return "\n".join(filter(None, output)), "\n".join(filter(None, error))
