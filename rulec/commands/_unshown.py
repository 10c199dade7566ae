"""What looked like a wish in one session and was not shown: said again in another one, it is."""

from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path

from rulec.commands import _queue, _stored
from rulec.commands._waiting import Waiting, gathered, heard_in, kept, members
from rulec.errors import RulecError
from rulec.host import state
from rulec.model.candidate import Candidate
from rulec.model.transcript import Action
from rulec.stages.gather import same
from rulec.stages.revise import named

FOLDER = "unshown"
MOST = 500  # sessions of which anything is kept
_NEAR, _LONG = 3, 4_000  # actions on either side of the words, and characters of each side of one


@dataclass(frozen=True, slots=True)
class _Kept:
    items: tuple[Waiting, ...]


def earlier(top: Path) -> list[Waiting]:
    """What sessions before this one hold: what was not shown, and what waits."""
    found: list[Waiting] = []
    for name in state.names(top, FOLDER):
        with suppress(RulecError, ValueError):  # it can be had again: by reading that session
            found += _stored.loads(_Kept, state.text(top, f"{FOLDER}/{name}")).items
    waiting = _queue.take(top, lambda _: None).values()  # who reviews hears of what is damaged
    return [*found, *(item for item in waiting if item.candidate.correction)]


def joined(item: Waiting, others: Iterable[Waiting], new: Callable[[Candidate], bool]) -> Waiting:
    """The item with what was said to the same end in other sessions, as far as it is not decided."""
    own = heard_in(item.candidate)
    more = [
        other
        for other in others
        if not heard_in(other.candidate) <= own and same(item.candidate, other.candidate) and new(other.candidate)
    ]
    return gathered([item, *more])[0] if more else item


def keep(top: Path, read: Iterable[str], items: Sequence[Waiting]) -> None:
    """Keep what is not shown of some sessions, and nothing else of these."""
    of: dict[str, list[Waiting]] = {named(session): [] for session in read}
    for item in items:
        for one in members(item.candidate):
            if one.correction:
                of.setdefault(named(one.correction.turn.session), []).append(_short(item, one))
    for session, own in of.items():
        name = f"{FOLDER}/{state.digest([session])}"
        if own:
            state.write_text(top, name, _stored.dumps(_Kept(tuple(map(kept, own)))))
        else:
            state.remove(top, name)
    state.prune(top, FOLDER, MOST)


def _short(item: Waiting, one: Candidate) -> Waiting:
    """Without its session and the checks that did not hold in it: the actions next to the words say enough."""
    said = one.correction
    if said:
        before, after = map(_cut, said.before[-_NEAR:]), map(_cut, said.after[:_NEAR])
        said = replace(said, before=tuple(before), after=tuple(after))
    return replace(item, candidate=replace(one, drafts=(), correction=said), sessions=(None,))


def _cut(action: Action) -> Action:
    command, old, new = action.command[:_LONG], action.old[:_LONG], action.new[:_LONG]
    return replace(action, command=command, old=old, new=new, output="")
