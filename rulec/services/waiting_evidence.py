"""Notes of agents that wait in the git directory, one file each, until a person decides on what follows from them."""

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from rulec.domain.evidence import Evidence
from rulec.errors import RulecError
from rulec.infra import state
from rulec.rulebook import evidence_file

MOST = 200  # that may wait; an agent that writes without end must not fill the disk


@dataclass(frozen=True, slots=True)
class WaitingNotes:
    """A folder of local state with notes that each name the agent: what does not was written by somebody else."""

    folder: str

    def keep(self, top: Path, item: Evidence) -> None:
        """Save one; RulecError where too many wait already."""
        if len(state.state_names(top, self.folder)) >= MOST:
            raise RulecError(f"{MOST} notes already wait", hint="let a person decide on them first: rulec evolve")
        state.write_state_text(top, self._place(item), state.dump_dataclass(item))

    def waiting(self, top: Path) -> list[Evidence]:
        """All of them, oldest first; damaged ones are left alone."""
        found = []
        for name in state.state_names(top, self.folder)[:MOST]:
            try:
                item = state.load_dataclass(Evidence, state.read_state_text(top, f"{self.folder}/{name}"))
            except (ValueError, RulecError):
                continue
            if isinstance(item, Evidence) and item.kind == "note" and evidence_file.evidence_id(item) == name:
                found += [item] if item.agent else []
        return sorted(found, key=lambda item: (item.at, item.slug, item.quote))

    def drop(self, top: Path, items: Iterable[Evidence]) -> None:
        """Delete those that are decided."""
        for item in items:
            state.remove_state(top, self._place(item))

    def _place(self, item: Evidence) -> str:
        return f"{self.folder}/{evidence_file.evidence_id(item)}"


NOTES = WaitingNotes("noted")
