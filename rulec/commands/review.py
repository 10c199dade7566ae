"""``rulec review``: what waits in the queue -> batches, in which duplicates and contraries stand beside each other."""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from rulec import examplefile
from rulec.commands import _card, _cases, _conflicts, _decide, _effects, _lines, _onto, _propose, _queue, _unsure
from rulec.commands import _told as _json
from rulec.commands._decide import Decided, Say, Wish
from rulec.commands._outcome import Outcome
from rulec.commands._past import glance
from rulec.commands._propose import Against, Proposal, Ruling
from rulec.commands._waiting import Waiting, gathered, heard_in, members
from rulec.errors import RulecError
from rulec.host import clock, journal, worktree
from rulec.model.rulebook import Rulebook
from rulec.stages.gather import opposed

BATCH = 5
NOTHING = "nothing waits for review"


def run(top: Path, wish: Wish, say: Say, complain: Say) -> Outcome:
    """Ask about all that waits, a batch at a time."""
    with journal.lock(top):
        book = _onto.load(top, wish.onto)
        items = _waiting(top, complain)
        if not items and not _cases.cases(top, book):
            return Outcome("\n".join([NOTHING, *_conflicts.told(book, top)]), data={})
        _onto.ready(top, wish.onto)
        talk = _unsure.talk(top, book, wish, say)
        ruling = _unsure.heard(book, [item.candidate for item in items], talk, say).ruling
        _unsure.over(top, talk, say)
        done, look = list[Decided](), glance(top)
        undecided = list(items)
        for start in range(0, len(items), BATCH):
            batch = items[start : start + BATCH]
            place = f"{start + 1}-{start + len(batch)} of {len(items)}"
            own = _batched(_onto.load(top, wish.onto), batch, place, wish, say, ruling=ruling)
            for item in batch:
                done += _decide.decide(top, item, own, say, look, against=_against(item, undecided), ruling=ruling)
                undecided.remove(item)
        done += [_cases.decide(top, case, wish, say) for case in _cases.cases(top, _onto.load(top, wish.onto))]
        return _outcome(top, done, wish)


def listed(top: Path, complain: Say, *, whole: bool = False) -> Outcome:
    """All that waits, in a line or two each; the ``whole`` of it, with its proofs, as objects."""
    book = worktree.load(top)
    items = _waiting(top, complain)
    conflicts = [*_conflicts.told(book, top), *_cases.listed(top, book)]
    cases = list(map(_cases.told, _cases.cases(top, book)))
    if not items:
        return Outcome("\n".join([*([] if cases else [NOTHING]), *conflicts]), data=cases)
    hint = "to decide: rulec review in a terminal, or with --accept SLUG, --new SLUG or --reject SLUG"
    lines = [line for number, item in enumerate(items, 1) for line in _line(number, book, item, items)]
    told = [_object(top, book, item, items) for item in items] if whole else []
    return Outcome("\n".join([*lines, *conflicts, hint]), data=[*told, *cases])


def settled(top: Path, answers: Sequence[tuple[str, str]], wish: Wish, say: Say, complain: Say) -> Outcome:
    """Decide on some that waits by its slug, as pairs of slug and accept, new or reject."""
    twice = next((slug for slug, times in Counter(slug for slug, _ in answers).items() if times > 1), "")
    if twice:
        raise RulecError(f"{twice} is named more than once", hint="say --accept or --reject of it, once")
    with _onto.changing(top, wish.onto) as book:
        items = _waiting(top, complain)
        waiting = {item.candidate.rule.slug for item in items}
        cases = [(case, dict(answers).get(case.rule.slug)) for case in _cases.cases(top, book)]
        asked = [(case, said) for case, said in cases if said and case.rule.slug not in waiting]
        known = {case.rule.slug for case, _ in asked}
        chosen = [(_named(slug, items), answer) for slug, answer in answers if slug not in known]
        done, look = list[Decided](), glance(top)
        done += [_cases.decide(top, case, replace(wish, answer=_always(said)), say) for case, said in asked]
        for item, answer in chosen:
            own = replace(wish, answer=_beside if answer == "new" else _always(answer))
            done += _decide.decide(top, item, own, say, look, against=_against(item, items))
        return _outcome(top, done, wish)


def _outcome(top: Path, done: Sequence[Decided], wish: Wish) -> Outcome:
    tally = Counter(one.answer for one in done)
    lines = [_told(top, tally), *_conflicts.told(_onto.load(top, wish.onto), top), _onto.push(top, wish.onto)]
    told = [one.data for one in done if one.proposal]
    return Outcome("\n".join(filter(None, lines)), data={**tally, "proposals": told})


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


def _against(item: Waiting, items: Sequence[Waiting]) -> list[Against]:
    rules = [one.candidate.rule for one in _contraries(item, items)]
    return [Against(slug=rule.slug, statement=rule.statement, waits=True) for rule in rules]


def _batched(book: Rulebook, batch: Sequence[Waiting], place: str, wish: Wish, say: Say, *, ruling: Ruling) -> Wish:
    """How to ask about this batch: card by card, or with one answer for all of it."""
    if len(batch) == 1:
        return wish
    say(f"{place} that wait:")
    for number, item in enumerate(batch, int(place.partition("-")[0])):
        say("\n".join(_line(number, book, item, batch, ruling)))
    answer = wish.batch(len(batch))
    return wish if answer == "each" else replace(wish, answer=_always(answer))


def _beside(proposal: Proposal) -> str:
    """A rule of its own, whatever it is like, and then as good as any other."""
    return "new" if proposal.old and proposal.resolution.new_slug else "accept"


def _always(answer: str) -> Callable[[Proposal], str]:
    return lambda _: answer


def _line(
    number: int, book: Rulebook, item: Waiting, items: Sequence[Waiting], ruling: Ruling = _propose.resolved
) -> Iterator[str]:
    candidate = item.candidate
    times = len(members(candidate))
    said = candidate.correction
    quote = f'"{said.quote}"' if said else item.source
    places = len(heard_in(candidate))
    often = f", said in {places} sessions" if places > 1 else f", {times} times" * (times > 1)
    often += ", worded by a model" * _card.worded(candidate)
    yield f"{number:3}  {candidate.rule.slug}: {_lines.short(candidate.rule.statement)}"
    yield f"     {_lines.short(quote)}{often}"
    becomes = ruling(candidate, book)
    if becomes.decision != "NEW":
        yield f"     {_lines.short(_card.becomes(becomes))}"
    yield from (f"     against {text}" for one in _against(item, items) for text in _card.against(one))


def _object(top: Path, book: Rulebook, item: Waiting, items: Sequence[Waiting]) -> dict[str, Any]:
    """All that decides, as the card of it has it."""
    candidate = item.candidate
    proposal = _propose.propose(candidate, book, top, item.sessions, pinned=item.pinned)
    made = _propose.revision(proposal, reviewed=True, at=clock.now())
    proof = [f"{stage.name} {stage.detail or 'ok'}" for stage in proposal.proof.stages] if proposal.proof else []
    return {
        **_json.proposal(proposal),
        "slug": candidate.rule.slug,  # by which --accept knows it, whatever rule it becomes
        "statement": candidate.rule.statement,
        "category": candidate.rule.category,
        "severity": candidate.rule.severity,
        "quotes": [one.correction.quote for one in members(candidate) if one.correction],
        "sessions": len(heard_in(candidate)),
        "proof": proof,
        "examples": {
            "invalid": list(map(examplefile.plain, proposal.rule.invalid)),
            "valid": list(map(examplefile.plain, proposal.rule.valid)),
        },
        "does": _effects.does(book, proposal, made),
        "doubt": _effects.doubt(book, proposal, made),
        "drafted": [_lines.told(check) for draft in candidate.drafts[:1] for check in draft.checks],
        "against": [one.candidate.rule.slug for one in _contraries(item, items)],
        "check_by_model": _card.check_by_model(candidate, proposal.rule),
        "by_agent": candidate.by_agent,
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
