"""What earlier runs left: sessions that shared a prompt, where transcripts ended, candidates that were not shown."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, NamedTuple

from rulec.domain.candidate import Candidate
from rulec.domain.prompt import DataBlock
from rulec.domain.transcript import Action
from rulec.errors import RulecError
from rulec.infra import state
from rulec.mining.mining_questions import MOST_TOKENS, MOST_TURNS, SESSION_LETTERS
from rulec.resolving.grouping import same_preference
from rulec.resolving.revisions import session_name
from rulec.services.proposals import waiting_candidates
from rulec.services.proposals.candidate_identity import occurrences, sessions_of_candidate
from rulec.services.proposals.waiting_candidates import WaitingCandidate, merge_repeats, redacted_item

BATCHES = "batches"
MOST_BATCHES = 500  # that are remembered, the last ones

BundlePlace = tuple[str, int]  # a transcript, and after how many of its moments a bundle begins


class SmallBundle(NamedTuple):
    """A bundle that leaves room for others."""

    blocks: Sequence[DataBlock]
    size: int  # tokens, about
    turns: int


def batched_places(top: Path) -> set[BundlePlace]:
    """The bundles that stand in a prompt with others."""
    return {place for group in _batches(state.read_state(top, BATCHES)) for place in group}


def group_bundles(
    top: Path, small: Mapping[BundlePlace, SmallBundle], missing: Callable[[BundlePlace], SmallBundle | None]
) -> Iterator[dict[BundlePlace, SmallBundle]]:
    """The bundles of each prompt: those that stood in one before, then the others as many as it takes.

    ``missing`` reads a bundle again that stood beside one of them and that nobody asks about now.
    """
    left = dict(small)
    for places in _batches(state.read_state(top, BATCHES)):
        if left.keys() & set(places):
            found = {place: left.pop(place, None) or missing(place) for place in places}
            yield {place: one for place, one in found.items() if one}
    group: dict[BundlePlace, SmallBundle] = {}
    for place, one in left.items():
        size = sum(other.size for other in group.values()) + one.size
        turns = sum(other.turns for other in group.values()) + one.turns
        if group and (size > MOST_TOKENS or turns > MOST_TURNS or len(group) == len(SESSION_LETTERS)):
            yield group
            group = {}
        group[place] = one
    if group:
        yield group


def remember_groups(top: Path, held: Iterable[Sequence[BundlePlace]]) -> None:
    """Remember what stands together; of transcripts that are gone nothing."""
    together = [list(places) for places in held if len(places) > 1]

    def change(kept: Any) -> list[list[BundlePlace]]:
        before = _batches(kept)
        every = [*before, *(group for group in together if group not in before)]
        return [group for group in every if any(Path(path).is_file() for path, _ in group)][-MOST_BATCHES:]

    if together:
        state.update_state(top, BATCHES, change)


def _batches(kept: Any) -> list[list[BundlePlace]]:
    found = (
        [[_place(one) for one in group] for group in kept if isinstance(group, list)] if isinstance(kept, list) else []
    )
    return [[place for place in group if place] for group in found]


def _place(kept: object) -> BundlePlace | None:
    match kept:
        case [str(path), int(start)]:
            return path, start
    return None


ENDS = "ends"
MOST_ENDS = 500  # ends of one transcript that are kept, the last ones
MOST_TRANSCRIPTS = 2_000  # transcripts

Cuts = dict[int, int]  # after how many moments, and how many actions then followed


@dataclass(slots=True)
class TranscriptEnds:
    """The ends that one run knows, read once, and those that it adds, written once."""

    top: Path
    known: dict[str, Cuts] = field(default_factory=dict)
    new: dict[str, Cuts] = field(default_factory=dict)

    def of(self, path: Path) -> Mapping[int, int]:
        """Where prompts about this transcript end."""
        name = str(path.absolute())
        return {**self.known.get(name, {}), **self.new.get(name, {})}

    def note(self, path: Path, moments: int, actions: int) -> None:
        """The transcript ends here, so far."""
        if moments and moments not in self.of(path):
            self.new.setdefault(str(path.absolute()), {})[moments] = actions

    def keep(self) -> None:
        """Write what is new beside what other runs wrote meanwhile; of transcripts that are gone nothing is kept."""
        if self.new:
            with suppress(RulecError):  # a question is put twice, and no more
                state.update_state(self.top, ENDS, self._joined)

    def _joined(self, stored: Any) -> dict[str, list[list[int]]]:
        kept = _ends(stored)
        for name, cuts in self.new.items():
            kept[name] = {**kept.pop(name, {}), **cuts}  # the last written stand last
        there = [name for name in kept if _is_there(name)][-MOST_TRANSCRIPTS:]
        return {name: sorted(map(list, kept[name].items()))[-MOST_ENDS:] for name in there}


def transcript_ends(top: Path) -> TranscriptEnds:
    """What earlier runs noted."""
    return TranscriptEnds(top, _ends(state.read_state(top, ENDS)))


def _ends(kept: Any) -> dict[str, Cuts]:
    return {name: dict(_pairs(pairs)) for name, pairs in kept.items()} if isinstance(kept, dict) else {}


def _pairs(kept: Any) -> Iterator[tuple[int, int]]:
    for pair in kept if isinstance(kept, list) else ():
        if isinstance(pair, list) and [type(one) for one in pair] == [int, int]:
            yield pair[0], max(0, pair[1])


def _is_there(name: str) -> bool:
    with suppress(OSError, ValueError):
        return Path(name).is_file()
    return False


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
            found += state.load_dataclass(_UnshownItems, state.read_state_text(top, f"{FOLDER}/{name}")).items
    waiting = waiting_candidates.load_waiting(top, lambda _: None).values()  # who reviews hears of what is damaged
    return [*found, *(item for item in waiting if item.candidate.correction)]


def join_repeats(
    item: WaitingCandidate, others: Iterable[WaitingCandidate], new: Callable[[Candidate], bool]
) -> WaitingCandidate:
    """The item with what was said to the same end in other sessions, as far as it is not decided."""
    own = sessions_of_candidate(item.candidate)
    more = [
        other
        for other in others
        if not sessions_of_candidate(other.candidate) <= own
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
                of.setdefault(session_name(one.correction.turn.session), []).append(shortened_item(item, one))
    for session, own in of.items():
        name = f"{FOLDER}/{state.digest_of_values([session])}"
        if own:
            state.write_state_text(top, name, state.dump_dataclass(_UnshownItems(tuple(map(redacted_item, own)))))
        else:
            state.remove_state(top, name)
    state.prune_state(top, FOLDER, MOST)


def shortened_item(item: WaitingCandidate, one: Candidate) -> WaitingCandidate:
    """Without its session and the checks that did not hold in it: the actions next to the words say enough."""
    said = one.correction
    if said:
        before, after = map(_shortened_action, said.before[-_NEAR:]), map(_shortened_action, said.after[:_NEAR])
        said = replace(said, before=tuple(before), after=tuple(after))
    return replace(item, candidate=replace(one, drafts=(), correction=said), sessions=(None,))


def _shortened_action(action: Action) -> Action:
    command, old, new = action.command[:_LONG], action.old[:_LONG], action.new[:_LONG]
    return replace(action, command=command, old=old, new=new, output="")
