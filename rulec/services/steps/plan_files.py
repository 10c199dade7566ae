"""The files that the state of open plans depends on, and when each was last written."""

from pathlib import Path

from rulec.checkout.worktree import PLANS, state_directory
from rulec.steps import plan_store
from rulec.steps.proofs import claimed_files, proof_store, run_records

Stamp = tuple[str, int, int]


def file_stamp(path: Path) -> Stamp:
    """What changes when a file is written: its time and size; zeros where there is none."""
    try:
        found = path.stat()
    except (OSError, ValueError):
        return str(path), 0, 0
    return str(path), found.st_mtime_ns, found.st_size


class PlanFiles:
    """The files of the plans of a work tree; which transcripts they name is read again when a plan changes."""

    def __init__(self, top: Path) -> None:
        self._top = top
        self._own = Path(state_directory(str(top)))
        self._plans: tuple[Stamp, ...] = ()
        self._transcripts: list[Path] = []

    def stamps(self) -> tuple[Stamp, ...]:
        """Of plans, proofs, decisions and runs."""
        names = (proof_store.NAME, proof_store.DECISIONS, claimed_files.PASSES, run_records.NAME)
        plans = tuple(map(file_stamp, sorted(self._own.joinpath(PLANS).glob("*.json"))))
        return *(file_stamp(self._own / name) for name in names), *plans

    def transcript_stamps(self) -> tuple[Stamp, ...]:
        """Of the transcripts of the sessions that work by a plan."""
        plans = tuple(map(file_stamp, sorted(self._own.joinpath(PLANS).glob("*.json"))))
        if plans != self._plans:
            self._plans = plans
            named = [plan.transcript for plan in plan_store.open_plans(str(self._top))]
            self._transcripts = [Path(name) for name in named if name]
        return tuple(map(file_stamp, self._transcripts))
