"""The wishes that several repositories share: candidates for a rulebook that others extend."""

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path

from rulec.infra import state
from rulec.infra.corpus import shard_files
from rulec.language.words import telling_stems
from rulec.resolving.grouping import Wish, group_places, same_wish
from rulec.services.proposals.waiting_candidates import WaitingCandidate

NEAREST = 40  # earlier wishes that one is compared with, those that share most with it
MOST_REPEATS = 12  # repositories whose words a shared candidate quotes
LEAST = 2  # repositories that make a wish a recurring one


@dataclass(slots=True)
class RecurringWish:
    """One wish of several repositories."""

    slug: str
    statement: str
    quote: str
    checked: bool = False
    repositories: Counter[str] = field(default_factory=Counter)  # in how many sessions of each


def find_recurring(files: Iterable[Path]) -> tuple[list[RecurringWish], list[list[tuple[Path, int]]]]:
    """The wishes of two repositories or more, the most shared first, and where their candidates lie.

    Equal words are one wish at once; whatever is left is compared with the wishes that share most words with it.
    """
    known: dict[Wish, int] = {}
    wishes: list[RecurringWish] = []
    places: list[list[tuple[Path, int]]] = []
    for file in files:
        for line, record in enumerate(shard_files.read_lines(file)):
            wish = Wish(record["named"], record["statement"], record["check"])
            at = known.setdefault(wish, len(wishes))
            if at == len(wishes):
                wishes.append(RecurringWish(record["slug"], wish.statement, record["quote"]))
                places.append([])
            wishes[at].checked |= bool(wish.check)
            wishes[at].repositories[record["repository"]] += len(record["sessions"])
            places[at].append((file, line))
    groups: dict[int, list[int]] = {}
    for at, group in enumerate(group_places(len(wishes), _Likeness(list(known)).earlier)):
        groups.setdefault(group, []).append(at)
    joined = [_joined([wishes[at] for at in group]) for group in groups.values()]
    lying = [[place for at in group for place in places[at]] for group in groups.values()]
    order = sorted(range(len(joined)), key=lambda at: (-len(joined[at].repositories), joined[at].statement))
    kept = [at for at in order if len(joined[at].repositories) >= LEAST]
    return [joined[at] for at in kept], [lying[at] for at in kept]


def _joined(group: list[RecurringWish]) -> RecurringWish:
    """One wish in the words of the most shared one."""
    first = max(group, key=lambda one: (one.checked, len(one.repositories)))
    total = sum((one.repositories for one in group), Counter[str]())
    return replace(first, checked=any(one.checked for one in group), repositories=total)


class _Likeness:
    """Compares a wish with those before it that share a name, a check or most words."""

    def __init__(self, wishes: list[Wish]) -> None:
        self.wishes = wishes
        self.by_key: dict[str, list[int]] = {}

    def earlier(self, at: int) -> Iterator[int]:
        """The wishes before this one that are the same."""
        mine = self.wishes[at]
        keys = [f"stem {stem}" for stem in telling_stems(mine.statement)]
        keys += [f"name {mine.named}"] * bool(mine.named) + [f"check {mine.check}"] * bool(mine.check)
        shared = Counter(other for key in keys for other in self.by_key.get(key, ()))
        for key in keys:
            self.by_key.setdefault(key, []).append(at)
        yield from (other for other, _ in shared.most_common(NEAREST) if same_wish(mine, self.wishes[other]))


def shared_items(places: Iterable[list[tuple[Path, int]]]) -> list[WaitingCandidate]:
    """For each wish one candidate with the words of some repositories as its repeats."""
    wanted = [_spread(some) for some in places]
    by_file: dict[Path, set[int]] = {}
    for some in wanted:
        for file, line in some:
            by_file.setdefault(file, set()).add(line)
    found = {
        (file, line): state.build_dataclass(WaitingCandidate, record["item"])
        for file, lines in by_file.items()
        for line, record in enumerate(shard_files.read_lines(file))
        if line in lines
    }
    return [_with_repeats([found[place] for place in some]) for some in wanted]


def _spread(some: list[tuple[Path, int]]) -> list[tuple[Path, int]]:
    """One place of each repository, as many as are quoted; a repository has one file."""
    return list({file: (file, line) for file, line in reversed(some)}.values())[::-1][:MOST_REPEATS]


def _with_repeats(items: list[WaitingCandidate]) -> WaitingCandidate:
    first = max(items, key=lambda item: (bool(item.candidate.drafts), bool(item.sessions[0])))
    pairs = [pair for item in (first, *(one for one in items if one is not first)) for pair in item.pairs]
    candidate = replace(first.candidate, repeats=tuple(one for one, _ in pairs[1:]))
    return replace(first, candidate=candidate, sessions=tuple(session for _, session in pairs))
