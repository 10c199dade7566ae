"""``rulec ingest``: transcripts -> corrections -> proposals -> what a person accepts, one commit each."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from rulec import registry
from rulec.commands import _decide, _find, _onto, _queue, _session
from rulec.commands._decide import Decided, Say, Wish
from rulec.commands._find import Found
from rulec.commands._lines import told
from rulec.commands._outcome import Outcome
from rulec.commands._past import Glance, glance
from rulec.commands._waiting import Waiting, mark, members
from rulec.host import journal, state, transcripts
from rulec.model.candidate import Candidate
from rulec.model.transcript import Damage
from rulec.redact import redact
from rulec.stages.extract import extract

READ = "read"


def dry(source: str, reader_name: str, complain: Say, *, whole: bool) -> Iterator[dict[str, Any]]:
    """One object for each human turn, as the scorer of detection reads them; nothing is written.

    A program gets the ``whole`` text, by which it knows the turn again; a person's screen gets it redacted.
    """
    path = transcripts.source(source)
    for item in _session.readings(path, _session.reader_of(path, reader_name)):
        if isinstance(item, Damage):
            complain(f"{source}:{item.line}: {item.what}; passed over")
            continue
        found = list(extract(_find.clean(item.correction), registry.fits())) if item.correction else []
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
    checks = [told(check) for draft in candidate.drafts[:1] for check in draft.checks]
    return {"slug": candidate.rule.slug, "statement": candidate.rule.statement, "checks": checks}


def run(top: Path, source: str, reader_name: str, wish: Wish, say: Say) -> Outcome:
    """Read a transcript, ask about each proposal, write what is accepted."""
    path = transcripts.source(source)
    with _writing(top, wish):
        found = _find.find(top, [path], reader_name, wish.progress, strict=True)
        done, look = [Decided("known")] * found.known, glance(top)
        for item in found.items:
            done += _answer(top, item, wish, say, look)
    return _outcome(top, found, done, wish)


def everything(top: Path, wish: Wish, say: Say) -> Outcome:
    """Read every transcript of this repository that is new or has grown since, and ask about each preference once."""
    read: dict[str, list[int]] = state.read(top, READ) or {}
    stamps = {path: transcripts.stamp(path) for path in _session.kept(top)}
    fresh = [path for path in stamps if read.get(str(path)) != stamps[path]]
    if not fresh:
        return Outcome("no new transcripts of this repository; name one: rulec ingest TRANSCRIPT")
    total, look = Found(), glance(top)
    done: list[Decided] = []
    with _writing(top, wish):
        while fresh:
            found = _find.find(top, fresh, "", wish.progress, strict=False)
            fresh = fresh[len(found.read) :]
            total.add(found)
            done += [Decided("known")] * found.known
            waiting = Counter(path for item in found.items for path in _files(found, item))
            _note(top, read, stamps, (path for path in found.read if not waiting[path]))
            for item in found.items:
                done += _answer(top, item, wish, say, look)
                waiting.subtract(_files(found, item))
                _note(top, read, stamps, (path for path in _files(found, item) if not waiting[path]))
    return _outcome(top, total, done, wish)


@contextmanager
def _writing(top: Path, wish: Wish) -> Iterator[None]:
    with journal.lock(top):
        _onto.load(top, wish.onto)
        if wish.asks:
            _onto.ready(top, wish.onto)
        yield


def _answer(top: Path, item: Waiting, wish: Wish, say: Say, look: Glance) -> list[Decided]:
    if wish.asks:
        return _decide.decide(top, item, wish, say, look)
    _queue.put(top, item)
    return [Decided("later")]


def _files(found: Found, item: Waiting) -> set[Path]:
    return {path for one in members(item.candidate) for path in found.where[mark(one)]}


def _note(top: Path, read: dict[str, list[int]], stamps: dict[Path, list[int]], paths: Iterable[Path]) -> None:
    """A transcript counts as read once all that it holds is decided: until then Ctrl-C must not lose it."""
    read.update({str(path): stamps[path] for path in paths})
    state.write(top, READ, read)


def _outcome(top: Path, found: Found, done: Sequence[Decided], wish: Wish) -> Outcome:
    tally = Counter(one.answer for one in done)
    lines = [found.summary(tally)]
    if tally["later"]:
        nobody = "nobody is here to ask, so " if not wish.asks else ""
        wait = "1 proposal waits" if tally["later"] == 1 else f"{tally['later']} proposals wait"
        lines.append(f"{nobody}{wait} for you and nothing of it is active: rulec review")
        lines += [f"  {one.proposal.resolution.line()} ({one.doubt})" for one in done if one.doubt and one.proposal]
    lines.append(_onto.push(top, wish.onto))
    counts = {key: tally[key] for key in ("accept", "reject", "later", "known")}
    told = [one.data for one in done if one.proposal]
    return Outcome("\n".join(filter(None, lines)), data={**counts, "proposals": told})
