"""What looked like a correction in one session and was not shown: said again in another one, it is."""

from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path

from rulec.domain.candidate import Candidate
from rulec.domain.transcript import Action
from rulec.errors import RulecError
from rulec.infra import dataclass_json, state
from rulec.resolving.grouping import same_preference
from rulec.resolving.revisions import session_name
from rulec.services.decisions import review_queue
from rulec.services.decisions.candidate_identity import occurrences, sessions_heard_in
from rulec.services.decisions.waiting_candidate import WaitingCandidate, merge_repeats, redacted_item

FOLDER = "unshown"
MOST = 500  # sessions of which anything is kept
_NEAR, _LONG = 3, 4_000  # actions on either side of the words, and characters of each side of one


@dataclass(frozen=True, slots=True)
class _UnshownItems:
    items: tuple[WaitingCandidate, ...]


def earlier_items(top: Path) -> list[WaitingCandidate]:
    """What sessions before this one hold: what was not shown, and what waits."""
    found: list[WaitingCandidate] = []
    for name in state.state_names(top, FOLDER):
        with suppress(RulecError, ValueError):  # it can be had again: by reading that session
            found += dataclass_json.load_dataclass(_UnshownItems, state.read_state_text(top, f"{FOLDER}/{name}")).items
    waiting = review_queue.load_waiting(top, lambda _: None).values()  # who reviews hears of what is damaged
    return [*found, *(item for item in waiting if item.candidate.correction)]


def join_repeats(
    item: WaitingCandidate, others: Iterable[WaitingCandidate], new: Callable[[Candidate], bool]
) -> WaitingCandidate:
    """The item with what was said to the same end in other sessions, as far as it is not decided."""
    own = sessions_heard_in(item.candidate)
    more = [
        other
        for other in others
        if not sessions_heard_in(other.candidate) <= own
        and same_preference(item.candidate, other.candidate)
        and new(other.candidate)
    ]
    return merge_repeats([item, *more])[0] if more else item


def remember_unshown(top: Path, read: Iterable[str], items: Sequence[WaitingCandidate]) -> None:
    """Keep what is not shown of some sessions, and nothing else of these."""
    of: dict[str, list[WaitingCandidate]] = {session_name(session): [] for session in read}
    for item in items:
        for one in occurrences(item.candidate):
            if one.correction:
                of.setdefault(session_name(one.correction.turn.session), []).append(_shortened_item(item, one))
    for session, own in of.items():
        name = f"{FOLDER}/{state.digest_of_values([session])}"
        if own:
            state.write_state_text(
                top, name, dataclass_json.dump_dataclass(_UnshownItems(tuple(map(redacted_item, own))))
            )
        else:
            state.remove_state(top, name)
    state.prune_state(top, FOLDER, MOST)


def _shortened_item(item: WaitingCandidate, one: Candidate) -> WaitingCandidate:
    """Without its session and the checks that did not hold in it: the actions next to the words say enough."""
    said = one.correction
    if said:
        before, after = map(_shortened_action, said.before[-_NEAR:]), map(_shortened_action, said.after[:_NEAR])
        said = replace(said, before=tuple(before), after=tuple(after))
    return replace(item, candidate=replace(one, drafts=(), correction=said), sessions=(None,))


def _shortened_action(action: Action) -> Action:
    command, old, new = action.command[:_LONG], action.old[:_LONG], action.new[:_LONG]
    return replace(action, command=command, old=old, new=new, output="")
