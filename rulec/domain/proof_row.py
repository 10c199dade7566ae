"""One line of the table of proofs: a rule at a step of a change, and whether and how it is proved."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, get_args

CHECKED, TESTED, JUDGED = "checked", "tested", "judged"  # classes of proof that can be made anew from the change alone
NOT_RECOMPUTED = "not recomputed"  # only somebody's word could prove it, and that is not believed here
NOT_PROVED = "not proved"
PROVED = (CHECKED, TESTED, JUDGED)
HOW = (NOT_PROVED, NOT_RECOMPUTED, *PROVED)  # as tables list them
RunTests = Literal["here", "elsewhere", "alone"]  # where a check runs suites of tests; alone: it does nothing else
RUNS: tuple[RunTests, ...] = get_args(RunTests)


@dataclass(frozen=True, slots=True, kw_only=True)
class ProofRow:
    """One rule at one step; the step is a label alone, such as the subject of a commit, and decides nothing."""

    rule: str
    level: str
    step: str
    how: str  # one of HOW
    by: str = ""  # which test, or why it is not proved


def in_order(rows: Sequence[ProofRow]) -> list[ProofRow]:
    """The rows without doubles: what is not proved first, then by rule; steps in the order in which they came."""
    return sorted(dict.fromkeys(rows), key=lambda row: (HOW.index(row.how), row.rule))
