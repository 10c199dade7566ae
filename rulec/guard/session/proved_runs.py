"""Rules with ``proved_by``: a run of a suite counts where rulec itself recorded it, whatever a transcript says."""

from __future__ import annotations

from rulec.domain.files import globs
from rulec.guard.session import earlier_steps
from rulec.shell.action_events import Act

TYPE_CHECKING = False
if TYPE_CHECKING:
    from rulec.domain.compiled_rule import RuleScope, SessionCheck
    from rulec.shell.action_events import Event


COMMAND = "rulec run "
OWN_CHANGE = "the same command changes files first, which no run has seen"
UNRECORDED = "the session shows no such run"
CHANGES = ("edit", "delete")


def as_asked(check: SessionCheck, event: Event) -> SessionCheck:
    """The check as it searches a session for what makes a run due.

    For the run itself only where nobody can ask for records, which is so in examples and in sessions of long ago.
    """
    if event.runs:
        return check.but(first_commands=())
    return check.but(first_commands=(COMMAND + check.proved_by,), whole=True, unmasked=True)


def earlier_acts(check: SessionCheck, own: list[Act]) -> list[Act]:
    """The acts of the judged command before the one that is judged, without runs, which are not over yet."""
    return [one for one in own if not (one.kind == "run" and check.proved_by in one.call.argv)]


def why_unproved(check: SessionCheck, event: Event, own: list[Act], act: Act, scope: RuleScope) -> str:
    """What lacks for a recorded run of the files as the judged act finds them; "" where nothing does."""
    if any(one.kind in CHANGES and _matters(check, scope, one.path) for one in own):
        return OWN_CHANGE
    return event.runs.why_unproved(check.proved_by, act) if event.runs else UNRECORDED


def place_of_act(event: Event, act: Act) -> str:
    """The work tree in which the run of the act lacks; "" where nobody can ask for records."""
    return event.runs.root_of(act) if event.runs else ""


def is_due_by_files(check: SessionCheck, event: Event, scope: RuleScope) -> bool:
    """Whether files that differ from HEAD make a run due, for sessions of which there is no record."""
    world = event.world
    if not check.since or not world:
        return True
    from rulec.checkout import pending_change  # noqa: PLC0415 (only where a rule asks for a run by rulec)

    return any(_matters(check, scope, path) for path, _ in pending_change.changed_paths(world.root))


def _matters(check: SessionCheck, scope: RuleScope, path: str) -> bool:
    """Whether the change of a path makes a run due."""
    since = check.since
    if since and globs.names_path(since, path, deletes=False) is None:
        return False
    return earlier_steps.concerns_path(check.since_except, scope, path)


def failing_test(check: SessionCheck, event: Event, act: Act) -> str:
    """The first test that failed in the suite's last recorded run; "" where none is known."""
    return event.runs.failing_test(check.proved_by, act) if event.runs else ""


def wording(check: SessionCheck, why: str, failing: str = "") -> tuple[str, str]:
    """What is missing, and what to do about it; ``failing`` is a test that the last run found red."""
    run = f"run `{COMMAND}{check.proved_by}`, as a command of its own"
    lacks = f"a green run of {check.proved_by} by rulec ({why})"
    return lacks, f"make {failing} pass, then {run}" if failing else f"first {run}"
