"""What a check saw, and what the gate made of it."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal, get_args

from rulec.domain.artifact import RuleFacts
from rulec.domain.enforcement import ENFORCEMENTS, Enforcement

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


@dataclass(frozen=True, slots=True, kw_only=True)
class Weakening:
    """What exactly is weaker afterwards, and where that stands; ``line`` 0 means the whole file."""

    subject: str  # what it is about, the same however far it goes: "use-pnpm enforcement"
    text: str  # "use-pnpm: block -> warn"
    path: str
    line: int = 0
    in_place: bool = False  # an exception in a comment beside the code, with its reason and its last day


Outcome = Literal[Enforcement, "excepted", "old"]
OUTCOMES = (*reversed(ENFORCEMENTS), "excepted", "old")  # the gravest first


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """A check saw something at a place; ``line`` 0 means the whole file, ``path`` "" the command or message."""

    slug: str
    path: str = ""
    line: int = 0
    last: int = 0  # its last line, where it spans several
    text: str = ""  # what stands there, one line
    cure: str = ""  # what to do instead, where the check can say it better than the rule
    sure: bool = True  # else it acts at most as the rule's on_unsure says
    by: str = ""  # the model that judged it, "" where a machine checked it


@dataclass(frozen=True, slots=True, kw_only=True)
class Fault:
    """A check that broke: an error of the rule, never a pass."""

    slug: str
    what: str
    path: str = ""  # the one file that it broke on
    overrun: bool = False  # it broke on size: the file, or what there was to find in it, was too much
    unheard: bool = False  # no model judged it, which is counted by itself


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """A finding or fault and its outcome."""

    outcome: Outcome
    facts: RuleFacts
    finding: Finding | None = None
    fault: Fault | None = None
    lost: str = ""  # to which rule, which asks for the very thing and goes before, and why it does
    because: str = ""  # it was excepted, or is not although somebody meant to: who said so and until when


def gravest_first(verdicts: Iterable[Verdict]) -> list[Verdict]:
    """Verdicts as reports list them: those that block first, those of one rule together."""
    return sorted(verdicts, key=lambda verdict: (OUTCOMES.index(verdict.outcome), verdict.facts.slug))


def in_order(rows: Sequence[ProofRow]) -> list[ProofRow]:
    """The rows: what is not proved first, then by rule."""
    return sorted(dict.fromkeys(rows), key=lambda row: (HOW.index(row.how), row.rule))
