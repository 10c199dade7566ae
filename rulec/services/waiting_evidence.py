"""Observations that wait in the git directory, one file each, until a person or a tally decides on them."""

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from rulec.domain.evidence import Evidence, EvidenceKind
from rulec.errors import RulecError
from rulec.infra import state
from rulec.rulebook import evidence_file

MOST = 200  # of one sort that may wait; an agent that writes without end must not fill the disk


@dataclass(frozen=True, slots=True)
class WaitingEvidence:
    """A folder of local state with observations of one kind."""

    folder: str
    kind: EvidenceKind
    noun: str  # what a person calls them
    cure: str  # what to do when there are too many
    by_agents: bool = False  # each names the agent: what does not was written by somebody else, and is left alone

    def keep(self, top: Path, item: Evidence) -> None:
        """Save one; RulecError where too many wait already."""
        if len(state.state_names(top, self.folder)) >= MOST:
            raise RulecError(f"{MOST} {self.noun} already wait", hint=self.cure)
        state.write_state_text(top, self._place(item), state.dump_dataclass(item))

    def waiting(self, top: Path) -> list[Evidence]:
        """All of them, oldest first; damaged ones are left alone."""
        found = []
        for name in state.state_names(top, self.folder)[:MOST]:
            try:
                item = state.load_dataclass(Evidence, state.read_state_text(top, f"{self.folder}/{name}"))
            except (ValueError, RulecError):
                continue
            if isinstance(item, Evidence) and item.kind == self.kind and evidence_file.evidence_id(item) == name:
                found += [item] if item.agent or not self.by_agents else []
        return sorted(found, key=lambda item: (item.at, item.slug, item.quote))

    def drop(self, top: Path, items: Iterable[Evidence]) -> None:
        """Delete those that are decided."""
        for item in items:
            state.remove_state(top, self._place(item))

    def _place(self, item: Evidence) -> str:
        return f"{self.folder}/{evidence_file.evidence_id(item)}"


# What agents noted, until a person decides on what follows from it.
NOTES = WaitingEvidence("noted", "note", "notes", "let a person decide on them first: rulec evolve", by_agents=True)
# What was said to be wrong of rules, until the next tally.
DISPUTES = WaitingEvidence("disputed", "counterexample", "disputes", "run rulec tally first")
