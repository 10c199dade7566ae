"""What changed in a clone since the last look: lines of the ledger, the queue, plans, rules; told by cheap looks."""

import os
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

from rulec.checkout.head import head_commit
from rulec.checkout.worktree import shared_state_directory
from rulec.domain.text.redaction import redact
from rulec.infra import clock
from rulec.services.changes.ledger_tail import LedgerTail
from rulec.services.plans.show import Stamp, file_stamp, plan_stamps

Topic = Literal["ledger", "queue", "plan", "rules"]
RULES = ".rules"
# Folders of local state in which something waits for a person, and what they rejected of it.
WAITING = ("queue", "rejected", "noted", "no-revision")
COUNTED = ("counted.json", "counting.json")  # with them the counts of the ledger change
A_SECOND = 1.0  # between two looks at every file of the rulebook
# A file system's clock ticks this seldom: what was written within it may be written again at the same time.
TICK = 20_000_000  # nanoseconds


@dataclass(frozen=True, slots=True)
class CloneChange:
    """Something that changed; of a line of the ledger what it says."""

    topic: Topic
    data: dict[str, Any] = field(default_factory=dict)


class ChangeWatch:
    """Remembers what a clone looked like, and tells what changed since."""

    def __init__(self, top: Path) -> None:
        self._top = top
        self._state = Path(shared_state_directory(str(top)))
        self._ledger = LedgerTail(top)
        self._seen: dict[str, tuple[object, ...]] = {}
        self._next = {"files": 0.0}
        list(self._changed())

    def look(self) -> list[CloneChange]:
        """What changed since the last look, the ledger's lines in their order."""
        lines = [
            CloneChange(
                "ledger",
                {
                    "id": one.id,
                    "at": one.at,
                    "gate": one.event,
                    "rule": one.slug,
                    "outcome": one.outcome,
                    "agent": one.agent,
                    "of": redact(one.of),
                    "times": one.times,
                },
            )
            for one in self._ledger.new_entries()
        ]
        told = dict.fromkeys(self._changed())
        return [*lines, *(CloneChange(topic) for topic in told if not (topic == "ledger" and lines))]

    def close(self) -> None:
        """Close the files that it holds open."""
        self._ledger.close()

    def _changed(self) -> Iterator[Topic]:
        now, root = clock.epoch_seconds(), str(self._top)
        if self._differs("counted", (file_stamp(self._state / name) for name in COUNTED)):
            yield "ledger"
        if self._differs("queue", (file_stamp(self._state / name) for name in WAITING)):
            yield "queue"
        if self._differs("plans", plan_stamps(self._top)):
            yield "plan"
        if self._differs("head", [(head_commit(root), 0, 0)]):
            yield "rules"
        if self._differs("rules", (file_stamp(folder) for folder in _folders(self._top / RULES))):
            yield "rules"
        if now >= self._next["files"]:
            self._next["files"] = now + A_SECOND
            if self._differs("files", _files(self._top / RULES)):  # an editor may write into a file that is there
                yield "rules"

    def _differs(self, name: str, stamps: Iterable[Stamp]) -> bool:
        """Whether something differs from the last look; what was written just now is told again with the next one."""
        now = tuple(stamps)
        young = max((at for _, at, _ in now), default=0) > clock.epoch_seconds() * 1e9 - TICK
        before, self._seen[name] = self._seen.get(name), (now, young)
        return before is not None and before != (now, False)


def _folders(place: Path) -> list[Path]:
    """The folders that change when a file of the rulebook is replaced, as rulec does."""
    return [place, *(place / name for name in ("archive", "evidence", "templates", "compiled", "extends"))]


def _files(place: Path) -> Iterator[Stamp]:
    """The files of rules, and the folders of their evidence."""
    for folder in (place, place / "evidence", place / "templates"):
        try:
            found = sorted(os.scandir(folder), key=lambda one: one.name)
        except OSError:
            continue
        yield from (file_stamp(Path(one.path)) for one in found)
