"""The wishes that several repositories share: candidates for a rulebook that others extend."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace

from rulec.infra.corpus.corpus_store import CorpusStore
from rulec.resolving.grouping import Wish, group_wishes
from rulec.services.corpus.repository_queues import RepositoryWish, first_item
from rulec.services.proposals.waiting_candidates import WaitingCandidate

MOST_REPEATS = 12  # repositories whose words a shared candidate quotes
LEAST = 2  # repositories that make a wish a recurring one


@dataclass(frozen=True, slots=True)
class RecurringWish:
    """One wish of several repositories, in the words of the one that says it most."""

    first: RepositoryWish
    wishes: tuple[RepositoryWish, ...]
    repositories: Counter[str]  # in how many sessions of each

    @property
    def checked(self) -> bool:
        """Whether anybody's words gave a check."""
        return any(one.wish.check for one in self.wishes)


def find_recurring(wishes: Sequence[RepositoryWish]) -> list[RecurringWish]:
    """The wishes of two repositories or more, the most shared first.

    Equal words are one wish at once; of the others the sentence, the check and the name are compared.
    """
    same: dict[Wish, list[RepositoryWish]] = {}
    for said in wishes:
        same.setdefault(said.wish, []).append(said)
    groups: dict[int, list[list[RepositoryWish]]] = {}
    for one, group in zip(same.values(), group_wishes(list(same)), strict=True):
        groups.setdefault(group, []).append(one)
    found = []
    for some in groups.values():
        first = max(some, key=lambda one: (bool(one[0].wish.check), len({each.repository for each in one})))[0]
        every = tuple(one for each in some for one in each)
        counted = Counter[str]()
        for wish in every:
            counted[wish.repository] += wish.sessions
        if len(counted) >= LEAST:
            found.append(RecurringWish(first, every, counted))
    return sorted(found, key=lambda one: (-len(one.repositories), one.first.wish.statement))


def shared_item(store: CorpusStore, recurring: RecurringWish) -> WaitingCandidate:
    """One candidate with the words of some repositories as its repeats."""
    of_each = list({one.repository: one for one in reversed(recurring.wishes)}.values())[::-1]
    items = [first_item(store, one) for one in of_each[:MOST_REPEATS]]
    first = max(items, key=lambda item: (bool(item.candidate.drafts), bool(item.sessions[0])))
    pairs = [pair for item in (first, *(one for one in items if one is not first)) for pair in item.pairs]
    candidate = replace(first.candidate, repeats=tuple(one for one, _ in pairs[1:]))
    return replace(first, candidate=candidate, sessions=tuple(session for _, session in pairs))
