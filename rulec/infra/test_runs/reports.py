"""What a runner says of its tests: JUnit XML, go test -json, TAP and Cargo's lines as cases with an outcome."""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
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
_LONGEST = 2_000  # characters of a name or of what went wrong


@dataclass(frozen=True, slots=True)
class TestCase:
    """One test that a runner tells of; ``error`` is one that broke before or after its own lines."""

    __test__ = False  # no class of tests

    group: str  # JUnit's classname, Go's package
    name: str
    outcome: CaseOutcome
    message: str = ""  # what went wrong, as the runner puts it
    file: str = ""

    @property
    def executed(self) -> bool:
        """Whether its own lines were run, as far as the report tells."""
        return self.outcome in ("passed", "failed")

    @property
    def key(self) -> tuple[str, str]:
        """What tells it from others."""
        return self.group, self.name


@dataclass(frozen=True, slots=True)
class TestCounts:
    """How many tests had which outcome; executed are those that passed or failed."""

    __test__ = False  # as above

    passed: int = 0
    failed: int = 0
    errors: int = 0
    skipped: int = 0
    deselected: int = 0

    @property
    def executed(self) -> int:
        """The tests that ran."""
        return self.passed + self.failed

    def __str__(self) -> str:
        """The counts that are not zero."""
        names = ("passed", "failed", "errors", "skipped", "deselected")
        told = [f"{number} {name}" for name in names if (number := getattr(self, name))]
        return ", ".join(told) or "no tests"


def count_cases(cases: Sequence[TestCase], out: str = "") -> TestCounts:
    """The counts of a report; how many tests pytest left out stands in its output alone."""
    number = dict.fromkeys(("passed", "failed", "error", "skipped"), 0)
    for case in cases:
        number[case.outcome] += 1
    told = re.findall(r"\b(\d{1,7}) deselected\b", out[-4_000:])
    return TestCounts(number["passed"], number["failed"], number["error"], number["skipped"], int((told or [0])[-1]))


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
        self._message = ""
        self._inside = False

    def read(self, data: bytes) -> None:
        """Read a whole report."""
        parser = expat.ParserCreate()
        parser.StartElementHandler = self._start
        parser.EndElementHandler = self._end
        parser.CharacterDataHandler = self._text
        parser.EntityDeclHandler = self._refuse
        parser.StartDoctypeDeclHandler = self._refuse
        parser.Parse(data, True)  # noqa: FBT003 - expat's own interface

    @staticmethod
    def _refuse(*_: object) -> None:
        raise ValueError("it declares entities")

    def _start(self, name: str, attributes: dict[str, str]) -> None:
        if name == "testcase":
            self._open, self._outcome, self._message = attributes, "passed", ""
        elif self._open is not None and name in self.OUTCOMES:
            worst = ("passed", "skipped", "failed", "error")
            found = self.OUTCOMES[name]
            self._outcome = max(self._outcome, found, key=worst.index)
            self._message = (self._message + attributes.get("message", ""))[:_LONGEST]
            self._inside = True

    def _text(self, text: str) -> None:
        if self._inside and len(self._message) < _LONGEST:
            self._message = (self._message + text)[:_LONGEST]

    def _end(self, name: str) -> None:
        if name in self.OUTCOMES:
            self._inside = False
        if name != "testcase" or self._open is None:
            return
        told = self._open
        self._open = None
        if len(self.cases) >= MOST_CASES:
            raise ValueError(f"it holds more than {MOST_CASES:,} tests")
        group, case = told.get("classname", "")[:_LONGEST], told.get("name", "")[:_LONGEST]
        self.cases.append(TestCase(group, case, self._outcome, self._message, told.get("file", "")[:_LONGEST]))


_GO: Mapping[str, CaseOutcome] = {"pass": "passed", "fail": "failed", "skip": "skipped"}


def read_go(out: str) -> list[TestCase]:
    """The cases of ``go test -json``; a package that does not build is an error of its own."""
    cases: list[TestCase] = []
    said: dict[tuple[str, str], str] = {}
    for line in out.splitlines():
        try:
            row = json.loads(line) if line.startswith("{") else None
        except (ValueError, RecursionError):
            continue
        if not isinstance(row, dict):
            continue
        key = str(row.get("Package") or row.get("ImportPath") or ""), str(row.get("Test") or "")
        action = row.get("Action")
        if action in ("output", "build-output"):
            said[key] = (said.get(key, "") + str(row.get("Output") or ""))[-_LONGEST:]
        elif key[1] and str(action) in _GO:
            cases.append(TestCase(*key, _GO[str(action)], said.get(key, "")))
        elif not key[1] and action == "fail" and not any(one.group == key[0] for one in cases):
            cases.append(TestCase(key[0], "", "error", said.get(key, "")))
    parents = {(one.group, one.name.rpartition("/")[0]) for one in cases if "/" in one.name}
    return [one for one in cases if one.key not in parents or one.outcome == "failed"]


_TAP = re.compile(
    r"^(?P<indent> *)(?P<not>not )?ok\b *\d* *(?:- *)?(?P<name>[^#\n]*)(?:# *(?P<how>skip|todo)\b.*)?", re.IGNORECASE
)


def read_tap(out: str) -> list[TestCase]:
    """The cases of the Test Anything Protocol; a line that sums up the ones before it is a case as well."""
    return list(_tap_cases(out))[:MOST_CASES]


def _tap_cases(out: str) -> Iterator[TestCase]:
    for line in out.splitlines():
        if found := _TAP.match(line[:_LONGEST]):
            left_out = bool(found["how"]) and (found["how"].upper() == "SKIP" or bool(found["not"]))
            outcome: CaseOutcome = "skipped" if left_out else "failed" if found["not"] else "passed"
            yield TestCase("", found["name"].strip(), outcome)


_CARGO = re.compile(r"^test (?P<name>\S.*?)(?: - should panic)? \.\.\. (?P<how>ok|FAILED|ignored)\b")
_CARGO_SUM = re.compile(r"^test result: \w+\. (\d+) passed; (\d+) failed; (\d+) ignored;.*")
_CARGO_OUTCOMES: Mapping[str, CaseOutcome] = {"ok": "passed", "FAILED": "failed", "ignored": "skipped"}


def read_cargo(out: str, err: str = "") -> list[TestCase]:
    """The cases of ``cargo test``; RulecError where its sums differ from its lines.

    A crate that does not compile is an error of its own.
    """
    lines = out.splitlines()
    found = [one for line in lines if (one := _CARGO.match(line[:_LONGEST]))]
    cases = [TestCase("", one["name"], _CARGO_OUTCOMES[one["how"]]) for one in found[:MOST_CASES]]
    sums = [list(map(int, one.groups())) for line in lines if (one := _CARGO_SUM.match(line))]
    told = [sum(column) for column in zip(*sums, strict=True)] or [0, 0, 0]
    counts = count_cases(cases)
    if told != [counts.passed, counts.failed, counts.skipped]:
        hint = "let the tests print nothing that looks like cargo's own lines, or use cargo nextest with report: junit"
        raise RulecError("the sums of cargo test differ from its lines", hint=hint)
    wrong = "\n".join(line for line in err.splitlines() if line.startswith("error"))
    return cases if cases or not wrong else [TestCase("", "", "error", wrong[:_LONGEST])]
