"""``rulec review``: what waits in the queue -> batches, in which duplicates and contraries stand beside each other."""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from rulec.commands import _card, _decide, _queue, _write
from rulec.commands._decide import Say, Wish
from rulec.commands._outcome import Outcome
from rulec.commands._past import glance
from rulec.commands._propose import Proposal
from rulec.commands._waiting import Waiting, gathered, members
from rulec.errors import RulecError
from rulec.host import journal, worktree
from rulec.stages.gather import opposed

BATCH = 5
NOTHING = "nothing waits for review"


def run(top: Path, wish: Wish, say: Say, complain: Say) -> Outcome:
    """Ask about all that waits, a batch at a time."""
    with journal.lock(top):
        worktree.load(top)
        items = _waiting(top, complain)
        if not items:
            return Outcome(NOTHING, data={})
        if wish.into_git:
            _write.ready(top)
        tally, look = Counter[str](), glance(top)
        undecided = list(items)
        for start in range(0, len(items), BATCH):
            batch = items[start : start + BATCH]
            own = _batched(batch, start, len(items), wish, say)
            for item in batch:
                tally[_decide.decide(top, item, own, say, look, against=_against(item, undecided))] += 1
                undecided.remove(item)
    return Outcome(_told(top, tally), data=dict(tally))


def listed(top: Path, complain: Say) -> Outcome:
    """All that waits, in a line or two each, or as objects."""
    worktree.load(top)
    items = _waiting(top, complain)
    if not items:
        return Outcome(NOTHING, data=[])
    hint = "to decide: rulec review in a terminal, or with --accept SLUG or --reject SLUG"
    lines = [line for number, item in enumerate(items, 1) for line in _line(number, item, items)]
    return Outcome("\n".join([*lines, hint]), data=[_object(item, items) for item in items])


def settled(top: Path, answers: Sequence[tuple[str, str]], wish: Wish, say: Say, complain: Say) -> Outcome:
    """Decide on some that waits by its slug, as pairs of slug and accept or reject."""
    twice = next((slug for slug, times in Counter(slug for slug, _ in answers).items() if times > 1), "")
    if twice:
        raise RulecError(f"{twice} is named more than once", hint="say --accept or --reject of it, once")
    with journal.lock(top):
        worktree.load(top)
        items = _waiting(top, complain)
        chosen = [(_named(slug, items), answer) for slug, answer in answers]
        if wish.into_git:
            _write.ready(top)
        tally, look = Counter[str](), glance(top)
        for item, answer in chosen:
            own = replace(wish, answer=_always(answer))
            tally[_decide.decide(top, item, own, say, look, against=_against(item, items))] += 1
    return Outcome(_told(top, tally), data=dict(tally))


def _waiting(top: Path, complain: Say) -> list[Waiting]:
    """Each preference once; what asks for the contrary follows at once."""
    items = gathered(_queue.take(top, complain).values())
    ordered: list[Waiting] = []
    for item in items:
        ordered += [one for one in (item, *_contraries(item, items)) if one not in ordered]
    return ordered


def _contraries(item: Waiting, items: Sequence[Waiting]) -> list[Waiting]:
    against = opposed(item.candidate, [one.candidate for one in items])
    return [one for one in items if one.candidate in against]


def _against(item: Waiting, items: Sequence[Waiting]) -> list[str]:
    others = _contraries(item, items)
    return [f"{one.candidate.rule.slug}, waits too: {one.candidate.rule.statement}" for one in others]


def _batched(batch: Sequence[Waiting], start: int, total: int, wish: Wish, say: Say) -> Wish:
    """How to ask about this batch: card by card, or with one answer for all of it."""
    if len(batch) == 1:
        return wish
    say(f"{start + 1}-{start + len(batch)} of {total} that wait:")
    for number, item in enumerate(batch, start + 1):
        say("\n".join(_line(number, item, batch)))
    answer = wish.batch(len(batch))
    return wish if answer == "each" else replace(wish, answer=_always(answer))


def _always(answer: str) -> Callable[[Proposal], str]:
    return lambda _: answer


def _line(number: int, item: Waiting, items: Sequence[Waiting]) -> Iterator[str]:
    candidate = item.candidate
    times = len(members(candidate))
    said = candidate.correction
    quote = f'"{said.quote}"' if said else item.source
    often = f", {times} times" * (times > 1)
    yield f"{number:3}  {candidate.rule.slug}: {_card.short(candidate.rule.statement)}"
    yield f"     {_card.short(quote)}{often}"
    yield from (f"     against {text}" for text in _against(item, items))


def _object(item: Waiting, items: Sequence[Waiting]) -> dict[str, Any]:
    drafts = item.candidate.drafts[:1]
    return {
        "slug": item.candidate.rule.slug,
        "statement": item.candidate.rule.statement,
        "category": item.candidate.rule.category,
        "severity": item.candidate.rule.severity,
        "quotes": [one.correction.quote for one in members(item.candidate) if one.correction],
        "drafted": [_card.told(check) for draft in drafts for check in draft.checks],
        "against": [one.candidate.rule.slug for one in _contraries(item, items)],
        "source": item.source,
        "since": item.at,
    }


def _named(slug: str, items: Sequence[Waiting]) -> Waiting:
    found = [item for item in items if item.candidate.rule.slug == slug]
    if not found:
        known = ", ".join(sorted({item.candidate.rule.slug for item in items})) or "none"
        raise RulecError(f"no {slug!r} waits for review", hint=f"there wait: {known}")
    if len(found) > 1:
        raise RulecError(f"{len(found)} proposals are called {slug}", hint="decide on them one by one: rulec review")
    return found[0]


def _told(top: Path, tally: Counter[str]) -> str:
    words = {"accept": "accepted", "reject": "rejected", "later": "left for later", "known": "known already"}
    counted = ", ".join(f"{tally[key]} {word}" for key, word in words.items() if tally[key])
    return f"{counted}; {_queue.count(top)} in the queue"
