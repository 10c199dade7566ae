"""What rules have against files that did change, by git's own view: at a turn's end, an agent's commit and its push."""

from __future__ import annotations

from functools import partial

from rulec.agents.protocol.agent_spec import TURN_END
from rulec.checkout import pending_change
from rulec.domain.compiled_rule import DependencyCheck, PathCheck, SessionCheck, TextCheck
from rulec.domain.files import globs
from rulec.guard import acts, decision
from rulec.hook import session_state
from rulec.hook.pending_files import PendingChange
from rulec.hook.session import charging
from rulec.shell import action_events
from rulec.shell.action_events import parsed_command
from rulec.shell.command_matching import git_subcommand, is_dry_run, words_and_flags
from rulec.shell.git import folders
from rulec.shell.parsing.call import join_path
from rulec.transcripts import recent_history

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from rulec.agents.protocol.agent_spec import HookRequest
    from rulec.domain.compiled_rule import CompiledRule, EventFinding
    from rulec.hook.compiled_rules import CompiledRules
    from rulec.shell.action_events import Event

    Seen = Iterator[EventFinding]


OF_FILES = (PathCheck, TextCheck, DependencyCheck)
ADDING = {"add": "Au", "stage": "Au", "commit": "a"}  # verb of git -> letters that add all that changed
ASKS = "ask the person about it"
LEAVES = "take the change back, or leave the {} to a person"


def judge_leaving(event: Event, asked: HookRequest, compiled: CompiledRules) -> Seen:
    """What rules have against the files that an agent's commit or push takes along and that no gate of git judges.

    Those are rules for agents alone, rules on what a person has to allow first, and those on what only a generator
    may write.
    """
    begun = session_state.session_start_time(event.root, asked)
    for call in parsed_command(event).calls:
        verb = git_subcommand(call.argv)[1] if call.program == "git" else ""
        world = folders.own_tree(event, call) if verb in ("commit", "push") and not is_dry_run(call) else None
        if world is None or pending_change.is_merge_under_way(world.root):
            continue
        if verb == "commit":
            pending = PendingChange(world, event.agent, begun)
            added, staged = added_paths(event), pending_change.staged_paths(world.root)
            files = [file for file in pending.recent() if file.path in staged or is_below(added, file.path)]
            yield from _uncaught(files, asked, compiled, pending, "commit")
            continue
        base, sent = pending_change.unsent_paths(world.root)
        if sent:
            pending = PendingChange(world, event.agent, begun, base)
            files = [file for file in pending.recent() if file.path in sent]
            yield from _uncaught(files, asked, compiled, pending, "push")


def _uncaught(
    files: list[Event], asked: HookRequest, compiled: CompiledRules, pending: PendingChange, verb: str
) -> Seen:
    for finding in judge_files(files, asked, compiled, charging.OwnWork(asked, pending)):
        if finding.facts.scope.who or finding.unasked or finding.by_hand:
            cure = finding.cure or finding.facts.do
            yield finding.but(cure=f"{cure}; or {LEAVES.format(verb)}".removeprefix("; or "))


def judge_files(files: Iterable[Event], asked: HookRequest, compiled: CompiledRules, own: charging.OwnWork) -> Seen:
    """What rules have against files that changed; what the session's own calls did not change it is only told."""
    past = _Past(asked, own.pending)
    for file in files:
        rules = compiled.for_event(file)[0]
        seen = file.but(source=own.pending.source_of(file.path), written_by=partial(own.is_generated, file))
        seen.tree_root = own.pending.world.root
        found = decision.decide([rule for rule in rules if isinstance(rule.check, OF_FILES)], seen)
        unasked = [rule for rule in rules if _asks(rule) and past.is_unseen(rule, file)]
        if unasked:
            world = own.pending.world
            event = file.but(root=world.root, world=world, history=past.events, base=own.pending.base)
            event.unsure = _why_told(asked, own, file) or False
            found += [one.but(unasked=True, cure=ASKS) for one in decision.decide(unasked, event)]
        yield from (_told(one, _why_told(asked, own, file, one)) for one in found)


def _asks(rule: CompiledRule) -> bool:
    return isinstance(rule.check, SessionCheck) and rule.check.asks


def _why_told(asked: HookRequest, own: charging.OwnWork, file: Event, finding: EventFinding | None = None) -> str:
    """Why what rules have against the file is only told; a commit without a record is judged as the session's own."""
    why = own.why_not_own(file, finding)
    if finding and finding.by_hand:
        return "" if own.is_changed_by_program(file) else why  # it is no generator that the rule permits
    return "" if why == charging.NO_RECORD and asked.moment != TURN_END else why


def mark_work_of_others(seen: Iterable[EventFinding], own: charging.OwnWork) -> Seen:
    """The findings, those on what the session's own calls did not change as only told."""
    for finding in seen:
        yield _told(finding, own.why_finding_not_own(finding))


def _told(finding: EventFinding, why: str) -> EventFinding:
    return finding.but(unsure=why, of_others=True) if why and not finding.fault else finding


class _Past:
    """What the session did and said, read where a rule asks for it."""

    def __init__(self, asked: HookRequest, pending: PendingChange) -> None:
        self.asked, self.pending = asked, pending
        self._seen: recent_history.RecentHistory | None = None
        self._read = False
        self._edited: set[str] = set()

    @property
    def events(self) -> list[Event] | None:
        """The session's acts; None where its record cannot be seen."""
        if not self._read:
            self._read, self._seen = True, recent_history.recent_history(self.asked, self.pending.world)
            found = [act for event in (self._seen.events if self._seen else ()) for act in acts.acts_of(event)]
            self._edited = {act.path for act in found if act.kind in ("edit", "delete") and act.sure}
        return self._seen.events if self._seen else None

    def is_unseen(self, rule: CompiledRule, file: Event) -> bool:
        """Whether no tool call showed this change, so that nobody was asked; a reply that asks now is enough."""
        if self.events is None:
            return False
        packages = isinstance(rule.check, SessionCheck) and rule.check.before_packages
        if file.path in self._edited and not packages:
            return False
        words = (self.asked.words or (self._seen.words if self._seen else "")) if self.asked.moment == TURN_END else ""
        return "?" not in words


def added_paths(event: Event) -> list[str]:
    """The paths that the command itself adds to its commit; "" stands for all."""
    found: list[str] = []
    for call in parsed_command(event).calls:
        at, verb = git_subcommand(call.argv) if call.program == "git" else (0, "")
        if verb not in ADDING:
            continue
        words, flags = words_and_flags("git", call.argv[at:])
        letters = "".join(flag[1:].partition("m")[0] for flag in flags if not flag.startswith("--"))
        every = {"--all", "--update"}.intersection(flags) or set(ADDING[verb]).intersection(letters)
        if every and (verb == "commit" or not words[1:]):
            found.append("")
        folder = folders.git_folder(call) or ""
        found += [action_events.relative_path(event, join_path(folder, word)) for word in words[1:]]
    return found


def is_below(added: list[str], path: str) -> bool:
    """Whether a path is one of those that a command adds."""
    return any(one in ("", ".") or f"{path}/".startswith(one + "/") or globs.match([one], path) for one in added)
