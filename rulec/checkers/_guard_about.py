"""What a guard artifact says of itself: how a person runs it by hand, without rulec."""

import json
from collections.abc import Mapping
from typing import Any

from rulec.model.artifact import HOOK, one_line
from rulec.model.plan import Facts

_READER = f"{HOOK} reads it, in the agent's hook; it needs Python 3.9 and nothing else"
_ANSWERS = "it prints why the action is denied, or nothing where no rule minds"
_WHOLE = "no hook sees a whole change: `rulec check --staged` and `rulec check --base REF` judge it"


def about(facts: Facts, check: Mapping[str, Any]) -> list[str]:
    """The rule in a sentence, and one command that asks all rules here about an action of its kind."""
    said = f"a check of the rule {facts.slug}: {one_line(facts.statement)}"
    if check["on"] == "change":
        return [said, _WHOLE]
    if check["on"] == "reply":
        ends = {"hook_event_name": "Stop", "last_assistant_message": "TEXT", "transcript_path": "FILE"}
        return [said, _READER, f"run: echo '{json.dumps(ends)}' | python3 {HOOK} claude-code"]
    if check["on"] == "tool":
        event = {"hook_event_name": "PreToolUse", "tool_name": "TOOL", "tool_input": {}}
        run = f"echo '{json.dumps(event)}' | python3 {HOOK} claude-code"
        return [said, _READER, f"run: {run}", _ANSWERS]
    words = check["on"] in ("command", "session")
    given = {"command": "COMMAND"} if words else {"file_path": "PATH", "content": "TEXT"}
    event = {"hook_event_name": "PreToolUse", "tool_name": "Bash" if words else "Write", "tool_input": given}
    past = {"transcript_path": "FILE"} if check["on"] == "session" else {}
    run = f"echo '{json.dumps(event | past)}' | python3 {HOOK} claude-code"
    return [said, _READER, f"run: {run}", _ANSWERS]
