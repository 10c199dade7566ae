"""Files that a permitted generator writes: whether it did is known of a command and of a session, not of a commit."""

from __future__ import annotations

from rulec.domain.compiled_rule import EventFinding
from rulec.shell.command_matching import matches

TYPE_CHECKING = False
if TYPE_CHECKING:
    from rulec.domain.compiled_rule import Facts, PathCheck
    from rulec.shell.action_events import Event
    from rulec.shell.parsing.call import Call


UNKNOWN_HAND = "whether its generator wrote it is not known here"


def runs_generator(check: PathCheck, call: Call | None) -> bool:
    """Whether the command is one by which the files of the check may be written."""
    return call is not None and any(matches(one, call) for one in check.generated_by)


def is_written_by_generator(check: PathCheck, event: Event) -> bool:
    """Whether the file is written by a command that may: by its own words, or as the session's record shows it."""
    if not check.generated_by:
        return False
    by_session = event.written_by
    return runs_generator(check, event.call) or bool(by_session and by_session(check))


def is_of_unknown_hand(check: PathCheck, event: Event) -> bool:
    """Whether the file may be written by a generator, and the event is the change of a commit, which has no session."""
    return bool(check.generated_by) and is_of_commit(event)


def is_of_commit(event: Event) -> bool:
    """Whether the event is a file of a commit, of which nobody knows where and by what it was written."""
    return event.past is None and event.world is None and not event.left


def told_finding(facts: Facts, path: str, text: str) -> EventFinding:
    """A finding that is told, and refuses nothing."""
    return EventFinding(
        facts=facts, path=path, text=text, unsure=UNKNOWN_HAND, told=True, cure="write it by its generator"
    )
