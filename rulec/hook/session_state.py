"""What is remembered of a session: how often its turn's end was blocked, and when it began."""

import json
import os
import time

from rulec.checkout import ledger
from rulec.checkout.worktree import open_regular

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from rulec.agents.protocol.agent_spec import HookRequest


STATE = "stop.json"  # in the git folder
MOST = 30  # sessions
LONGEST = 200  # characters of a session's or turn's name
OUR_PREFIXES = (
    "rulec rule ",
    "rulec: ",
)  # how our reasons begin, which some agents' programs send on as a person's message


def is_our_reason(words: str) -> bool:
    """Whether a message is a refusal by rulec, sent on by the agent's program."""
    return words.startswith(OUR_PREFIXES)


def open_session(root: str, asked: "HookRequest") -> None:
    """Note that a session begins: files that are already changed are not its work."""
    _note(root, asked, lambda known: {"begun": time.time(), **known})


def begin_turn(root: str, asked: "HookRequest") -> None:
    """A person spoke: a new turn."""
    if not is_our_reason(asked.words.lstrip()) and count_blocks(root, asked):
        _note(root, asked, lambda known: {**known, "turn": "", "count": 0})


def session_start_time(root: str, asked: "HookRequest") -> float:
    """When the session began; 0 where that is unknown."""
    at = _sessions(root).get(_key(asked), {}).get("begun")
    return at if isinstance(at, float) else 0.0


def count_blocks(root: str, asked: "HookRequest") -> int:
    """How often the end of this turn was blocked already."""
    known = _sessions(root).get(_key(asked), {})
    count = known.get("count")
    anew = asked.turn != known.get("turn", "") if asked.turn else asked.stopped is False
    return count if isinstance(count, int) and not anew else 0


def add_block(root: str, asked: "HookRequest") -> bool:
    """Count one more block; False where that cannot be noted: then a turn must not be blocked again."""
    count = count_blocks(root, asked) + 1
    return _note(root, asked, lambda known: {**known, "turn": asked.turn[:LONGEST], "count": count})


def first_time(root: str, asked: "HookRequest", what: str) -> bool:
    """Whether this is the first time in the session, and note it."""
    if _sessions(root).get(_key(asked), {}).get(what):
        return False
    _note(root, asked, lambda known: {**known, what: True})
    return True


def reset_blocks(root: str, asked: "HookRequest") -> None:
    """Nothing is left to block for."""
    if _sessions(root).get(_key(asked), {}).get("count"):
        _note(root, asked, lambda known: {**known, "turn": "", "count": 0})


def _key(asked: "HookRequest") -> str:
    return f"{asked.session[:LONGEST]}/{asked.subagent[:LONGEST]}".rstrip("/")


def _sessions(root: str) -> "dict[str, dict[str, Any]]":
    try:
        with open(ledger.worktree_file(root, STATE), encoding="utf-8", opener=open_regular) as file:
            known = json.load(file)
    except (OSError, ValueError, RecursionError):
        return {}
    return {key: one for key, one in known.items() if isinstance(one, dict)} if isinstance(known, dict) else {}


def _note(root: str, asked: "HookRequest", change: "Any") -> bool:
    path = ledger.worktree_file(root, STATE)
    if not path:
        return False
    known = _sessions(root)
    own = change(known.pop(_key(asked), {}))
    last = dict([*known.items(), (_key(asked), own)][-MOST:])
    scratch = f"{path}.{os.getpid()}"
    try:
        handle = os.open(scratch, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | getattr(os, "O_NOFOLLOW", 0), 0o600)
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            json.dump(last, file)
        os.replace(scratch, path)
    except OSError:
        return False
    return True
