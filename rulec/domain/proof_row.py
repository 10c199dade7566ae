"""One line of the table of proofs: a rule that a change touches, and whether and how it is proved."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, get_args

CHECKED, TESTED, JUDGED = "checked", "tested", "judged"  # what can be made anew from the change alone
NOT_RECOMPUTED = "not recomputed"  # only a person could approve it, and CI believes no record
NOT_PROVED = "not proved"
PROVED = (CHECKED, TESTED, JUDGED)
HOW = (NOT_PROVED, NOT_RECOMPUTED, *PROVED)  # as tables list them
RunTests = Literal["here", "elsewhere", "alone"]  # where a check runs suites of tests; alone: it does nothing else
RUNS: tuple[RunTests, ...] = get_args(RunTests)


@dataclass(frozen=True, slots=True, kw_only=True)
class ProofRow:
    """One rule."""

    rule: str
    level: str
    how: str  # one of HOW
    by: str = ""  # which suite, or why it is not proved


def in_order(rows: Sequence[ProofRow]) -> list[ProofRow]:
    """The rows: what is not proved first, then by rule."""
    return sorted(dict.fromkeys(rows), key=lambda row: (HOW.index(row.how), row.rule))
