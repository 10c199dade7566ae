"""The code that a command hands to an interpreter, as if it were written to a file: python -c, node -e, a heredoc."""

from rulec.runtime.effects import code
from rulec.runtime.events import parsed
from rulec.runtime.launchers import INTERPRETERS, family

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

ENDINGS = {"python": "py", "node": "js", "bun": "ts", "deno": "ts", "ruby": "rb", "perl": "pl", "php": "php"}


def codes(event: "dict[str, Any]") -> "list[dict[str, Any]]":
    """An event of a file for each program text; it has the ending of its language, and no other name."""
    found = []
    for call in parsed(event).calls:
        program = family(call.program)
        text = code(call) if program else ""
        if text.strip():
            file = {"kind": "write", "path": f"code.{ENDINGS.get(program, 'txt')}", "exists": False, "old": ""}
            found.append({**file, "new": text, "content": text, "agent": event.get("agent")})
    return found


def words() -> "list[str]":
    """The words that lead from a command to such rules."""
    return ["c" + name for name in INTERPRETERS]
