"""What people dispute, until it is tallied: one file each in the git directory, every word redacted."""

from collections.abc import Iterable
from pathlib import Path

from rulec import evidencefile
from rulec.commands import _stored
from rulec.errors import RulecError
from rulec.host import state
from rulec.model.evidence import Evidence

FOLDER = "disputed"
MOST = 200  # that may wait


def put(top: Path, item: Evidence) -> None:
    """Let a counterexample wait for the next tally."""
    if len(state.names(top, FOLDER)) >= MOST:
        raise RulecError(f"{MOST} disputes wait already", hint="fold them first: rulec tally")
    state.write_text(top, f"{FOLDER}/{evidencefile.identity(item)}", _stored.dumps(item))


def waiting(top: Path) -> list[Evidence]:
    """All that wait, the oldest first; what is not as it was written is left alone."""
    found = []
    for name in state.names(top, FOLDER)[:MOST]:
        try:
            item = _stored.loads(Evidence, state.text(top, f"{FOLDER}/{name}"))
        except (ValueError, RulecError):
            continue
        if isinstance(item, Evidence) and item.kind == "counterexample" and evidencefile.identity(item) == name:
            found.append(item)
    return sorted(found, key=lambda item: (item.at, item.slug, item.quote))


def drop(top: Path, items: Iterable[Evidence]) -> None:
    """They are evidence now."""
    for item in items:
        state.remove(top, f"{FOLDER}/{evidencefile.identity(item)}")
