"""One session of Claude Code in a repository: its transcript, and its hooks with what they answer."""

import json
import re
import uuid
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rulec.infra.processes import run_tool

SECONDS = 120.0  # of one hook
Hooks = Callable[[str, str], Sequence[Sequence[str]]]  # event and tool -> the commands that run


@dataclass(frozen=True, slots=True, kw_only=True)
class HookReply:
    """What hooks made of an event: why they refuse it, and what they tell the agent."""

    refused: str = ""
    told: str = ""


@dataclass(slots=True)
class AgentSession:
    """Records what is said and done as Claude Code does, and asks its hooks."""

    top: Path
    transcript: Path
    id: str
    hooks: Hooks
    environment: Mapping[str, str]
    last: str | None = None
    lines: int = 0

    def record(self, role: str, content: Any) -> None:
        """Add a line to the transcript."""
        me = str(uuid.uuid5(uuid.NAMESPACE_OID, f"{self.id} {self.lines}"))
        line = {
            "type": role, "uuid": me, "parentUuid": self.last, "sessionId": self.id, "cwd": str(self.top),
            "isSidechain": False, "userType": "external", "version": "2.1.219", "gitBranch": "main",
            "timestamp": "2026-11-20T10:00:00.000Z", "message": {"role": role, "content": content},
        }  # fmt: skip
        self.last = me
        self.lines += 1
        with self.transcript.open("a", encoding="utf-8") as file:
            file.write(json.dumps(line) + "\n")

    def says(self, text: str) -> None:
        """The agent says something."""
        self.record("assistant", [{"type": "text", "text": text}])

    def uses(self, name: str, given: Mapping[str, Any]) -> str:
        """The agent calls a tool; the name of the call."""
        use = f"toolu_{self.lines:020}"
        self.record("assistant", [{"type": "tool_use", "id": use, "name": name, "input": given}])
        return use

    def gets(self, use: str, text: str, *, failed: bool = False) -> None:
        """The tool's result."""
        result = {"type": "tool_result", "tool_use_id": use, "content": text}
        self.record("user", [{**result, "is_error": True} if failed else result])

    def fire(self, event: str, **fields: Any) -> HookReply:
        """What the hooks of an event say; the first refusal counts."""
        payload = {
            "session_id": self.id, "transcript_path": str(self.transcript), "cwd": str(self.top),
            "permission_mode": "default", "hook_event_name": event, **fields,
        }  # fmt: skip
        told: list[str] = []
        environment = {**self.environment, "CLAUDE_PROJECT_DIR": str(self.top)}
        for argv in self.hooks(event, str(fields.get("tool_name", ""))):
            done = run_tool(
                argv, cwd=self.top, stdin=json.dumps(payload).encode(), environment=environment, seconds=SECONDS
            )
            if done.code == 2:
                return HookReply(refused=done.err.decode("utf-8", "replace").strip() or "exit 2")
            reply = read_reply(done.out.decode("utf-8", "replace"))
            if reply.refused:
                return reply
            told += [reply.told] * bool(reply.told)
        return HookReply(told="\n".join(told))

    def stop(self, text: str) -> HookReply:
        """The agent ends its turn with these words."""
        self.says(text)
        return self.fire("Stop", stop_hook_active=False, last_assistant_message=text)


def read_reply(out: str) -> HookReply:
    """What a hook's output means."""
    try:
        answer = json.loads(out) if out.strip().startswith("{") else {}
    except ValueError:
        return HookReply()
    inner = answer.get("hookSpecificOutput", {})
    if inner.get("permissionDecision") in ("deny", "ask"):
        return HookReply(refused=str(inner.get("permissionDecisionReason")))
    if answer.get("decision") == "block":
        return HookReply(refused=str(answer.get("reason")))
    return HookReply(told=str(inner.get("additionalContext") or ""))


def hooks_in_settings(settings: Path, runs: str) -> Hooks:
    """The hooks that a settings file of Claude Code registers, as it is now, with this file in their command."""
    registered: Mapping[str, Any] = (
        json.loads(settings.read_text("utf-8")).get("hooks", {}) if settings.exists() else {}
    )

    def commands(event: str, tool: str) -> Iterator[Sequence[str]]:
        for group in registered.get(event, []):
            matcher = group.get("matcher") or "*"
            if not tool or matcher == "*" or re.fullmatch(matcher, tool):
                lines = (hook["command"] for hook in group["hooks"] if hook.get("type") == "command")
                yield from (["sh", "-c", line] for line in lines if runs in line)

    return lambda event, tool: list(commands(event, tool))
