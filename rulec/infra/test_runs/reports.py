"""What a runner says of its tests, as JUnit XML: cases with an outcome, and how many there are of each."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Literal
from xml.parsers import expat

from rulec.checkout import private_files
from rulec.errors import RulecError

CaseOutcome = Literal["passed", "failed", "error", "skipped"]
LARGEST = 64 * 2**20  # bytes of a report
MOST_CASES = 200_000
_LONGEST = 2_000  # characters of a name


@dataclass(frozen=True, slots=True)
class TestCase:
    """One test that a runner tells of; ``error`` is one that broke before or after its own lines."""

    __test__ = False  # no class of tests

    group: str  # JUnit's classname
    name: str
    outcome: CaseOutcome

    @property
    def executed(self) -> bool:
        """Whether its own lines were run, as far as the report tells."""
        return self.outcome in ("passed", "failed")


def describe_counts(cases: Sequence[TestCase]) -> str:
    """How many tests had which outcome, of those that are not zero."""
    number = Counter(case.outcome for case in cases)
    told = [f"{number[name]} {name}" for name in ("passed", "failed", "error", "skipped") if number[name]]
    return ", ".join(told) or "no tests"


def read_junit(path: Path) -> list[TestCase]:
    """The cases of a JUnit report; RulecError where there is none that can be read."""
    data = private_files.read_file(str(path), LARGEST)
    if data is None:
        hint = "it may have ended before it wrote one; see the end of its output"
        raise RulecError("the runner wrote no report, or one that is too large", where=str(path), hint=hint)
    reader = _JunitReader()
    try:
        reader.read(data)
    except (expat.ExpatError, ValueError) as error:
        hint = "see what the runner writes there"
        raise RulecError(f"the runner's report cannot be read: {error}", where=str(path), hint=hint) from None
    return reader.cases


class _JunitReader:
    """Reads the elements of JUnit XML; entities of its own are refused, since they can stand for gigabytes."""

    OUTCOMES: Mapping[str, CaseOutcome] = MappingProxyType(
        {"failure": "failed", "error": "error", "skipped": "skipped"}
    )

    def __init__(self) -> None:
        self.cases: list[TestCase] = []
        self._open: dict[str, str] | None = None
        self._outcome: CaseOutcome = "passed"

    def read(self, data: bytes) -> None:
        """Read a whole report."""
        parser = expat.ParserCreate()
        parser.StartElementHandler = self._start
        parser.EndElementHandler = self._end
        parser.EntityDeclHandler = self._refuse
        parser.StartDoctypeDeclHandler = self._refuse
        parser.Parse(data, True)  # noqa: FBT003 - expat's own interface

    @staticmethod
    def _refuse(*_: object) -> None:
        raise ValueError("it declares entities")

    def _start(self, name: str, attributes: dict[str, str]) -> None:
        if name == "testcase":
            self._open, self._outcome = attributes, "passed"
        elif self._open is not None and name in self.OUTCOMES:
            worst = ("passed", "skipped", "failed", "error")
            self._outcome = max(self._outcome, self.OUTCOMES[name], key=worst.index)

    def _end(self, name: str) -> None:
        if name != "testcase" or self._open is None:
            return
        if len(self.cases) >= MOST_CASES:
            raise ValueError(f"it holds more than {MOST_CASES:,} tests")
        told, self._open = self._open, None
        self.cases.append(
            TestCase(told.get("classname", "")[:_LONGEST], told.get("name", "")[:_LONGEST], self._outcome)
        )
