"""The message that a person just typed -> a line for the agent where it sounds like a lasting preference."""

import json
import os
import re

from . import history, recall
from .human import is_interrupt, typed
from .world import World, git_folder

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from .agents import Agent, Asked

LONGEST = 4_000  # characters of a message; a longer one is a document or a paste
TAIL = 200_000  # bytes of the session's record: what the agent just did stands at its end
MOST_ACTIONS = 12
LONGEST_ACTION = 200
SECONDS = 3.0  # that a person waits for the detector at most
LAUNCHER = "sh .rules/compiled/runtime/rulec.sh"
_SLASH = re.compile(r"/[\w:-]+(?:\s|$)")  # a command of the agent's program, not a path
LINE = (
    "rulec: this may be a lasting preference. If it is, then once you have put it right, propose it to the person:"
    ' pipe {"statement": "Use …, never …", "when": "…", "quote": "their words", "offence": {"command": "…"},'
    ' "fix": {"command": "…"}} into `%s propose` (of an edit: {"edit": "PATH", "old": "…", "new": "…"}). They decide.'
)


def answer(agent: "Agent", asked: "Asked", root: str) -> "dict[str, Any]":
    """A line of context where the installed detector takes the message for a lasting preference, else nothing."""
    text = typed(asked.words)
    python = _python(root) if _worth(text) else ""
    if not python or not _lasting(python, root, {"text": text, "kind": "typed", **_before(asked, root, text)}):
        return {}
    known: "dict[str, Any]" = agent.context(LINE % _verb())
    return known


def _worth(text: str) -> bool:
    """Whether the message may be somebody's words at all, by a glance."""
    return 0 < len(text) <= LONGEST and not _SLASH.match(text) and any(map(str.isalpha, text))


def _python(root: str) -> str:
    """The interpreter that has rulec, as ``rulec init`` noted it beside the git hooks; "" where there is none."""
    folder = git_folder(root)
    above = os.path.dirname(folder)
    common = os.path.dirname(above) if os.path.basename(above) == "worktrees" else folder
    try:
        with open(os.path.join(common, "rulec", "python"), encoding="utf-8") as file:
            name = file.read(4096).strip()
    except (OSError, ValueError):
        return ""
    return name if folder and os.path.isabs(name) and os.access(name, os.X_OK) else ""


def _lasting(python: str, root: str, row: "dict[str, Any]") -> bool:
    """What the detector says of one turn; it has a short while, and whatever goes wrong is a no."""
    import subprocess  # noqa: PLC0415 - it costs more than all the rest, and most messages end before

    try:
        done = subprocess.run(
            # -P and -E: as the git hooks start it, so that nothing in the repository can stand in for rulec
            [python, "-E", "-P", "-m", "rulec", "detect", "-", "--format", "json"],
            input=json.dumps(row).encode("ascii") + b"\n",
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            cwd=root,
            timeout=SECONDS,
            check=False,
        )
        told = json.loads(done.stdout)
    except (OSError, ValueError, RecursionError, subprocess.SubprocessError):
        return False
    return done.returncode == 0 and isinstance(told, dict) and told.get("band") in ("auto", "review")


def _before(asked: "Asked", root: str, text: str) -> "dict[str, Any]":
    """What the agent last said and did, and whether it was stopped, as far as its record's end shows it."""
    data = history.end(asked.transcript, TAIL) or b""
    told, stopped = recall.Recall(World(root), "", inside=False), False
    for record in history.records(data.partition(b"\n")[2] if len(data) == TAIL else data):
        if record.get("type") in ("user", "assistant") and typed(_text(record)) != text:
            stopped = record["type"] == "user" and is_interrupt(_text(record))
        told.take(record)
    events, words = told.events(), told.words
    if events and events[-1]["kind"] == "says" and events[-1]["text"] == text:  # the record has the message already
        events.pop()
        words = events.pop()["text"] if events and events[-1]["kind"] == "stop" else ""
    spoke = max((at for at, event in enumerate(events) if event["kind"] == "says"), default=-1)
    done = [_told(event) for event in events[spoke + 1 :] if event["kind"] not in ("stop", "gap")]
    return {"prev_text": words, "prev_tools": "\n".join(done[-MOST_ACTIONS:]), "interrupted": stopped}


def _text(record: "dict[str, Any]") -> str:
    """The first text of a record."""
    message = record.get("message")
    content = message.get("content") if isinstance(message, dict) else ""
    if isinstance(content, list):
        content = content[0].get("text") if content and isinstance(content[0], dict) else ""
    return content if isinstance(content, str) else ""


def _told(event: "dict[str, Any]") -> str:
    return f"{event.get('tool', '')} {event.get('command') or event.get('path') or ''}"[:LONGEST_ACTION]


def _verb() -> str:
    """How the agent's shell starts rulec."""
    return (
        "rulec" if any(os.access(os.path.join(place, "rulec"), os.X_OK) for place in os.get_exec_path()) else LAUNCHER
    )
