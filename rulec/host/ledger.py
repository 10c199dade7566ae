"""What gates saw on this machine: read back from the lines that they note in the git folder."""

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from rulec.host import journal
from rulec.model.finding import Verdict
from rulec.runtime import ledger


@dataclass(frozen=True, slots=True, kw_only=True)
class Noted:
    """One finding at one gate."""

    slug: str
    at: str
    event: str  # ask, done, stop, or commit
    agent: str
    outcome: str
    of: str  # a path, or the name of a program: never more of what was seen


def noted(top: Path, slug: str) -> list[Noted]:
    """What is noted of one rule, the oldest first; lines that nobody can read are passed over."""
    return [one for one in _all(top) if one.slug == slug]


def _all(top: Path) -> Iterator[Noted]:
    try:
        lines = (journal.state_dir(top) / ledger.NAME).read_bytes().splitlines()
    except FileNotFoundError:
        return
    yield from (one for line in lines if (one := _read(line)))


def last(top: Path) -> dict[str, str]:
    """When each rule last fired here."""
    return {one.slug: one.at for one in _all(top)}


def _read(line: bytes) -> Noted | None:
    try:
        data = json.loads(line)
        return Noted(**{key: str(data[key]) for key in Noted.__dataclass_fields__})
    except (ValueError, KeyError, TypeError, RecursionError):
        return None


def note(top: Path, event: str, verdicts: Sequence[Verdict]) -> None:
    """Note what a gate of ours said, in the form of the runtime's own notes."""
    ledger.add(str(top), list(_lines(event, verdicts)))


def _lines(event: str, verdicts: Sequence[Verdict]) -> Iterator[dict[str, object]]:
    for verdict in verdicts:
        finding = verdict.finding
        if finding is not None and verdict.outcome != "old":
            yield {
                "event": event, "agent": "", "slug": verdict.facts.slug, "outcome": verdict.outcome,
                "kind": "file" if finding.path else "message", "unsure": False,
                "of": finding.path[: ledger.LONGEST], "digest": ledger.digest(finding.text),
            }  # fmt: skip
