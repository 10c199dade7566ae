"""The end of a turn: what its files, its reply and its judges show, and whether the agent has to go on."""

from __future__ import annotations

import json
import os

from rulec.agents.protocol.agent_spec import HookResponse
from rulec.checkout import git_call, installation, ledger, rules_layout
from rulec.checkout.worktree import common_directory, has_linked_trees, is_same_repository, plan_file
from rulec.domain.compiled_rule import ChangeCheck, EventFinding, ReplyCheck, SessionCheck, read_facts
from rulec.domain.enforcement import STRICTEST, at_most, is_shown, refuses
from rulec.domain.record import Record, read_record
from rulec.guard import decision
from rulec.hook import commit_checks, message_checks, outcomes, session_state
from rulec.hook.compiled_rules import CompiledRules
from rulec.hook.pending_files import RULES, PendingChange
from rulec.hook.session import changed_files, charging, session_rules
from rulec.shell.action_events import Event
from rulec.transcripts import recent_history

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from rulec.agents.protocol.agent_spec import AgentSpec, HookRequest
    from rulec.checkout.worktree import Worktree
    from rulec.domain.compiled_rule import CompiledRule

    Seen = Iterator[EventFinding]
    Judged = list[tuple[EventFinding, str]]  # findings, each with its outcome


JUDGES_MARK = os.path.join(".rules", "compiled", "judges.json")  # is there where judges are asked on this machine
SECONDS_OF_JUDGES = 30.0  # that an agent waits; what takes longer is left to CI
MOST_JUDGED_FILES = 200  # files
LEFT_TO_CI = "rulec: judges have not answered in time; CI will ask them"


class JudgedFinding(Record):
    """What `rulec hook ended` tells of a finding."""

    path: str = ""
    line: int = 0
    text: str = ""
    cure: str = ""
    unsure: bool | str = False
    excepted: str = ""


def judge_by_model(own: charging.OwnWork) -> tuple[list[EventFinding], bool]:
    """Findings of judges that block, and whether some have not answered in time.

    They are asked about what the session's own calls changed.
    """
    root = own.pending.world.root
    if os.environ.get(rules_layout.BELOW_MODEL) or not os.path.exists(os.path.join(root, JUDGES_MARK)):
        return [], False
    files = [file for file in own.pending.recent() if file.kind != "delete" and not own.why_not_own(file)]
    paths = [file.path for file in files if not file.path.startswith(".rules/")]
    if not paths or len(paths) > MOST_JUDGED_FILES:
        return [], bool(paths)
    told = installation.ask_rulec(root, ["hook", "ended"], SECONDS_OF_JUDGES, json.dumps(paths).encode())
    try:
        answer = json.loads(told or b'{"found": [], "left": true}')
        return [_judged_finding(one) for one in answer["found"]], bool(answer["left"])
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
        return [], True


def _judged_finding(one: dict[str, object]) -> EventFinding:
    told = read_record(JudgedFinding, one["finding"])
    found = EventFinding(facts=read_facts(one["facts"]), path=told.path, line=told.line, text=told.text)
    return found.but(cure=told.cure, unsure=told.unsure, excepted=told.excepted)


MOST_BLOCKS = 3  # in one turn
WAIVED = "rulec lets the turn end after 3 reminders; still there, and the commit will be stopped:\n"
LEFT = "rulec lets the turn end after 3 reminders; still there:\n"
UNSEEN = "rulec: what this turn changed is not judged at its end"
OF_OTHERS = "rulec: this stands in changed files, and the turn is not held for it:\n"
OF_PAST = (SessionCheck, ReplyCheck)  # what looks back on the turn or the session


def answer_turn_end(agent: AgentSpec, asked: HookRequest, compiled: CompiledRules, world: Worktree) -> HookResponse:
    """Block the end of the turn while findings block, a few times; then let it end and tell the person."""
    pending = PendingChange(world, agent.name, session_state.session_start_time(world.root, asked))
    refused = git_call.refusal_by_owner(world.root)
    if refused:
        cure = git_call.cure_of_refusal(refused, world.root)
        words = f"{UNSEEN}: git refuses {world.root}: {refused}" + (f"; run {cure}" if cure else "")
        return agent.say(asked, words) if session_state.first_time(world.root, asked, "refused") else HookResponse()
    if pending.files:
        charging.mark_standing(pending, asked)
    own = charging.OwnWork(asked, pending)
    judged_by, left = judge_by_model(own) if not asked.subagent else ([], False)
    found = _collected([*_seen(asked, compiled, own), *judged_by])
    if found:
        outcomes.mark_excepted(found, world)
    judged = [(finding, _outcome_of(finding)) for finding in found]
    blocking, faults = _reasons(judged), _reasons(judged, "fault")
    told: HookResponse = agent.say(asked, outcomes.join_reasons(faults)) if faults else HookResponse()
    if left and session_state.first_time(world.root, asked, "left"):
        told = told.plus(agent.say(asked, LEFT_TO_CI))
    told = told.plus(_tell_of_others(agent, asked, judged, world))
    if not blocking and not asked.subagent:
        session_rules.recheck_debts(asked, compiled, world)
    unproved = _unproved(agent, asked, world, pending)
    held = False
    if not blocking and not unproved:
        session_state.reset_blocks(world.root, asked)
    elif session_state.count_blocks(world.root, asked) >= MOST_BLOCKS or not _counted(world.root, asked):
        left_open = [_let_end(agent, asked, compiled, world, judged)] if blocking else []
        left_open += [WAIVED + outcomes.join_reasons(unproved)] if unproved else []
        told = told.plus(agent.say(asked, "\n\n".join(left_open)))
        judged = [(finding, "waived" if refuses(outcome) else outcome) for finding, outcome in judged]
    else:
        held, told = True, told.plus(agent.deny(asked, outcomes.join_reasons([*blocking, *unproved])))
    if judged:
        outcomes.note_outcomes(agent, asked, judged, world.root)
    ledger.note_fixed_in_session(world.root, agent.name, asked.session, found)
    if not held and not asked.subagent:
        _learn(agent, asked, world, pending)
    return told


def _outcome_of(finding: EventFinding) -> str:
    """What a finding does here; one on the work of others never holds the turn."""
    outcome = outcomes.outcome_of(finding)
    return at_most(outcome, "warn") if finding.of_others and refuses(outcome) else outcome


def _tell_of_others(agent: AgentSpec, asked: HookRequest, judged: Judged, world: Worktree) -> HookResponse:
    """What rules have against files that no call of the session is known to have changed: told once."""
    found = [one for one, outcome in judged if one.of_others and is_shown(outcome)]
    found = [one for one in found if refuses(one.facts.enforcement)]
    key = "others-" + ledger.short_digest("\n".join(sorted(f"{one.slug} {one.path}" for one in found)))
    if not found or asked.subagent or not session_state.first_time(world.root, asked, key):
        return HookResponse()
    return agent.say(asked, OF_OTHERS + outcomes.join_reasons([outcomes.reason_for(one) for one in found]))


def _learn(agent: AgentSpec, asked: HookRequest, world: Worktree, pending: PendingChange) -> None:
    """Learn from a turn that ends which rules matter to the person."""
    try:
        from rulec.hook.session import turn_learning  # noqa: PLC0415 (a turn that is held pays for none of it)

        turn_learning.learn_from_turn(agent, asked, world, pending)
    except Exception:  # noqa: BLE001 - no gate: whatever breaks here must not hold the turn
        return


def _unproved(agent: AgentSpec, asked: HookRequest, world: Worktree, pending: PendingChange) -> list[str]:
    """What steps of the session's plan that are done lack for the commit."""
    if asked.subagent or not (
        (asked.records and recent_history.shows_plan(asked))
        or os.path.exists(plan_file(world.root, asked.main_session))
    ):
        return []
    try:
        from rulec.hook.session import plan_calls  # noqa: PLC0415 (few sessions have a plan)

        return plan_calls.unproved_at_end(agent, asked, world, pending)
    except Exception:  # noqa: BLE001 - the commit asks again; whatever breaks here must not hold the turn
        return []


def _let_end(agent: AgentSpec, asked: HookRequest, compiled: CompiledRules, world: Worktree, judged: Judged) -> str:
    """The message to the person about what still blocks; the next commit waits for what its gate cannot see."""
    found = [finding for finding, outcome in judged if refuses(outcome)]
    awaited, held = session_rules.debts_of_commit(compiled, found), session_rules.left_to_commit(compiled, found)
    pending = PendingChange(world, agent.name, session_state.session_start_time(world.root, asked)) if awaited else None
    if pending and session_rules.note_debts(world.root, asked, awaited, pending):
        held += awaited
    stopped, left = ([(one, STRICTEST) for one in found if (one in held) is wanted] for wanted in (True, False))
    told = [(words, _reasons(some)) for words, some in ((WAIVED, stopped), (LEFT, left))]
    return "\n\n".join(words + outcomes.join_reasons(reasons) for words, reasons in told if reasons)


def _collected(seen: Iterable[EventFinding]) -> list[EventFinding]:
    """Each finding once, also where two checks of one rule have the same against a file."""
    found: list[EventFinding] = []
    places: set[tuple[str, str, int, bool]] = set()
    for finding in seen:
        place = finding.slug, finding.path, finding.line, finding.of_others
        again = finding in found or (finding.path and place in places)
        places.add(place)
        found += [] if again else [finding]
    return found


def _reasons(judged: Iterable[tuple[EventFinding, str]], wanted: str = "") -> list[str]:
    """Why findings with that outcome were made, or those that refuse."""
    held = [finding for finding, outcome in judged if (outcome == wanted if wanted else refuses(outcome))]
    return [outcomes.reason_for(finding) for finding in held]


def _counted(root: str, asked: HookRequest) -> bool:
    """Whether the turn may be held: where that cannot be noted, only an agent that says so itself is held, and once."""
    return session_state.add_block(root, asked) or asked.stopped is False


def _seen(asked: HookRequest, compiled: CompiledRules, own: charging.OwnWork) -> Seen:
    pending, world = own.pending, own.pending.world
    event = Event(kind="stop", agent=pending.agent, environment="local", root=world.root, world=world)
    rules, faults = compiled.for_event(event)
    yield from faults
    if pending.recent():
        yield from changed_files.judge_files(pending.recent(), asked, compiled, own)
        of_change = _of_change(pending, [rule for rule in rules if isinstance(rule.check, ChangeCheck)])
        yield from changed_files.mark_work_of_others(of_change, own)
        yield from _as_at_commit(own)
    yield from _in_other_trees(asked, compiled, own)
    if not asked.subagent:  # a sub-agent's end is no end of a turn
        yield from _of_session(event, asked, [rule for rule in rules if isinstance(rule.check, OF_PAST)], world)


def _as_at_commit(own: charging.OwnWork) -> Seen:
    """What Semgrep's rules and scripts have against the changes; those of others are only told."""
    pending = own.pending
    files = [file for file in pending.recent() if not file.path.startswith(RULES)]
    known = [facts for _, facts in message_checks.acting_scripts(pending.world.root)]
    scripts = [
        one
        for one in known
        if message_checks.holds_here(one, pending.agent) and any(one.scope.holds(file.path) for file in files)
    ]
    seconds, source_of = commit_checks.SECONDS_AT_END, pending.source_of
    found = commit_checks.judge_as_commit(files, pending.world, seconds, source_of, scripts)
    yield from changed_files.mark_work_of_others(found, own)


def _in_other_trees(asked: HookRequest, compiled: CompiledRules, own: charging.OwnWork) -> Seen:
    """What the session's calls changed in other work trees, and in submodules by the rules of those."""
    world, root = own.pending.world, own.pending.world.root
    if not (has_linked_trees(root) or os.path.isdir(os.path.join(common_directory(root), "modules"))):
        return
    for tree in charging.other_trees(own):
        there = charging.OwnWork(asked, PendingChange(tree, own.pending.agent, own.pending.since))
        of_tree = CompiledRules(tree.root)
        of_tree.load()
        for rules in [compiled, of_tree] if is_same_repository(root, tree.root) else [of_tree]:
            found = changed_files.judge_files(there.pending.recent(), asked, rules, there)
            yield from (_as_named_here(one, tree, world, asked.cwd) for one in found)


def _as_named_here(finding: EventFinding, tree: Worktree, world: Worktree, cwd: str) -> EventFinding:
    """A finding in another tree with the path by which the agent, where it is, can open the file."""
    path, whole = finding.path, tree.absolute(finding.path)
    if not path or finding.fault:
        return finding
    named = world.relative(whole) if cwd in ("", world.root, world.real) else whole
    text = finding.text
    named_in_text = not finding.line and text.endswith(path)
    return finding.but(path=named, text=text.removesuffix(path) + named if named_in_text else text)


def _of_change(pending: PendingChange, rules: list[CompiledRule]) -> Seen:
    """Findings on what one change must bring along, if all of it were committed now."""
    event = pending.whole() if rules else None
    if event:
        yield from (one for one in decision.decide(rules, event) if one.fault or pending.changed(one.path))


def _of_session(event: Event, asked: HookRequest, rules: list[CompiledRule], world: Worktree) -> Seen:
    """What the rules on the end of a turn lack."""
    if rules:
        from rulec.hook.session import session_rules  # noqa: PLC0415 (only where a rule asks what came before)

        yield from session_rules.decide_with_history(rules, event, asked, world)
