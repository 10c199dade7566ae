"""``rulec ingest``: transcript -> corrections -> proposals -> what a person accepts, one commit each."""

import hashlib
import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from rulec import registry
from rulec.commands import _card, _propose, _session, _write
from rulec.commands._outcome import Outcome
from rulec.commands._propose import Answer
from rulec.errors import RulecError
from rulec.host import clock, journal, state, transcripts, worktree
from rulec.model.candidate import Candidate
from rulec.model.correction import Correction, Reading
from rulec.model.rule import Pinned
from rulec.model.transcript import Damage
from rulec.ports import Reader
from rulec.redact import redact
from rulec.stages.extract import extract
from rulec.stages.verify import Session

Say = Callable[[str], None]
REJECTED, QUEUE, READ = "rejected", "queue", "read"


@dataclass(frozen=True, slots=True, kw_only=True)
class Wish:
    """What the person chose on the command line."""

    answer: Answer  # asked about each proposal
    pinned: Pinned = "auto"
    reviewed: bool = True  # a person sees each proposal
    into_git: bool = True


def dry(source: str, reader_name: str, complain: Say, *, whole: bool) -> Iterator[dict[str, Any]]:
    """One object for each human turn, as the scorer of detection reads them; nothing is written.

    A program gets the ``whole`` text, by which it knows the turn again; a person's screen gets it redacted.
    """
    path = transcripts.source(source)
    for item in _session.readings(path, _session.reader_of(path, reader_name)):
        if isinstance(item, Damage):
            complain(f"{source}:{item.line}: {item.what}; passed over")
            continue
        found = list(extract(_clean(item.correction), registry.fits())) if item.correction else []
        yield {
            "transcript": item.turn.session or path.stem,
            "turn": item.turn.index,
            "text": item.turn.text if whole else redact(item.turn.text),
            "label": item.label,
            "band": item.band,
            "score": item.score,
            "reasons": list(item.reasons),
            "candidates": [_candidate(candidate) for candidate in found],
        }


def _candidate(candidate: Candidate) -> dict[str, Any]:
    checks = [_card.told(check) for draft in candidate.drafts[:1] for check in draft.checks]
    return {"slug": candidate.rule.slug, "statement": candidate.rule.statement, "checks": checks}


def run(top: Path, source: str, reader_name: str, wish: Wish, say: Say) -> Outcome:
    """Read a transcript, ask about each proposal, write what is accepted."""
    path = transcripts.source(source)
    reader = _session.reader_of(path, reader_name)
    with journal.lock(top):
        worktree.load(top)
        if wish.into_git:
            _write.ready(top)
        found, human, damaged = _read(path, reader)
        corrected = frozenset(reading.turn.index for reading in found)
        tally = {"accept": 0, "reject": 0, "later": 0, "known": 0}
        for correction in (_clean(reading.correction) for reading in found if reading.correction):
            for candidate in extract(correction, registry.fits()):
                session = _session.around(path, reader, correction, corrected)
                tally[_decide(top, candidate, session, wish, Voice(path, say))] += 1
    return Outcome(_summary(human, found, damaged, tally), data=tally)


def everything(top: Path, wish: Wish, say: Say) -> Outcome:
    """Read every transcript of this repository that is new or has grown since, newest first."""
    roots = [root for reader in registry.readers().values() for root in reader.roots]
    read: dict[str, list[int]] = state.read(top, READ) or {}
    fresh = [p for p in transcripts.of_repository(top, roots) if read.get(str(p)) != transcripts.stamp(p)]
    lines = []
    for path in fresh:
        stamp = transcripts.stamp(path)
        try:
            lines.append(f"{path}: {run(top, str(path), '', wish, say).text}")
        except RulecError as error:
            if error.where != str(path):
                raise
            lines.append(f"{path}: {error.message}, passed over")
        read[str(path)] = stamp
        state.write(top, READ, read)
    if not fresh:
        return Outcome("no new transcripts of this repository; name one: rulec ingest TRANSCRIPT")
    return Outcome("\n".join(lines))


def _read(path: Path, reader: Reader) -> tuple[list[Reading], int, list[Damage]]:
    found: list[Reading] = []
    damaged: list[Damage] = []
    human = 0
    for item in _session.readings(path, reader):
        if isinstance(item, Damage):
            damaged.append(item)
            continue
        human += 1
        if item.label != "none":
            found.append(item)
    return found, human, damaged


@dataclass(frozen=True, slots=True)
class Voice:
    """Where the proposals come from, and where they are shown."""

    path: Path
    say: Say


def _decide(top: Path, candidate: Candidate, session: Session, wish: Wish, voice: Voice) -> str:
    book = worktree.load(top)
    proposal = _propose.propose(candidate, book, top, session, wish.pinned)
    made = _propose.revision(proposal, reviewed=wish.reviewed, at=clock.now())
    mark = _mark(candidate)
    if _propose.known_already(book, candidate, made) or mark in (state.read(top, REJECTED) or []):
        return "known"
    voice.say(_card.card(proposal, _propose.does(book, proposal, made)))
    answer = wish.answer(proposal)
    if answer == "accept":
        commit = _propose.commit(top, proposal, made, into_git=wish.into_git)
        voice.say(f"  -> written{', commit ' + commit[:10] if commit else ''}\n")
    elif answer == "reject":
        state.write(top, REJECTED, sorted({*(state.read(top, REJECTED) or []), mark}))
        voice.say("  -> rejected, and not proposed again\n")
    else:
        waiting = {
            **(state.read(top, QUEUE) or {}),
            mark: {"file": str(voice.path.resolve()), "slug": candidate.rule.slug},
        }
        state.write(top, QUEUE, waiting)
        voice.say(f"  -> later: run rulec ingest {voice.path} again\n")
        return "later"
    waiting = state.read(top, QUEUE) or {}
    if waiting.pop(mark, None):
        state.write(top, QUEUE, waiting)
    return answer


def _clean(correction: Correction) -> Correction:
    """The correction without secrets in its words: slug, statement and parameters are made of them."""
    return replace(correction, quote=redact(correction.quote))


def _mark(candidate: Candidate) -> str:
    """What identifies a proposal on this machine, before it is anything in the rulebook."""
    said: Correction | None = candidate.correction
    what = [said.turn.session, said.turn.index, said.quote] if said else []
    return hashlib.sha256(json.dumps([*what, candidate.rule.statement]).encode()).hexdigest()[:16]


def _summary(human: int, found: list[Reading], damaged: list[Damage], tally: dict[str, int]) -> str:
    lines = []
    if damaged:
        first = damaged[0]
        lines.append(f"{len(damaged)} damaged lines were passed over (line {first.line}: {first.what})")
    durable = sum(reading.correction is not None for reading in found)
    counted = ", ".join(f"{tally[key]} {word}" for key, word in _WORDS.items())
    return "\n".join([*lines, f"{human} human turns, {durable} lasting corrections: {counted}"])


_WORDS = {"accept": "accepted", "reject": "rejected", "later": "left for later", "known": "known already"}
