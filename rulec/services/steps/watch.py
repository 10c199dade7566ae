"""rulec watch: what the agents that work by a plan here are doing, and what a person may want to look at."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from rulec.checkout import ledger
from rulec.checkout.worktree import shared_state_directory
from rulec.domain.enforcement import refuses
from rulec.domain.outcome import Outcome
from rulec.domain.text.one_line import shorten
from rulec.domain.text.redaction import redact
from rulec.infra import clock
from rulec.mining.correction_detection import score_turn
from rulec.services.steps.plan import NONE, foreign_line, plan_data, plan_heading, plan_lines
from rulec.services.steps.plan_files import PlanFiles, file_stamp
from rulec.services.steps.plan_states import PlanState, StepState, leaves, plan_states
from rulec.steps.proofs.claimed_files import seconds_of
from rulec.steps.proofs.session_words import events_of_plan
from rulec.steps.step import ACTIVE, DONE, PENDING, Plan

IDLE = 20 * 60  # seconds that an active step may go without an edit
QUIET = 20 * 60  # seconds after which a session that does nothing is no longer at work
MOST_EDITS = 12  # of one file in one step
MOST_SHOWN = 8  # lines of each kind
MOST_ACTIONS, LONGEST_ACTION = 12, 200  # of what stood before a message, as the hook has it
AGAIN = 60  # seconds after which the screen is written anew although nothing happened: it tells how long things take
_WRITES = ("edit", "write")


@dataclass(frozen=True, slots=True, kw_only=True)
class Concern:
    """Something in a plan that a person may want to look at."""

    kind: str  # skipped, idle, rewritten, outside
    step: int  # its number
    path: str = ""
    times: int = 0
    seconds: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class HeardCorrection:
    """A message of the person that is likely to hold for next time, too."""

    text: str
    at: str
    band: str


@dataclass(frozen=True, slots=True, kw_only=True)
class RefusedCall:
    """What a rule refused in the session, of one place."""

    slug: str
    of: str
    times: int
    last: str


@dataclass(frozen=True, slots=True, kw_only=True)
class WatchedPlan:
    """A plan, and the session that works by it."""

    state: PlanState
    quiet: int  # seconds since it was last heard of
    since: int  # seconds since the current step began
    concerns: tuple[Concern, ...]
    corrections: tuple[HeardCorrection, ...]
    refused: tuple[RefusedCall, ...]


def watch_once(top: Path) -> Outcome:
    """The plans and their sessions as they stand now."""
    watched = [_watched(top, state) for state in plan_states(top)]
    text = "\n\n".join("\n".join(_lines(one)) for one in watched)
    return Outcome("\n".join(filter(None, [text or NONE, foreign_line(top)])), data=[_data(one) for one in watched])


def watch_changes(top: Path, pause: Callable[[], None]) -> Iterator[Outcome]:
    """The same whenever something changed, for ever; ``pause`` waits a moment between two looks at the files."""
    seen: tuple[object, ...] = ()
    left, files = clock.countdown(AGAIN), PlanFiles(top)
    ledger_file = Path(shared_state_directory(str(top)), ledger.NAME)
    while True:
        stamp = (*files.stamps(), *files.transcript_stamps(), file_stamp(ledger_file))
        if stamp != seen or left() <= 0:
            seen, left = stamp, clock.countdown(AGAIN)
            yield watch_once(top)
        pause()


def _watched(top: Path, state: PlanState) -> WatchedPlan:
    now, plan = clock.epoch_seconds(), state.plan
    events = events_of_plan(str(top), plan) or []
    heard = max(plan.seen, file_stamp(Path(plan.transcript))[1] / 1e9 if plan.transcript else 0)
    quiet = max(0, int(now - heard))
    current = state.current
    return WatchedPlan(
        state=state,
        quiet=quiet,
        since=int(now - current.started) if current and current.started else 0,
        concerns=tuple(_concerns(state, events, now, at_work=quiet < QUIET)),
        corrections=tuple(_corrections(events)),
        refused=tuple(_refused(top, plan)),
    )


def _concerns(state: PlanState, events: Sequence[dict[str, Any]], now: float, *, at_work: bool) -> Iterator[Concern]:
    for one in _skipped(state.steps):
        yield Concern(kind="skipped", step=one.number)
    for one in state.steps:
        step = one.step
        last = max([step.started, *step.edits.values()])
        if at_work and step is state.current and step.started and now - last > IDLE:
            yield Concern(kind="idle", step=one.number, seconds=int(now - last))
        for path, times in _edits_since(events, step.started).items() if step is state.current else ():
            if times > MOST_EDITS:
                yield Concern(kind="rewritten", step=one.number, path=path, times=times)
    numbers = {one.step.id: one.number for one in state.steps}
    for path, told in state.plan.outside.items():
        if len(told) == 2 and told[1] in numbers:
            yield Concern(kind="outside", step=numbers[told[1]], path=path)


def _skipped(steps: Sequence[StepState]) -> list[StepState]:
    """The steps that nobody began although a later one has begun; one with steps below it is begun with these."""
    last = max((one.number for one in steps if one.step.status in (ACTIVE, DONE)), default=0)
    waiting = [one for one in leaves(steps) if one.step.status == PENDING and not one.step.started]
    return [one for one in waiting if one.number < last]


def _edits_since(events: Iterable[dict[str, Any]], since: float) -> Counter[str]:
    """How often each file was edited by calls that began after that."""
    return Counter(
        str(event["path"])
        for event in events
        if event["kind"] in _WRITES and event.get("path") and event.get("ok") is not False
        if since and seconds_of(event.get("began")) >= since
    )


def _corrections(events: Sequence[dict[str, Any]]) -> Iterator[HeardCorrection]:
    """The person's messages that are likely corrections, by their words and by what stood before each.

    Of a message before which the agent said and did nothing, nothing can have been corrected.
    """
    words, done = "", list[str]()
    for event in events:
        kind = event["kind"]
        if kind in ("stop", "reply"):
            words = str(event.get("text", ""))
        elif kind == "says":
            text = str(event["text"])
            band = _band(text, words, "\n".join(done[-MOST_ACTIONS:])) if words or done else ""
            if band in ("auto", "review"):
                yield HeardCorrection(text=shorten(redact(text)), at=str(event.get("at", "")), band=band)
            words, done = "", []
        elif kind != "gap":
            line = f"{event.get('tool', '')} {event.get('command') or event.get('path') or ''}"
            done.append(line[:LONGEST_ACTION])


@lru_cache(maxsize=2_000)  # a message is looked at each time when something changes
def _band(text: str, before: str, tools: str) -> str:
    return score_turn(text, before, tools, interrupted=False, kind="typed").band


def _refused(top: Path, plan: Plan) -> Iterator[RefusedCall]:
    """What was refused in the session, by rule and place, the last one last."""
    own = ledger.short_digest(plan.session)
    found: dict[tuple[str, str], list[dict[str, Any]]] = {}
    for line in ledger.read_entries(str(top)):
        if line.get("session") == own and refuses(line.get("outcome")):
            key = str(line.get("slug", "")), str(line.get("of", ""))
            found[key] = [*found.pop(key, []), line]
    for (slug, of), lines in found.items():
        times = sum(map(ledger.count_of, lines))
        yield RefusedCall(slug=shorten(slug), of=shorten(of), times=times, last=str(lines[-1].get("at", ""))[:20])


def _lines(one: WatchedPlan) -> Iterator[str]:
    yield plan_heading(one.state) + f"; not heard of for {_span(one.quiet)}" * (one.quiet >= QUIET)
    current = next((item for item in one.state.steps if item.step is one.state.current), None)
    if current:
        yield f"  now: step {current.number}{f', for {_span(one.since)}' * bool(one.since)}"
    open_rules = one.state.open_rules
    if open_rules:
        named = ", ".join(f"{rule.slug} (step {item.number})" for item, rule in open_rules[:MOST_SHOWN])
        yield f"  a commit would be refused for: {named}{_more(open_rules)}"
    yield from plan_lines(one.state)
    yield from _section("to look at", [_concern_in_words(concern) for concern in one.concerns])
    yield from _section("corrections heard", [_with_time(f'"{said.text}"', said.at) for said in one.corrections])
    yield from _section("refused in this session", [_refusal_in_words(call) for call in one.refused])


def _section(title: str, lines: Sequence[str]) -> Iterator[str]:
    if lines:
        yield f"  {title}:"
        yield from (f"    {line}" for line in lines[-MOST_SHOWN:])
        if len(lines) > MOST_SHOWN:
            yield f"    and {len(lines) - MOST_SHOWN} before"


def _more(shown: Sequence[object]) -> str:
    return f" and {len(shown) - MOST_SHOWN} more" * (len(shown) > MOST_SHOWN)


def _concern_in_words(one: Concern) -> str:
    path = shorten(one.path)
    return {
        "skipped": f"step {one.step} was not begun, but a later one was",
        "idle": f"step {one.step} has had no edit for {_span(one.seconds)}",
        "rewritten": f"{path} was edited {one.times} times in step {one.step}",
        "outside": f"{path} was edited in step {one.step}, which names other files",
    }[one.kind]


def _refusal_in_words(one: RefusedCall) -> str:
    times = "once" if one.times == 1 else f"{one.times} times"
    return _with_time(f"{one.slug}{f': {one.of}' * bool(one.of)} ({times})", one.last)


def _with_time(text: str, at: str) -> str:
    return f"{at[11:16]} {text}" if len(at) > 16 and at[10] == "T" else text


def _span(seconds: int) -> str:
    minutes = seconds // 60
    return f"{minutes} min" if minutes < 120 else f"{minutes // 60} h"


def _data(one: WatchedPlan) -> dict[str, Any]:
    return {
        **plan_data(one.state),
        "quiet_seconds": one.quiet,
        "current_seconds": one.since,
        "open": [{"step": item.step.id, "rule": rule.slug} for item, rule in one.state.open_rules],
        "concerns": [{**asdict(concern), "words": _concern_in_words(concern)} for concern in one.concerns],
        "corrections": [asdict(said) for said in one.corrections],
        "refused": [asdict(call) for call in one.refused],
    }
