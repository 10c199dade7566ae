"""The originating session through a rule's checks: its offence caught, all that was accepted passed."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

from rulec.checks.proving.example_changes import change_of_action
from rulec.checks.proving.proof import StageFailure
from rulec.domain.artifact import Artifact, judges_whole_changes
from rulec.domain.change import Change, TreeAfterChange
from rulec.domain.finding import Fault, Finding
from rulec.domain.transcript import Action
from rulec.transcripts.session_commits import commits_of

Seen = Sequence[Finding | Fault]
ObserveChanges = Callable[[Sequence[Artifact], Sequence[Change]], Sequence[Seen]]  # each change through the artifacts
MOST_EARLIER = 1_000  # actions before one that is replayed, as many as its checks get to see


@dataclass(frozen=True, slots=True, kw_only=True)
class ProofSession:
    """The originating session, cut around the correction."""

    before: tuple[Action, ...] = ()  # the offence is among them
    after: tuple[Action, ...] = ()  # accepted
    later: tuple[Action, ...] = ()  # the rest of the session, as far as no other correction speaks of it
    tree: TreeAfterChange | None = None  # what stood beside the changes
    others: tuple[tuple[Action, ...], ...] = ()  # what was accepted when the same was said another time

    @property
    def accepted(self) -> int:
        """How many actions must pass."""
        return sum(is_judged(action) for tale in (self.after, self.later, *self.others) for action in tale)


def is_judged(action: Action) -> bool:
    return not action.aside and action.kind != "says"


def replay_failures(
    artifacts: Sequence[Artifact], observe: ObserveChanges, session: ProofSession
) -> list[StageFailure]:
    tales = [(*session.before, *session.after, *session.later), *session.others]
    changes = [change for tale in tales for change in _changes_in_order(tale)]
    actions = [action for tale in tales for action in tale if is_judged(action)]
    seen = observe(artifacts, changes)
    start = sum(map(is_judged, session.before))
    whole = [artifact for artifact in artifacts if judges_whole_changes(artifact)]
    past, accepted = commits_of(actions[:start], actions[start:]) if whole else ([], [])
    made = [*seen[:start], *observe(whole, past)]
    if whole and not any_finding(made):
        made = list(observe(whole, [replace(change, tree=session.tree) for change in past]))
    if start and not any_finding(made):
        return [StageFailure(what="did not catch the action that was corrected", expected="caught", got="passed")]
    commits = zip(accepted, observe(whole, accepted), strict=True)
    blocked = [
        f"a commit of {', '.join(f.path for f in one.files)[:80]}" for one, found in commits if has_finding(found)
    ]
    deeds = zip(actions[start:], seen[start:], strict=True)
    blocked += [_name_action(action) for action, found in deeds if has_finding(found)]
    return [
        StageFailure(what=f"would have blocked what was accepted: {what}", expected="passed", got="caught", why=what)
        for what in dict.fromkeys(blocked)
    ]


def _changes_in_order(tale: Sequence[Action]) -> Iterator[Change]:
    """A change for each action that is judged, with what the session had done before it."""
    for number, action in enumerate(tale):
        if is_judged(action):
            yield replace(change_of_action(action), earlier=tuple(tale[max(0, number - MOST_EARLIER) : number]))


def any_finding(seen: Sequence[Seen]) -> bool:
    return any(map(has_finding, seen))


def has_finding(found: Seen) -> bool:
    return any(isinstance(item, Finding) for item in found)


def _name_action(action: Action) -> str:
    return repr((action.command or f"{action.kind} {action.path or action.new}")[:80])
