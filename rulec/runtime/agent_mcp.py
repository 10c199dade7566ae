"""Tools of other servers (MCP) as actions, as far as their names and arguments say what they do."""

from . import agent_tools
from .agents import mapping, text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

LOOKING = (
    "read",
    "get",
    "list",
    "search",
    "view",
    "find",
    "show",
    "stat",
    "tree",
    "info",
    "describe",
    "query",
    "fetch",
)
REMOTE = ("repo", "repository", "owner", "project_id", "url")  # a file on some server, not on this disk
RUNNING = ("run", "exec", "shell", "command", "terminal", "process", "bash")
CHANGING = (
    "write", "edit", "create", "save", "append", "patch", "replace", "insert", "update", "move", "rename", "copy",
    "delete", "remove", "unlink", "rm", "put",
)  # fmt: skip
REMOVING = ("delete", "remove", "unlink", "rm")
MOVING = (("source", "destination"), ("from", "to"), ("old_path", "new_path"), ("src", "dst"))


def actions(tool: str, given: object) -> "list[dict[str, Any]]":
    """What the call does: runs a command, or writes, moves or deletes files; [] where it only looks or is not known."""
    call = mapping(given)
    name = tool.rpartition("__")[2].lower()
    if name.startswith(LOOKING) or any(key in call for key in REMOTE):
        return []
    if any(word in tool.lower() for word in RUNNING) and any(call.get(key) for key in agent_tools.COMMAND):
        words = call.get("args")
        line = agent_tools.commands(call)[0]["command"]
        if isinstance(words, list):
            line = " ".join([line, *("'" + text(word).replace("'", "'\\''") + "'" for word in words)])
        return [{**agent_tools.commands(call)[0], "command": line}]
    if not any(word in name for word in CHANGING):
        return []
    for start, end in MOVING:
        if text(call.get(start)) and text(call.get(end)):
            return [
                {"kind": "delete", "path": text(call[start])},
                {"kind": "write", "path": text(call[end]), "new": ""},
            ]
    path = agent_tools.first(call, agent_tools.PLACE)
    if not path:
        return []
    if any(word in name for word in REMOVING):
        return [{"kind": "delete", "path": path}]
    kind = "edit" if isinstance(call.get("edits"), list) or agent_tools.first(call, agent_tools.OLD) else "write"
    return agent_tools.actions(kind, call) if kind == "edit" or agent_tools.first(call, agent_tools.WHOLE) else []
