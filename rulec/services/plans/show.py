"""rulec plan: the plans that agents work by here, with the rules of each step and what is missing, as they change."""

from collections.abc import Callable, Iterator
from pathlib import Path

from rulec.checkout import ledger
from rulec.checkout.worktree import PLANS, shared_state_directory, state_directory
from rulec.domain.outcome import Outcome
from rulec.domain.text.one_line import shorten
from rulec.infra import clock
from rulec.plans.plan import DONE
from rulec.plans.proofs import changed_files, signed_records
from rulec.services.plans.plan_states import PlanState, StepRule, StepState, plan_states

NONE = "No plan is open here. rulec follows the plans and todo lists of agents whose hooks it has."
SOURCES = {"plan": "its plan", "todo": "its todo list", "tasks": "its tasks", "codex": "its plan"}
QUIET = 20 * 60  # seconds after which a session that does nothing is no longer at work
MOST_FILES = 5  # of a step that are named
MOST_SHOWN = 8  # places where the work strays from the plan
AGAIN = 60  # seconds after which the screen is written anew although nothing happened: files change beside it
Stamp = tuple[str, int, int]


def show_plans(top: Path, session: str = "") -> Outcome:
    """The open plans with their steps and rules, the one that was touched last first."""
    states = plan_states(top, session)
    text = "\n\n".join("\n".join(_plan_lines(one)) for one in states)
    return Outcome("\n".join(filter(None, [text or NONE, foreign_line(top)])), data=[one.data() for one in states])


def follow_plans(top: Path, session: str, pause: Callable[[], None]) -> Iterator[Outcome]:
    """The same whenever something changed, for ever; ``pause`` waits a moment between two looks at the files."""
    seen: tuple[Stamp, ...] = ()
    left = clock.countdown(AGAIN)
    ledger_file = Path(shared_state_directory(str(top)), ledger.NAME)
    while True:
        stamps = (*plan_stamps(top), file_stamp(ledger_file))
        if stamps != seen or left() <= 0:
            seen, left = stamps, clock.countdown(AGAIN)
            yield show_plans(top, session)
        pause()


def plan_stamps(top: Path) -> tuple[Stamp, ...]:
    """When each file was last written that the state of open plans depends on."""
    own = Path(state_directory(str(top)))
    names = (signed_records.NAME, changed_files.PASSES)
    return tuple(map(file_stamp, [*(own / name for name in names), *sorted(own.joinpath(PLANS).glob("*.json"))]))


def file_stamp(path: Path) -> Stamp:
    """What changes when a file is written: its time and size; zeros where there is none."""
    try:
        found = path.stat()
    except (OSError, ValueError):
        return str(path), 0, 0
    return str(path), found.st_mtime_ns, found.st_size


def foreign_line(top: Path) -> str:
    """What to say of records that rulec did not write, "" where there are none."""
    count = signed_records.count_foreign(str(top))
    told = "1 record of a run or approval was" if count == 1 else f"{count} records of runs or approvals were"
    return f"{told} not written by rulec here and proves nothing" * bool(count)


def _plan_lines(state: PlanState) -> Iterator[str]:
    plan = state.plan
    source = f", from {SOURCES[plan.source]}" if plan.source in SOURCES else ""
    quiet = f"; not heard of for {state.quiet_seconds // 60} min" * (state.quiet_seconds >= QUIET)
    done = sum(one.step.status == DONE for one in state.steps)
    steps = f"{done} of {len(state.steps)} steps done"
    yield f"{plan.agent or 'agent'}, session {plan.session[:8]}{source}: {steps}{quiet}"
    width = len(str(len(state.steps)))
    for one in state.steps:
        yield from _step_lines(one, width, current=one.step is plan.current())
    if state.strays:
        more = f" and {len(state.strays) - MOST_SHOWN} before" * (len(state.strays) > MOST_SHOWN)
        yield f"  to look at{more}:"
        yield from (f"    {line}" for line in state.strays[-MOST_SHOWN:])


def _step_lines(one: StepState, width: int, *, current: bool) -> Iterator[str]:
    step, inner = one.step, "  " * (one.depth + 1)
    yield f"{'>' if current else ' '} {inner[2:]}{one.number:{width}}. {step.status:<7} {shorten(step.text)}"
    below = inner + " " * (width + 2)
    for rule in one.rules:
        yield f"{below}{rule.slug} ({rule.level}){rule_state(rule)}"
    if step.edits:
        names = [shorten(path) for path in step.edits][-MOST_FILES:]
        more = f" and {len(step.edits) - len(names)} more" * (len(step.edits) > len(names))
        yield f"{below}files: {', '.join(names)}{more}"


def rule_state(rule: StepRule) -> str:
    """How the rule was proved at its step, or what is missing; "" where nothing was changed yet."""
    if rule.open:
        return f": a commit would be refused: {rule.missing}"
    return f": {rule.proof}{', at the commit' * rule.later}" * bool(rule.proof)
