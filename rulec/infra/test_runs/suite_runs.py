"""Runs a suite just as the settings say it, and tells what came of it: green, or red and why."""

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from rulec.domain.text.one_line import to_one_line
from rulec.domain.text.redaction import redact
from rulec.errors import RulecError
from rulec.infra.git import git_contents
from rulec.infra.test_runs import reports
from rulec.infra.test_runs.reports import TestCase, TestCounts, count_cases
from rulec.infra.test_runs.run_folders import run_folder
from rulec.infra.test_runs.suite_process import ProcessEnd, run_bounded
from rulec.infra.test_runs.suite_programs import clean_environment, find_program
from rulec.rulebook import config, file_paths
from rulec.rulebook.test_suites import NODE_PLACE, REPORT_PLACE, Suite, find_suite

LONGEST_TAIL = 4_000  # characters of the output that are kept
_MOST_NODES = 1_000
_ODD = re.compile(r"[\x00-\x1f\x7f]")
_CONTROL = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]|[\x00-\x08\x0b-\x1f\x7f]")
_CACHE_OF_COPIES = ("-p", "no:cacheprovider")


@dataclass(frozen=True, slots=True, kw_only=True)
class SuiteRun:
    """One run of a suite: its exit code (None after the time limit), its cases and counts, and why it is not green."""

    suite: Suite
    nodes: tuple[str, ...]
    code: int | None
    cases: tuple[TestCase, ...]
    counts: TestCounts
    seconds: float
    tail: str  # the end of its output, redacted
    why: str = ""  # "" where it is green

    @property
    def green(self) -> bool:
        """Whether it ended well, and some test ran."""
        return not self.why

    @property
    def summary(self) -> str:
        """The outcome in a line."""
        exit_code = "ended after its time" if self.code is None else f"exit {self.code}"
        counts = str(self.counts) if self.suite.counts else "how many tests ran is unknown"
        return f"{counts}, {exit_code}, {self.seconds:.1f} s"

    def cases_of(self, node: str) -> list[TestCase]:
        """The cases that a named test stands for."""
        return [case for case in self.cases if is_case_of(node, case)]


def suite_at(top: Path, name: str, revision: str = "HEAD") -> Suite:
    """A suite as a commit's settings have it; those of the work tree may be anybody's."""
    return find_suite(suites_at(top, revision), name, f"{file_paths.CONFIG} of {revision[:12]}")


def suites_at(top: Path, revision: str = "HEAD") -> tuple[Suite, ...]:
    """The suites that a commit's settings name."""
    text = git_contents.files_at_commit(top, revision, file_paths.CONFIG).get(file_paths.CONFIG, "")
    return config.parse_config(text, source=f"{file_paths.CONFIG} of {revision[:12]}").tests


def checked_nodes(suite: Suite, nodes: Sequence[str]) -> tuple[str, ...]:
    """The named tests; RulecError where one is an option, leads outside, or the suite cannot run single tests."""
    where = f"rulec run {suite.name}"
    if nodes and not suite.counts:
        hint = "a suite with report: exit runs as a whole"
        raise RulecError("no single tests can be named for it", where=where, hint=hint)
    if len(nodes) > _MOST_NODES:
        raise RulecError(f"more than {_MOST_NODES:,} tests are named", where=where, hint="run the whole suite")
    for node in nodes:
        path = PurePosixPath(node.partition("::")[0])
        outside = path.is_absolute() or ".." in path.parts
        if not node.strip() or node.strip()[0] in "-@" or _ODD.search(node) or outside:
            hint = "name tests by their path in the suite's folder, such as tests/test_a.py::test_b; no options"
            raise RulecError(f"{to_one_line(node)[:80]!r} is no test", where=where, hint=hint)
    return tuple(nodes)


def run_suite(
    top: Path, suite: Suite, nodes: Sequence[str] = (), *, tree: Path | None = None,
    environment: Mapping[str, str] | None = None,
) -> SuiteRun:  # fmt: skip
    """Run a suite, or some of its tests, in the work tree or in another tree of the same repository.

    RulecError where it cannot be started, or its program lies where anybody may have put it.
    """
    chosen = checked_nodes(suite, nodes)
    place = tree or top
    program = _program_in(top, place, suite)
    with run_folder() as folder:
        report = folder / "report.xml"
        variables = {**clean_environment(top, place, suite, report), **(environment or {})}
        argv = [str(program), *_arguments(suite, chosen, report, copied=tree is not None)]
        ended = run_bounded(argv, cwd=place / suite.folder, environment=variables, seconds=suite.seconds)
        return _judged(suite, chosen, ended, report)


def _program_in(top: Path, place: Path, suite: Suite) -> Path:
    """The suite's program; one that git tracks is the one of that tree."""
    there = place / suite.folder / suite.run[0]
    return there if "/" in suite.run[0] and there.is_file() else find_program(top, suite)


def _arguments(suite: Suite, nodes: Sequence[str], report: Path, *, copied: bool) -> list[str]:
    words = [word.replace(REPORT_PLACE, str(report)) for word in suite.run[1:]]
    if suite.is_pytest and suite.report == "junit":
        words += [f"--junitxml={report}", *(_CACHE_OF_COPIES if copied else ())]
    if suite.report == "go" and "-json" not in words:
        words += ["-json"]
    if suite.select:
        return words + [word.replace(NODE_PLACE, node) for node in nodes for word in suite.select]
    if suite.report == "go":
        return words + _go_selection(nodes)
    return [*words, *nodes]


def _go_selection(nodes: Sequence[str]) -> list[str]:
    names = [node.rpartition("::")[2] for node in nodes]
    return ["-run", f"^({'|'.join(re.escape(name) for name in names)})$"] if names else []


def _judged(suite: Suite, nodes: tuple[str, ...], ended: ProcessEnd, report: Path) -> SuiteRun:
    cases, unread = _cases(suite, ended, report)
    counts = count_cases(cases, ended.out)
    why = _why_red(suite, nodes, ended, cases, counts) or unread
    return SuiteRun(
        suite=suite, nodes=nodes, code=ended.code, cases=tuple(cases), counts=counts, seconds=ended.seconds,
        tail=_tail(suite, ended), why=to_one_line(redact(why)),
    )  # fmt: skip


def _cases(suite: Suite, ended: ProcessEnd, report: Path) -> tuple[list[TestCase], str]:
    """The cases of a run, and why they cannot be read."""
    if not suite.counts:
        return [], ""
    if suite.report != "junit" and ended.spilled:
        return [], "its output is too long to be read"
    try:
        if suite.report == "go":
            return reports.read_go(ended.out), ""
        if suite.report == "tap":
            return reports.read_tap(ended.out), ""
        if suite.report == "cargo":
            return reports.read_cargo(ended.out, ended.err), ""
        return reports.read_junit(report), ""
    except RulecError as error:
        return [], error.message


def _why_red(
    suite: Suite, nodes: Sequence[str], ended: ProcessEnd, cases: Sequence[TestCase], counts: TestCounts
) -> str:
    """Why a run is not green, the plainest reason first; "" where nothing speaks against it."""
    if ended.code is None:
        return f"it was ended after {suite.seconds} seconds"
    if bad := [case for case in cases if case.outcome in ("failed", "error")]:
        more = f" and {len(bad) - 1} more" if len(bad) > 1 else ""
        return f"{name_of(bad[0])} {'failed' if bad[0].outcome == 'failed' else 'broke'}{more}"
    if suite.counts and not counts.executed:
        left_out = counts.skipped + counts.deselected
        return f"no test was executed ({counts})" if left_out else "no test was executed: it found none"
    if ended.code:
        return f"exit {ended.code}"
    unseen = next((node for node in nodes if not any(is_case_of(node, c) and c.executed for c in cases)), "")
    return f"{unseen} was not executed" if unseen else ""


def name_of(case: TestCase) -> str:
    """A case's name for people."""
    return to_one_line("::".join(filter(None, (case.group, case.name))))[:200] or "a test"


def is_case_of(node: str, case: TestCase) -> bool:
    """Whether a case is one that a named test stands for: the test itself, one of its parameters, or of its file."""
    file, _, rest = node.partition("::")
    plain, bracket, parameters = rest.partition("[")  # parameters may hold anything
    inner = plain.split("::") if plain else []
    if inner:
        inner[-1] += bracket + parameters
    if not inner and "/" not in file and "." not in file:  # a name alone, as Go and Cargo have them
        return file in (case.name, case.name.partition("[")[0], case.name.rpartition("::")[2])
    name = inner[-1] if inner else ""
    if name and name not in (case.name, case.name.partition("[")[0]):
        return False
    if not file.endswith((".py", ".pyi")) and inner:
        return True  # the runner was told this file alone
    module = ".".join(PurePosixPath(file).with_suffix("").parts)
    wanted = ".".join([module, *inner[:-1]])
    group = case.group or case.name
    inside = not inner and (f".{group}.".find(f".{wanted}.") >= 0 or file in (case.file, case.group))
    return inside or f".{group}".endswith(f".{wanted}") or f".{wanted}".endswith(f".{group}")


def _tail(suite: Suite, ended: ProcessEnd) -> str:
    """The end of the output, without what would steer a terminal."""
    out = _spoken_by_go(ended.out) if suite.report == "go" else ended.out
    text = _CONTROL.sub("", f"{out}\n{ended.err}".replace("\r\n", "\n")).strip()
    return redact(text[-4 * LONGEST_TAIL :])[-LONGEST_TAIL:]


def _spoken_by_go(out: str) -> str:
    found = []
    for line in out.splitlines():
        try:
            row = json.loads(line)
        except (ValueError, RecursionError):
            row = line
        found.append(str(row.get("Output") or "") if isinstance(row, dict) else f"{row}\n")
    return "".join(found)
