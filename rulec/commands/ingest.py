"""``rulec ingest``: transcripts -> corrections -> proposals -> what a person accepts, one commit each."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import replace
from pathlib import Path
from typing import Any

from rulec.commands import _continue, _decide, _find, _mined, _onto, _queue, _session
from rulec.commands._continue import Run
from rulec.commands._decide import Decided, Say, Wish
from rulec.commands._drafter import drafter
from rulec.commands._find import Found
from rulec.commands._lines import told
from rulec.commands._mined import Mining, Said
from rulec.commands._outcome import Outcome
from rulec.commands._past import Glance, glance
from rulec.commands._propose import Ruling
from rulec.commands._settled import Settled, settled
from rulec.commands._voiced import Voiced, voiced
from rulec.commands._waiting import Waiting, mark, members
from rulec.host import journal, state, transcripts
from rulec.model.candidate import Candidate
from rulec.model.correction import Reading
from rulec.model.transcript import Damage
from rulec.redact import redact

READ = "read"


def dry(
    source: str, reader_name: str, complain: Say, *, whole: bool, top: Path | None = None, wish: Wish | None = None
) -> Iterator[dict[str, Any]]:
    """One object for each human turn, as the scorer of detection reads them; nothing is written.

    A program gets the ``whole`` text, by which it knows the turn again; a person's screen gets it redacted. With a
    ``wish`` the backend that it names is asked.
    """
    path, drafting = transcripts.source(source), drafter(top)
    reader = _session.reader_of(path, reader_name)
    run = Run(transcript=source, reader=reader_name, dry=True)
    asking = _mined.mining(top, run, wish, complain, journal.lock(top)) if top and wish else nullcontext()
    with asking as mining:
        if mining:
            mining.ask([path], reader_name)
        said = mining.said(path, reader) if mining else Said()
        for item in _session.readings(path, reader, drafting):
            if isinstance(item, Damage):
                complain(f"{source}:{item.line}: {item.what}; passed over")
            else:
                yield _turn(item, path, voiced(item, said, drafting), whole=whole)
        for line in filter(None, [_mined.words(said.told), *(mining.closing() if mining else ())]):
            complain(line)


def _turn(item: Reading, path: Path, one: Voiced, *, whole: bool) -> dict[str, Any]:
    return {
        "transcript": item.turn.session or path.stem,
        "turn": item.turn.index,
        "speaker": item.turn.role,
        "text": item.turn.text if whole else redact(item.turn.text),
        "label": one.label,
        "band": one.band,
        "score": one.score,
        "reasons": list(one.reasons),
        "candidates": [_candidate(candidate) for _, found in one.wishes for candidate in found],
    }


def _candidate(candidate: Candidate) -> dict[str, Any]:
    checks = [told(check) for draft in candidate.drafts[:1] for check in draft.checks]
    return {"slug": candidate.rule.slug, "statement": candidate.rule.statement, "checks": checks}


def run(top: Path, source: str, reader_name: str, wish: Wish, say: Say) -> Outcome:
    """Read a transcript, ask about each proposal, write what is accepted."""
    path = transcripts.source(source)
    run = Run(transcript=source, reader=reader_name)
    with _mined.mining(top, run, wish, say, _writing(top, wish)) as mining:
        if mining:
            mining.ask([path], reader_name)
        with _deciding(top, wish, mining):
            found = _find.find(top, [path], reader_name, wish.progress, strict=True, mining=mining)
            done, look = [Decided("known")] * found.known, glance(top)
            ready = _settle(top, found, wish, mining)
            for item in ready.items:
                done += _answer(top, item, wish, say, look=look, ruling=ready.ruling)
        return _outcome(top, found, done, wish, mining)


def everything(top: Path, wish: Wish, say: Say) -> Outcome:
    """Read every transcript of this repository that is new or has grown since, and ask about each preference once."""
    read: dict[str, list[int]] = state.read(top, READ) or {}
    with _mined.mining(top, Run(), wish, say, _writing(top, wish)) as mining:
        stamps = _stamps(top, mining)
        fresh = [path for path, stamp in stamps.items() if read.get(str(path), [])[: len(stamp)] != stamp]
        if not fresh:
            return _nothing_new(top, mining)
        if mining:
            mining.ask(fresh, "")
        total, look = Found(), glance(top)
        done: list[Decided] = []
        with _deciding(top, wish, mining):
            while fresh:
                found = _find.find(top, fresh, "", wish.progress, strict=False, mining=mining)
                fresh = fresh[len(found.read) :]
                ready = _settle(top, found, wish, mining)
                total.add(found)
                done += [Decided("known")] * found.known
                waiting = Counter(found.left)
                waiting.update(path for item in ready.items for path in _files(found, item))
                _note(top, read, stamps, (path for path in found.read if not waiting[path]))
                for item in ready.items:
                    done += _answer(top, item, wish, say, look=look, ruling=ready.ruling)
                    waiting.subtract(_files(found, item))
                    _note(top, read, stamps, (path for path in _files(found, item) if not waiting[path]))
        return _outcome(top, total, done, wish, mining)


def _stamps(top: Path, mining: Mining | None) -> dict[Path, list[int]]:
    """What changes when a transcript is to be read again: it grew, or a model reads with us what we read alone."""
    by_model = [1] if mining else []
    return {path: [*transcripts.stamp(path), *by_model] for path in _session.kept(top)}


def _nothing_new(top: Path, mining: Mining | None) -> Outcome:
    """What to say where there is nothing to read; questions about transcripts that are gone go, too."""
    lines = ["no new transcripts of this repository; name one: rulec ingest TRANSCRIPT"]
    if mining:
        waited = _continue.waiting(top, _continue.STEPS)
        lines += mining.closing()
        if gone := waited - _continue.waiting(top, _continue.STEPS):
            what = "1 question is" if gone == 1 else f"{gone} questions are"
            lines.append(f"{what} taken back: what was asked about is gone, or decided")
    return Outcome("\n".join(filter(None, lines)))


def _deciding(top: Path, wish: Wish, mining: Mining | None) -> AbstractContextManager[None]:
    """While something is decided nobody else writes; a run by files has seen to that from its beginning."""
    return nullcontext() if mining and mining.talk.waits else _writing(top, wish)


@contextmanager
def _writing(top: Path, wish: Wish) -> Iterator[None]:
    with journal.lock(top):
        _onto.load(top, wish.onto)
        if wish.asks:
            _onto.ready(top, wish.onto)
        yield


def _settle(top: Path, found: Found, wish: Wish, mining: Mining | None) -> Settled:
    """What of it is decided now; whatever else it needs a model for is not read yet."""
    ready = settled(top, _onto.load(top, wish.onto), found.items, mining)
    found.left |= {path for item in ready.held for path in _files(found, item)}
    found.held += len(ready.held)
    found.complaints += ready.told
    return ready


def _answer(top: Path, item: Waiting, wish: Wish, say: Say, *, look: Glance, ruling: Ruling) -> list[Decided]:
    if wish.asks:
        return _decide.decide(top, item, wish, say, look, ruling=ruling)
    _queue.put(top, replace(item, pinned=wish.pinned))
    return [Decided("later")]


def _files(found: Found, item: Waiting) -> set[Path]:
    return {path for one in members(item.candidate) for path in found.where.get(mark(one), ())}


def _note(top: Path, read: dict[str, list[int]], stamps: dict[Path, list[int]], paths: Iterable[Path]) -> None:
    """A transcript counts as read once all that it holds is decided: until then Ctrl-C must not lose it."""
    read.update({str(path): stamps[path] for path in paths})
    state.write(top, READ, read)


def _outcome(top: Path, found: Found, done: Sequence[Decided], wish: Wish, mining: Mining | None) -> Outcome:
    tally = Counter(one.answer for one in done)
    lines = [found.summary(tally)]
    if tally["later"]:
        nobody = "nobody is here to ask, so " if not wish.asks else ""
        wait = "1 proposal waits" if tally["later"] == 1 else f"{tally['later']} proposals wait"
        lines.append(f"{nobody}{wait} for you and nothing of it is active: rulec review")
        lines += [f"  {one.proposal.resolution.line()} ({one.doubt})" for one in done if one.doubt and one.proposal]
    lines.append(_onto.push(top, wish.onto))
    ending = list(filter(None, mining.closing())) if mining else []
    lines += ending if mining or wish.offline or found.unread else [_mined.OFFLINE]  # of these a line says it already
    counts = {key: tally[key] for key in ("accept", "reject", "later", "known")}
    told = [one.data for one in done if one.proposal]
    waits = {"turns_left": found.waits, "held": found.held, "model": ending} if mining else {}
    return Outcome("\n".join(filter(None, lines)), data={**counts, **waits, "proposals": told})
