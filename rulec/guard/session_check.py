"""The check on a session: what is done now, and whether a person is asked first or it lacks an earlier step."""

from __future__ import annotations

import re

from rulec.domain.compiled_rule import EventFinding
from rulec.domain.files import globs
from rulec.guard import acts, earlier_steps, reply_check, scopes, tool_check
from rulec.guard.exceptions import is_of_commands, names_call, spares_call
from rulec.shell import action_events
from rulec.shell.action_events import LONGEST_SHOWN, Act, command_line
from rulec.shell.command_matching import matches

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from rulec.domain.compiled_rule import Facts, RuleException, RuleScope, SessionCheck
    from rulec.shell.action_events import Event


def spares_act(spared: tuple[RuleException, ...], act: Act) -> bool:
    """Whether an exception for commands leaves one act of a command alone."""
    named = tuple(one for one in spared if is_of_commands(one))
    if not named or act.event.kind != "command":
        return False
    call = action_events.parsed_command(act.event).calls[act.place]
    if act.kind == "run":
        return spares_call(named, act.event, call)
    return any(names_call(one, act.event, call) and one.holds(act.path) for one in named)


MOST_ACTS = 20_000  # of the past that are looked at


def check_session(facts: Facts, check: SessionCheck, event: Event) -> list[EventFinding]:
    """A finding on the first act that is judged: one to ask about, or one that lacks what had to come before it.

    A person may allow what is found, by the words that the finding is answered with. Without a history nobody knows
    what came before.
    """
    history = event.history
    if check.asks:
        return [one.but(allowable=True, asks=True) for one in _to_ask_about(facts, check, event)]
    if history is None and not event.unread:
        return []
    return [one.but(allowable=True) for one in _check_acts(facts, check, event, history)]


def _to_ask_about(facts: Facts, check: SessionCheck, event: Event) -> list[EventFinding]:
    """The first package or act that a person is asked about; one that only perhaps is such where no other is."""
    scope = facts.scope
    if check.before_packages:
        from rulec.guard import dependency_check  # noqa: PLC0415 (few rules ask before a package)

        if new := dependency_check.check_packages(facts, check, event):
            return new
    found: list[EventFinding] = []
    for act in acts.acts_of(event):
        sure = _judged(check, scope, act)
        if sure is None or (spares_act(facts.scope.spared, act)):
            continue
        one = EventFinding(facts=facts, path=act.path, text=_does(act), program=act.call.program, unsure=not sure)
        if sure:
            return [one]
        found.append(one)
    return found[:1]


def _check_acts(facts: Facts, check: SessionCheck, event: Event, history: Sequence[Event] | None) -> list[EventFinding]:
    scope = facts.scope
    own = acts.acts_of(event)
    found: list[EventFinding] = []
    for index, act in enumerate(own):
        sure = _judged(check, scope, act)
        if sure is None or (spares_act(facts.scope.spared, act)):
            continue
        here = _there(check, event, act)
        if here is False:
            continue
        if check.proved_by:
            one = _of_runs(facts, check, event, own[:index], act, known=bool(sure and here))
            if one and not one.unsure:
                return [one]
            found += [one] if one else []
            continue
        search = _search(check, scope, act, _back(own[:index], history or []))
        if history is None:
            if all(search.ways):
                one = _finding(facts, act, search, unsure=event.unread)
                return [one.but(cure=f"{one.cure}, in the same command", held=event.held and act.kind == "run")]
            continue
        if search.lacks is not False:
            unsure = not (sure and here and search.lacks)
            found.append(
                _finding(facts, act, search, unsure=unsure).but(held=bool(unsure and sure and here and search.held))
            )
            if not unsure:
                return found[-1:]
    return found[:1]


def _of_runs(
    facts: Facts, check: SessionCheck, event: Event, own: list[Act], act: Act, *, known: bool
) -> EventFinding | None:
    """The finding where a run by rulec is due and none is recorded; ``known`` is whether the rule surely judges it."""
    scope, history = facts.scope, event.history
    asked = as_asked(check, event)
    before = _back(earlier_acts(check, own), history or [])
    search = earlier_steps.search_steps(asked, scope, act, before)
    due = is_due_by_files(check, event, scope) if history is None else search.lacks
    if due is False:
        return None
    why = why_unproved(check, event, own, act, scope)
    if not why:
        return None
    lacks, cure = wording(check, why, failing_test(check, event, act))
    since = f" since {search.since} was changed" if search.since else " before it"
    found = EventFinding(
        facts=facts,
        path=act.path,
        text=f"{_does(act)}, without {lacks}{since}"[: 2 * LONGEST_SHOWN],
        program=act.call.program,
        cure=cure,
        unsure=not (known and due),
    )
    return found.but(unproved_at=place_of_act(event, act))


def _search(check: SessionCheck, scope: RuleScope, act: Act, before: Iterator[Act]) -> earlier_steps.StepSearch:
    before = _with_scripts(act.event, before)
    if not check.pattern:
        return earlier_steps.search_steps(check, scope, act, before)
    return earlier_steps.search_by_file(check, scope, act, before)


def _with_scripts(event: Event, before: Iterator[Act]) -> Iterator[Act]:
    """The acts, and behind each run what the scripts and recipes run that it starts, the last of them first."""
    texts_of = event.scripts
    for act in before:
        yield act
        if texts_of and act.kind == "run" and act.ok is not False:
            yield from reversed(acts.runs_within(act, texts_of(act.event, act.call)))


def _there(check: SessionCheck, event: Event, act: Act) -> bool | None:
    """Whether the act is done on a branch that the rule speaks of: for all that is known (True), perhaps (None)."""
    wanted = check.on_branch
    if not wanted:
        return True
    from rulec.shell.git import branches  # noqa: PLC0415 (few rules speak of branches)

    branch = branches.branch_at(event, act.place, act.call)
    if branch == "" and not event.world and event.example is False:
        return None  # a session of long ago, of which nobody knows the branch
    return None if branch is None else not branch or branches.is_one_of_branches(wanted, branch)


def _back(own: list[Act], history: Sequence[Event]) -> Iterator[Act]:
    """What was done before, the latest first."""
    yield from reversed(own)
    left = MOST_ACTS
    for event in reversed(history):
        found = acts.acts_of(event)
        left -= len(found) + 1
        if left < 0:
            yield Act("gap", event)
            return
        yield from reversed(found)


def _judged(check: SessionCheck, scope: RuleScope, act: Act) -> bool | None:
    """Whether the rule surely (True) or perhaps (False) judges this act; None where it does not."""
    judged = act.event.judged
    if judged is not None and action_events.parsed_command(act.event).calls[act.place] not in judged:
        return None
    if act.kind == "stop":
        claims = check.before_claims
        return True if check.before_stop and (not claims or _is_claim(check, act.text)) else None
    if act.kind == "tool":
        wanted = check.before_tools
        return True if wanted and tool_check.is_named(wanted, act.text) else None
    if act.kind == "run":
        meant = any(matches(pattern, act.call) for pattern in check.before_commands)
        meant = meant and not any(matches(pattern, act.call) for pattern in check.unless)
        if not meant or earlier_steps.only_previews(act.call) or _is_outside(act):
            return None
        there = scopes.runs_there(check, act.event, act.call)
        if not there:
            return False if there is None else None
        # With since, the scope is that of the files: a commit of them is made wherever one stands.
        return True if check.since or scopes.holds_folder(scope, act.event, act.call) else None
    if act.kind not in ("edit", "delete") or not check.before_edits or act.undoes:
        return None
    return _judged_edit(check, scope, act)


def _is_claim(check: SessionCheck, text: str) -> bool:
    """Whether what the agent says claims what the rule names, and nothing in it admits that it is not so."""
    prose = reply_check.own_words(text[: reply_check.LONGEST])

    def says(patterns: tuple[str, ...]) -> bool:
        return any(re.search(pattern, line, re.IGNORECASE) for pattern in patterns for line in prose)

    return says(check.before_claims) and not says(check.admissions)


def _is_outside(act: Act) -> bool:
    """Whether a command runs outside the repository, or git is led there."""
    folder = act.call.cwd
    if act.call.program == "git":
        from rulec.shell.git import branches, folders  # noqa: PLC0415 (most commands are none of git)

        place = folders.git_folder(act.call)
        if place is None or branches.is_new_worktree(act.event, place):
            return False
        folder = place
    return acts.is_outside(act.event, folder)


def _judged_edit(check: SessionCheck, scope: RuleScope, act: Act) -> bool | None:
    how, exists = check.how or ["change", "create"], _exists(act)
    does = ["delete"] if act.kind == "delete" else ["change"] if exists else ["create"]
    does = ["change", "create"] if act.kind == "edit" and exists is None else does
    meant = [one for one in does if one in how]
    sure = globs.names_path(check.before_edits, act.path, deletes=act.kind == "delete") if meant else None
    if sure is None or not earlier_steps.concerns_path(check.except_, scope, act.path):
        return None
    if check.pattern and not re.fullmatch(check.pattern, act.path):
        return None
    return sure and act.sure and len(meant) == len(does)


def _exists(act: Act) -> bool | None:
    if act.event.kind == "command":
        world = act.event.world
        there = act.event.there
        return world.exists(act.path) if world else there(act.path) if callable(there) else None
    known: bool | None = act.event.exists
    return True if act.event.kind == "edit" else known


def _finding(facts: Facts, act: Act, search: earlier_steps.StepSearch, *, unsure: bool | str) -> EventFinding:
    """What is done, what it lacks, and what to do first."""
    since = f" since {search.since} was changed" if search.since else " before it"
    since += f" ({search.hidden})" if search.hidden else ""
    wanted = [_way(way) for way in search.ways[:3]]
    lacks, cure = (" or ".join(words) for words in zip(*wanted, strict=False))
    return EventFinding(
        facts=facts,
        path=act.path,
        text=f"{_does(act)}, without {lacks}{since}"[: 2 * LONGEST_SHOWN],
        program=act.call.program,
        cure=f"first {search.check.first or cure}",
        unsure=unsure,
    )


def _does(act: Act) -> str:
    """What is done, in words."""
    if act.kind == "run":
        return command_line(act.call.argv)
    if act.kind == "tool":
        return act.text
    return f"{act.kind} {act.path}" if act.path else "the end of the turn"


def _way(steps: list[SessionCheck]) -> tuple[str, str]:
    """What of one way has to come first, in the same words."""
    told = [_wanted(step) for step in steps]
    lacks, cure = (" and ".join(dict.fromkeys(words)) for words in zip(*told, strict=False))
    return lacks, cure


def _wanted(check: SessionCheck) -> tuple[str, str]:
    """What has to come first, in words: as something that is missing, and as something to do."""
    names = ["it" if path == earlier_steps.SAME else path for path in check.first_reads]
    found = [(f"`{command}`", f"run `{command}`") for command in check.first_commands]
    found += [(f"a call of {name}", f"call {name}") for name in check.first_tools]
    found += [(f"reading {name}", f"read {name}") for name in names]
    found += [(f"a change of {glob}", f"change {glob}") for glob in check.first_edits]
    return " or ".join(lacks for lacks, _ in found[:3]), " or ".join(cure for _, cure in found[:3])


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
