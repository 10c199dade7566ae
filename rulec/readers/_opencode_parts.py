"""OpenCode's tool parts, which hold the call and what came of it."""

from rulec.model.transcript import ActionKind
from rulec.readers._jsonl import Record, mapping, string

KINDS: dict[str, ActionKind] = {
    "bash": "command", "shell": "command", "write": "write", "edit": "edit", "multiedit": "edit", "patch": "edit",
    "apply_patch": "edit", "read": "read", "glob": "read", "grep": "read", "list": "read", "ls": "read",
}  # fmt: skip
_REFUSED = "The user rejected permission to use this specific tool call"
_FEEDBACK = " with the following feedback: "


def outcome(state: Record) -> tuple[str, bool | None]:
    """What a call printed and whether it went well."""
    status = state.get("status")
    if status == "error":
        return string(state.get("error")), False
    if status != "completed":
        return "", None
    code = mapping(state.get("metadata")).get("exit")
    return string(state.get("output")), code == 0 if isinstance(code, int) else True


def refused(tool: str, state: Record) -> bool:
    """Whether the person refused this call."""
    return state.get("status") == "error" and tool in KINDS and string(state.get("error")).startswith(_REFUSED)


def reason(state: Record) -> str:
    """Why the person refused, in their words; only OpenCode's own tools are believed, others write their own errors."""
    return string(state.get("error")).partition(_FEEDBACK)[2]


def aborted(state: Record) -> bool:
    """Whether the person stopped the agent during this call."""
    return state.get("status") == "error" and string(state.get("error")).startswith("Tool execution aborted")
