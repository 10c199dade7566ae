"""Cursor: events in its own names, also where it runs the hooks of Claude Code; it says ``deny`` or nothing."""

from rulec.runtime.agents import ASK, DONE, PROMPT, START, STOP, Agent, Answer, Asked, opened, text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

MOMENTS = {
    "beforeShellExecution": ASK, "beforeMCPExecution": ASK, "preToolUse": ASK, "postToolUse": DONE,
    "stop": STOP, "beforeSubmitPrompt": PROMPT, "userPromptSubmit": PROMPT, "sessionStart": START,
}  # fmt: skip
TOOLS = {
    "Shell": "command", "Bash": "command", "run_terminal_cmd": "command", "Write": "file", "Edit": "file",
    "MultiEdit": "edit", "StrReplace": "edit", "EditNotebook": "edit", "NotebookEdit": "edit", "Delete": "delete",
    "ApplyPatch": "patch", "edit_file": "file", "search_replace": "edit", "write": "file", "delete_file": "delete",
}  # fmt: skip


def read(data: "dict[str, Any]") -> Asked:
    """What is asked; a folder that is not named is the first of the workspace."""
    name = text(data.get("hook_event_name"))
    name = name[:1].lower() + name[1:]
    asked = Asked(MOMENTS.get(name, ""), name)
    roots = data.get("workspace_roots")
    asked.folders = [_native(text(one)) for one in roots if text(one)] if isinstance(roots, list) else []
    asked.cwd = _native(text(data.get("cwd"))) or (asked.folders[0] if asked.folders else "")
    asked.session = text(data.get("conversation_id")) or text(data.get("session_id"))
    asked.tool, asked.words = text(data.get("tool_name")), text(data.get("prompt"))
    asked.subagent = text(data.get("subagent_id")) or text(data.get("agent_id"))
    if asked.moment == STOP and data.get("status") in ("aborted", "error"):  # a person stopped it; let it be
        asked.moment = ""
    kind, given = TOOLS.get(asked.tool, ""), opened(data.get("tool_input"))
    asked.given = given
    if name == "beforeMCPExecution":
        from rulec.runtime import agent_mcp  # noqa: PLC0415 (few calls are of other servers)

        kind, asked.actions = "", agent_mcp.actions(asked.tool, given)
    elif name == "beforeShellExecution":
        kind, given = "command", data
    if kind and asked.moment in (ASK, DONE):
        from rulec.runtime import agent_tools  # noqa: PLC0415 (other moments call no tool)

        asked.actions = agent_tools.actions(kind, given)
    return asked


def _native(path: str) -> str:
    """A path of Windows as it is written there: ``/c:/x`` is what its links look like."""
    return path[1:] if path[:1] == "/" and path[2:3] == ":" else path


def deny(asked: Asked, reason: str) -> Answer:
    """The tool does not run; the agent is sent on with a message at the end of its turn; an edit is not undone."""
    if asked.moment == ASK:
        short = reason.partition("\n")[0]
        return Answer({"permission": "deny", "user_message": short, "agent_message": reason})
    if asked.moment == STOP:
        return Answer({"followup_message": reason})
    return tell(asked, reason)


def tell(asked: Asked, words: str) -> Answer:
    """The agent gets it where Cursor takes it along; elsewhere it stands in the output of the hooks."""
    if asked.event in ("sessionStart", "postToolUse"):
        return Answer({"additional_context": words})
    return Answer(error=words)


def say(_: Asked, words: str) -> Answer:
    """The output of the hooks is the one place that a person sees."""
    return Answer(error=words)


AGENT = Agent(name="cursor", project="CURSOR_PROJECT_DIR", hears=(START,), read=read, deny=deny, tell=tell, say=say)
