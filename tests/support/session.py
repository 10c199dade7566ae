"""Claude Code transcripts, written as the agent writes them."""

import json
import uuid
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

FIXED = datetime(2026, 11, 19, 9, tzinfo=UTC)


class ClaudeSession:
    """Builds one session turn by turn."""

    def __init__(self, cwd: Path, session: str = "5e55-0001", *, timed: bool = False) -> None:
        self.cwd, self.session, self.calls = cwd, session, 0
        self.timed = timed  # whether its lines have the time at which they are added
        self.lines: list[dict[str, Any]] = []
        self.last: str | None = None

    def _line(self, role: str, content: Any) -> None:
        own = str(uuid.uuid5(uuid.NAMESPACE_OID, f"{self.session}-{len(self.lines)}"))
        self.lines.append(
            {
                "type": role,
                "uuid": own,
                "parentUuid": self.last,
                "sessionId": self.session,
                "cwd": str(self.cwd),
                "isSidechain": False,
                "userType": "external",
                "version": "2.1.330",
                "timestamp": f"{(datetime.now(UTC) if self.timed else FIXED):%Y-%m-%dT%H:%M:%S.%f}"[:-3] + "Z",
                "message": {"role": role, "content": content},
            }
        )
        self.last = own

    def person(self, text: str) -> "ClaudeSession":
        self._line("user", text)
        return self

    def agent(self, text: str) -> "ClaudeSession":
        self._line("assistant", [{"type": "text", "text": text}])
        return self

    def call(self, name: str, given: dict[str, Any], result: str = "ok", *, failed: bool = False) -> "ClaudeSession":
        return self.asks(name, given).answered(result, failed=failed)

    def asks(self, name: str, given: dict[str, Any]) -> "ClaudeSession":
        self.calls += 1
        self._line("assistant", [{"type": "tool_use", "id": self.use, "name": name, "input": given}])
        return self

    def answered(self, result: str = "ok", *, failed: bool = False) -> "ClaudeSession":
        error = {"is_error": True} if failed else {}
        self._line("user", [{"type": "tool_result", "tool_use_id": self.use, "content": result, **error}])
        return self

    @property
    def use(self) -> str:
        return f"toolu_{self.calls:04}"

    def runs(self, command: str, result: str = "ok", *, failed: bool = False) -> "ClaudeSession":
        return self.call("Bash", {"command": command}, f"Exit code 1\n{result}" if failed else result, failed=failed)

    def reads(self, path: str) -> "ClaudeSession":
        return self.call("Read", {"file_path": str(self.cwd / path)})

    def edits(self, path: str) -> "ClaudeSession":
        return self.call("Edit", {"file_path": str(self.cwd / path), "old_string": "x", "new_string": "y"})

    def writes(self, path: str, content: str) -> "ClaudeSession":
        return self.call("Write", {"file_path": str(self.cwd / path), "content": content})

    def text(self) -> str:
        return "".join(json.dumps(line) + "\n" for line in self.lines)

    def save(self, path: Path) -> Path:
        path.write_text(self.text())
        return path


def pnpm(cwd: Path, quote: str = "pnpm, not npm.") -> ClaudeSession:
    """The plainest correction of a command."""
    session = ClaudeSession(cwd).person("Add left-pad.").runs("npm install left-pad").agent("Done.")
    return session.person(quote).runs("pnpm add left-pad").agent("Understood.")


def logger(cwd: Path) -> ClaudeSession:
    """The plainest correction of code."""
    wrong = "def total(rows):\n    value = sum(rows)\n    print(value)\n    return value\n"
    right = "import logging\n\nlogger = logging.getLogger(__name__)\n\n\n" + wrong.replace("print(", "logger.info(")
    session = ClaudeSession(cwd, "5e55-0002").person("Show the total.").writes("src/report.py", wrong).agent("Done.")
    return session.person("Never use print(), use the logger.").writes("src/report.py", right).agent("Understood.")


def unknown_work(folder: Path) -> Path:
    """The record of a session that ran a program of which nobody knows what it wrote, nor when."""
    path = folder.parent / f"{folder.name}-transcript.jsonl"
    ClaudeSession(folder).call("Bash", {"command": "some-program"}).save(path)
    return path
