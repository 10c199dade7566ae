"""A transcript file -> turns, readings, and the session around one correction."""

import hashlib
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from rulec import registry
from rulec.errors import RulecError
from rulec.host import transcripts
from rulec.model.correction import Correction, Reading
from rulec.model.transcript import Action, Damage, Turn
from rulec.ports import Reader
from rulec.stages.detect import detect
from rulec.stages.verify import Session

LATER = 500  # actions of the rest of a session that a replay looks at


def reader_of(path: Path, name: str = "") -> Reader:
    """The reader that a person named, or the one that recognises the file."""
    known = registry.readers()
    start = transcripts.head(path)
    if name:
        if name not in known:
            raise RulecError(f"no reader {name!r}", hint=f"known are {', '.join(known)}")
        return known[name]
    found = next((reader for reader in known.values() if reader.recognises(start)), None)
    if found is None:
        formats = ", ".join(known)
        raise RulecError(
            "is in no format that rulec reads", where=str(path), hint=f"it reads {formats}; force one with --reader"
        )
    return found


def turns(path: Path, reader: Reader) -> Iterator[Turn | Damage]:
    """The turns of a file, streamed; a session without an id is named after its beginning."""
    name = "head-" + hashlib.sha256(transcripts.head(path)).hexdigest()[:12]
    for item in reader.read(transcripts.lines(path)):
        yield item if isinstance(item, Damage) or item.session else replace(item, session=name)


def readings(path: Path, reader: Reader) -> Iterator[Reading | Damage]:
    """What detect makes of every human turn."""
    return detect(turns(path, reader))


def around(path: Path, reader: Reader, correction: Correction, corrected: frozenset[int]) -> Session:
    """The session as replay needs it: later actions count as accepted where no correction follows them."""
    later: list[Action] = []
    pending: tuple[Action, ...] = ()
    seen = False  # the stretch right after the correction is its own part
    for turn in turns(path, reader):
        if isinstance(turn, Damage) or turn.index <= correction.turn.index:
            continue
        if turn.role == "agent":
            pending = tuple(turn.actions) if seen else ()
            seen = True
        elif turn.index not in corrected:
            later += [action for action in pending if not action.rejected and action.ok is not False]
            pending = ()
        if len(later) >= LATER:
            break
    later += [action for action in pending if not action.rejected and action.ok is not False]
    after = tuple(a for a in correction.after if not a.rejected and a.ok is not False)
    return Session(before=correction.before, after=after, later=tuple(later[:LATER]))
