"""What is remembered of a session: how often its turn's end was blocked, and when it began."""

from __future__ import annotations

import os
import time

from rulec.checkout import private_files
from rulec.checkout.worktree import shared_state_directory

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from rulec.agents.protocol.agent_spec import HookRequest


STATE = "stop.json"  # in the git folder that all work trees share
MOST = 30  # sessions
LONGEST = 200  # characters of a session's or turn's name
OUR_PREFIXES = (
    "rulec rule ",
    "rulec: ",
)  # how our reasons begin, which some agents' programs send on as a person's message


def is_our_reason(words: str) -> bool:
    """Whether a message is a refusal by rulec, sent on by the agent's program."""
    return words.startswith(OUR_PREFIXES)


def open_session(root: str, asked: HookRequest, tree: str = "") -> None:
    """Note that a session begins, and in which work tree: what is already changed is not its work."""
    if not session_start_time(root, asked):
        from rulec.hook.session import charging  # noqa: PLC0415 (it asks git, once in a session)

        charging.note_standing(root, asked)
    begins = {"begun": time.time(), "tree": tree or root, "transcript": asked.transcript}
    _note(root, asked, lambda known: {**begins, **known})


def first_tree(root: str, asked: HookRequest) -> str:
    """The work tree in which the session began; "" where that is unknown."""
    sessions = _sessions(root)
    known = sessions.get(asked.main_session[:LONGEST]) or sessions.get(_key(asked)) or {}
    tree = known.get("tree")
    return tree if isinstance(tree, str) else ""


def transcript_before(root: str, asked: HookRequest) -> str:
    """The transcript of the session that was noted last before this one; "" where none is known."""
    noted = [known.get("transcript") for known in _sessions(root).values()]
    others = [path for path in noted if isinstance(path, str) and path not in ("", asked.transcript)]
    return others[-1] if others else ""


def begin_turn(root: str, asked: HookRequest, tree: str = "") -> None:
    """A person spoke: a new turn; the first one that is heard begins the session where nothing else told of that."""
    if not session_start_time(root, asked):
        open_session(root, asked, tree)
    if not is_our_reason(asked.words.lstrip()) and count_blocks(root, asked):
        _note(root, asked, lambda known: {**known, "turn": "", "count": 0})


def session_start_time(root: str, asked: HookRequest) -> float:
    """When the session began; 0 where that is unknown."""
    at = _sessions(root).get(_key(asked), {}).get("begun")
    return at if isinstance(at, float) else 0.0


def count_blocks(root: str, asked: HookRequest) -> int:
    """How often the end of this turn was blocked already."""
    known = _sessions(root).get(_key(asked), {})
    count = known.get("count")
    anew = asked.turn != known.get("turn", "") if asked.turn else asked.stopped is False
    return count if isinstance(count, int) and not anew else 0


def add_block(root: str, asked: HookRequest) -> bool:
    """Count one more block; False where that cannot be noted: then a turn must not be blocked again."""
    count = count_blocks(root, asked) + 1
    return _note(root, asked, lambda known: {**known, "turn": asked.turn[:LONGEST], "count": count})


def first_time(root: str, asked: HookRequest, what: str) -> bool:
    """Whether this is the first time in the session, and note it."""
    if has_note(root, asked, what):
        return False
    _note(root, asked, lambda known: {**known, what: True})
    return True


def has_note(root: str, asked: HookRequest, what: str) -> bool:
    """Whether it was noted in the session."""
    return bool(_sessions(root).get(_key(asked), {}).get(what))


def add_notes(root: str, asked: HookRequest, what: tuple[str, ...]) -> bool:
    """Note it in the session; whether that could be done."""
    return _note(root, asked, lambda known: {**known, **dict.fromkeys(what, True)})


def forget_note(root: str, asked: HookRequest, what: str) -> bool:
    """Whether it was noted in the session, and note it no more."""
    noted = has_note(root, asked, what)
    if noted:
        _note(root, asked, lambda known: {name: value for name, value in known.items() if name != what})
    return noted


def reset_blocks(root: str, asked: HookRequest) -> None:
    """Nothing is left to block for."""
    if _sessions(root).get(_key(asked), {}).get("count"):
        _note(root, asked, lambda known: {**known, "turn": "", "count": 0})


def _key(asked: HookRequest) -> str:
    return f"{asked.session[:LONGEST]}/{asked.subagent[:LONGEST]}".rstrip("/")


def _sessions(root: str) -> dict[str, dict[str, Any]]:
    known = private_files.read_json(_state_file(root))
    return {key: one for key, one in known.items() if isinstance(one, dict)}


def _state_file(root: str) -> str:
    return os.path.join(shared_state_directory(root), STATE)


def _note(root: str, asked: HookRequest, change: Callable[[dict[str, Any]], dict[str, Any]]) -> bool:
    """Change what is known of a session; whether that could be done."""
    key = _key(asked)

    def change_all(known: dict[str, Any]) -> dict[str, Any]:
        before = known.get(key)
        return private_files.with_entry(known, key, change(before if isinstance(before, dict) else {}), MOST)

    return private_files.update_json(_state_file(root), change_all)
