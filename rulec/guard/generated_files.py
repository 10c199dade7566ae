"""Files that a permitted generator writes: whether it did is known of a command and of a session, not of a commit."""

from __future__ import annotations

from rulec.shell.action_events import finding_of
from rulec.shell.command_matching import matches

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from rulec.shell.parsing.call import Call


UNKNOWN_HAND = "whether its generator wrote it is not known here"


def runs_generator(check: dict[str, Any], call: Call | None) -> bool:
    """Whether the command is one by which the files of the check may be written."""
    return call is not None and any(matches(one, call) for one in check.get("generated_by") or ())


def is_written_by_generator(check: dict[str, Any], event: dict[str, Any]) -> bool:
    """Whether the file is written by a command that may: by its own words, or as the session's record shows it."""
    if not check.get("generated_by"):
        return False
    by_session = event.get("written_by")
    return runs_generator(check, event.get("call")) or bool(by_session and by_session(check))


def is_of_unknown_hand(check: dict[str, Any], event: dict[str, Any]) -> bool:
    """Whether the file may be written by a generator, and the event is the change of a commit, which has no session."""
    return bool(check.get("generated_by")) and is_of_commit(event)


def is_of_commit(event: dict[str, Any]) -> bool:
    """Whether the event is a file of a commit, of which nobody knows where and by what it was written."""
    return not any(key in event for key in ("past", "world", "left"))


def told_finding(slug: str, path: str, text: str) -> dict[str, Any]:
    """A finding that is told, and refuses nothing."""
    return finding_of(slug, path=path, text=text, unsure=UNKNOWN_HAND, told=True, cure="write it by its generator")
