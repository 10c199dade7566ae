"""Proof by test: a named test that is red at the base with only the tests laid over, and green with the change."""

import difflib
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path, PurePosixPath
from typing import Any

from rulec.domain.files.globs import match
from rulec.domain.text.one_line import to_one_line
from rulec.errors import RulecError
from rulec.infra.git import git_contents, git_session
from rulec.infra.test_runs import python_tests, relations, runner_settings, suite_runs
from rulec.infra.test_runs.copied_trees import copied_tree, read_laid
from rulec.infra.test_runs.python_runs import ExecutedLines, traced
from rulec.infra.test_runs.reports import TestCase
from rulec.infra.test_runs.suite_runs import SuiteRun, is_case_of, run_suite
from rulec.rulebook.test_suites import Suite
from rulec.steps.proofs.run_records import TreeState, changed_meanwhile

LARGEST_FILE = 4_000_000  # bytes of a file whose text is looked at
_MANY_LINES = 5_000  # of a file, from which on lines that repeat are compared less exactly
NONE_EXECUTED = "the tests executed none of the changed lines"
_SHOWN = 3  # functions in a reason
MOST_SETTINGS = 300  # files whose text may name plugins


@dataclass(frozen=True, slots=True, kw_only=True)
class TestProof:
    """Whether named tests prove a change, why not, and what was seen."""

    __test__ = False  # no class of tests

    suite: str
    nodes: tuple[str, ...]
    why: str = ""  # "" where it is proved
    needs_person: bool = False  # only a person can say whether a change of the runner's settings is right
    coverage: str = ""  # how many of the changed lines were executed, or that nobody can tell
    reached: Mapping[str, bool] = field(default_factory=dict)  # changed file -> whether a changed line was executed,
    # for those of which that is known
    missed: Mapping[str, tuple[str, ...]] = field(default_factory=dict)  # changed file -> its changed functions of
    # which no changed line was executed
    red: SuiteRun | None = None  # at the base
    green: SuiteRun | None = None  # with the change
    proving: tuple[str, ...] = ()  # the tests that were red and are green

    @property
    def proved(self) -> bool:
        """Whether they prove it."""
        return not self.why

    def detail(self) -> dict[str, Any]:
        """What a record of the proof keeps."""
        runs = {"base": self.red, "now": self.green}
        return {
            "suite": self.suite, "tests": [*self.proving], "coverage": self.coverage,
            **{name: run.summary for name, run in runs.items() if run},
        }  # fmt: skip


@dataclass(frozen=True, slots=False, kw_only=True)
class _ChangedTree:
    """The work tree against the base, sorted into tests, settings of the runner, and the code that is to be proved."""

    top: Path
    suite: Suite
    base: str
    state: TreeState
    named: frozenset[str] = field(default_factory=frozenset)  # files of the named tests

    @cached_property
    def changed(self) -> tuple[str, ...]:
        """Every path that differs from the base."""
        return tuple(sorted(self.state.digests or {}))

    @cached_property
    def paths(self) -> tuple[str, ...]:
        """Every path that git tracks or would add."""
        return git_contents.tracked_paths(self.top)

    @cached_property
    def settings(self) -> frozenset[str]:
        """The changed files that decide which tests run."""
        return changed_settings(self.top, self.suite, self.base, self.changed, self.paths)

    @cached_property
    def tests(self) -> frozenset[str]:
        """The changed files that hold tests."""
        globs = [*self.suite.files, f"**/{runner_settings.CONFTEST}"]
        found = {path for path in self.changed if path in self.named or match(globs, path)}
        return frozenset(found - self.settings)

    def read(self, path: str) -> str | None:
        """The text of a file as it is now."""
        return read_text(self.top, path)

    def new_words(self, path: str) -> frozenset[str]:
        """The words of a file that it did not hold at the base."""
        before = git_contents.files_at_commit(self.top, self.base, path).get(path, "")
        return frozenset(re.findall(r"\w+", self.read(path) or "")) - frozenset(re.findall(r"\w+", before))

    def added_lines(self, path: str) -> frozenset[int]:
        """The numbers of the lines that are new since the base."""
        before = git_contents.files_at_commit(self.top, self.base, path).get(path)
        now = (self.read(path) or "").splitlines()
        if before is None:
            return frozenset(range(1, len(now) + 1))
        large = len(now) > _MANY_LINES
        blocks = difflib.SequenceMatcher(None, before.splitlines(), now, autojunk=large).get_opcodes()
        return frozenset(n + 1 for how, _, _, start, end in blocks if how != "equal" for n in range(start, end))


def changed_settings(
    top: Path, suite: Suite, base: str, changed: Sequence[str], paths: Sequence[str]
) -> frozenset[str]:
    """Those of the changed files that decide which tests run, by the base or as they are now.

    A conftest that only gained fixtures is none of them: it is laid out with the tests that ask for these.
    """
    names = [path for path in paths if match(list(runner_settings.OF_PYTEST), path)][:MOST_SETTINGS]
    now = {path: read_text(top, path) or "" for path in names}
    before = git_contents.files_at_commit(top, base, *names) if names else {}
    plugins = [runner_settings.plugin_files(texts, changed) for texts in (now, before)]
    found = [path for path in changed if runner_settings.is_setting(suite, path, plugins[0] | plugins[1])]
    conftests = [text for path, text in before.items() if path.endswith(runner_settings.CONFTEST)]

    def is_plain(path: str) -> bool:
        others = [one for one in changed if one != path]
        return (
            PurePosixPath(path).name == runner_settings.CONFTEST
            and path in now
            and runner_settings.adds_fixtures_alone(before.get(path), now[path], conftests, others)
        )

    return frozenset(path for path in found if not is_plain(path))


def read_text(top: Path, path: str) -> str | None:
    """The text of a plain file of the work tree; None where there is none, or it is large."""
    place = top / path
    try:
        if place.is_symlink() or not place.is_file() or place.stat().st_size > LARGEST_FILE:
            return None
        return place.read_text("utf-8", "replace")
    except (OSError, ValueError):
        return None


def prove_by_tests(top: Path, suite: Suite, nodes: Sequence[str], base: str, changed_paths: Sequence[str]) -> TestProof:
    """Whether the named tests prove the change of some paths since ``base``; the work tree is left as it is.

    RulecError where a test's name is bad, or the suite cannot be started.
    """
    proof = TestProof(suite=suite.name, nodes=suite_runs.checked_nodes(suite, nodes))
    if not suite.counts:
        hint = "a suite with report: exit says nothing of tests; let its runner write JUnit"
        raise RulecError(f"{suite.name} does not say which tests ran", where=f"tests.{suite.name}", hint=hint)
    if not nodes:
        hint = "name them by their path in the suite's folder, such as tests/test_a.py::test_b"
        raise RulecError("no test is named", where=f"tests.{suite.name}", hint=hint)
    commit = git_session.require_commit(top, base)
    before = TreeState(str(top), commit)
    if before.digests is None:
        return replace(proof, why=f"too much differs from {commit[:12]}")
    seen = _ChangedTree(top=top, suite=suite, base=commit, state=before, named=_files_of(suite, nodes))
    code = sorted(path for path in {*changed_paths} & {*seen.changed} if path not in seen.tests | seen.settings)
    done = replace(proof, why=_why_no_proof(seen, nodes, code)) if code else replace(proof, why="only tests changed")
    done = done if done.why else _by_runs(seen, proof, code)
    changed, _ = changed_meanwhile(before, TreeState(str(top), commit))
    return replace(done, why=f"{changed[0]} changed while the tests ran") if changed else done


def _files_of(suite: Suite, nodes: Sequence[str]) -> frozenset[str]:
    """The paths in the repository of the files that hold the named tests."""
    return frozenset(path for node in nodes if (path := _file_of(suite, node)))


def _file_of(suite: Suite, node: str) -> str:
    file = node.partition("::")[0].removeprefix("./")
    return (PurePosixPath(suite.folder) / file).as_posix() if "." in file or "/" in file else ""


def _why_no_proof(seen: _ChangedTree, nodes: Sequence[str], code: Sequence[str]) -> str:
    """What the texts of the tests show already, before anything is run."""
    for node in nodes:
        path = _file_of(seen.suite, node)
        if path in seen.settings:
            return f"{path} decides which tests run, so it can hold none that prove anything"
        if path in code:
            return f"{path} is what is to be proved"
        if path.endswith(".py") and python_tests.lacks_assertion(node, path, seen.read, seen.paths):
            return f"{to_one_line(node)} asserts nothing"
    return ""


def _by_runs(seen: _ChangedTree, proof: TestProof, code: Sequence[str]) -> TestProof:
    top, suite = seen.top, seen.suite
    with (
        copied_tree(top, seen.base, [read_laid(top, path) for path in sorted(seen.tests)]) as tree,
        traced(top, tree, suite, ()) as note,
    ):
        red = run_suite(top, suite, proof.nodes, tree=tree, environment=note.environment)
    proof = replace(proof, red=red)
    if red.code is None:
        return replace(proof, why=f"at the base it {red.why.removeprefix('it ')}")
    if why := _why_not_red(seen, red, code):
        return replace(proof, why=why)
    kept = [read_laid(top, path) for path in seen.changed if path not in seen.settings]
    with copied_tree(top, seen.base, kept) as tree, traced(top, tree, suite, code) as note:
        green = run_suite(top, suite, proof.nodes, tree=tree, environment=note.environment)
        executed = note.read()
    proof = replace(proof, green=green)
    if not green.green:
        return _why_not_green(seen, proof, green)
    proving = tuple(node for node in proof.nodes if _was_red(seen, node, red, code) and _is_green(green, node))
    proof = replace(proof, proving=proving)
    if not proving:
        return replace(proof, why=f"{proof.nodes[0]} was not executed")
    return _with_coverage(seen, proof, code, executed)


def _is_green(run: SuiteRun, node: str) -> bool:
    cases = run.cases_of(node)
    return any(case.executed for case in cases) and all(case.outcome in ("passed", "skipped") for case in cases)


def _why_not_red(seen: _ChangedTree, red: SuiteRun, code: Sequence[str]) -> str:
    """Why the run at the base shows no red test; "" where it does."""
    if any(_was_red(seen, node, red, code) for node in red.nodes):
        return ""
    at = f"at {seen.base[:12]}, before the change"
    if red.green:
        return f"{red.nodes[0]} is green {at}, so it does not depend on it"
    broken = [case for case in red.cases if case.outcome == "error"]
    if broken:
        told = to_one_line("; ".join(_gist(broken[0])))[:160]
        return f"{suite_runs.name_of(broken[0])} broke {at} for another reason than the change: {told}"
    return f"{red.nodes[0]} did not run {at}: {red.why or red.summary}"


def _was_red(seen: _ChangedTree, node: str, red: SuiteRun, code: Sequence[str]) -> bool:
    """Whether a named test failed, or its file or set-up broke by what the change brings."""
    path = _file_of(seen.suite, node)
    if any(case.outcome == "failed" and not _asserts_nothing(seen, node, case) for case in red.cases_of(node)):
        return True
    broken = [case for case in red.cases if case.outcome == "error" and _may_break(seen.suite, node, case)]
    related = [one for one in code if not path or relations.is_related(path, one, seen.read, seen.paths)]
    return any(_speaks_of(seen, case, one) for case in broken for one in related)


def _asserts_nothing(seen: _ChangedTree, node: str, case: TestCase) -> bool:
    """Whether a case of a file that is named as a whole comes from a Python test without an assertion."""
    path = _file_of(seen.suite, node)
    if "::" in node or not path.endswith(".py"):
        return False  # looked at before it ran
    return bool(python_tests.lacks_assertion(f"{path}::{case.name}", path, seen.read, seen.paths))


def _may_break(suite: Suite, node: str, case: TestCase) -> bool:
    """Whether the error of a case keeps a named test from running: its own, its file's or its package's."""
    file = node.partition("::")[0]
    return is_case_of(node, case) or is_case_of(file, case) or (suite.report in _COMPILED and not case.name)


_COMPILED = ("go", "cargo")  # reports of runners that tell of what does not compile as an error without a name
_QUOTED = re.compile(r"[`'\"]([A-Za-z_][\w:.$]*)[`'\"]|\bundefined: ([\w.]+)")
_MISSING = re.compile(r"No module named '([\w.]+)'")


def _speaks_of(seen: _ChangedTree, case: TestCase, path: str) -> bool:
    """Whether an error names the changed file, its module as imports do, or a name that the change brings to it."""
    text = " ".join(_gist(case))
    words = {piece for part in re.split(r"[^\w.$-]+", text) for piece in (part, *part.split("."))}
    missing = [f"{one}." for one in _MISSING.findall(text)]
    inside = any(f"{name}.".startswith(one) for name in python_tests.names_of_module(path) for one in missing)
    quoted = {re.split(r"::|\.", one or other)[-1] for one, other in _QUOTED.findall(text)}
    return inside or bool(relations.names_of_file(path) & words) or bool(quoted & seen.new_words(path))


def _gist(case: TestCase) -> list[str]:
    """The lines of an error that say what went wrong, as pytest marks them; all of it elsewhere."""
    lines = [line.strip() for line in case.message.splitlines() if line.strip()]
    return [line[2:].strip() for line in lines if line.startswith("E ")] or lines


def _why_not_green(seen: _ChangedTree, proof: TestProof, green: SuiteRun) -> TestProof:
    """The proof that failed; where only the changed settings of the runner make it green a person has to look."""
    if not seen.settings:
        return replace(proof, why=f"it is not green with the change: {green.why}")
    top, suite = seen.top, seen.suite
    every = [read_laid(top, path) for path in seen.changed]
    with copied_tree(top, seen.base, every) as tree, traced(top, tree, suite, ()) as note:
        own = run_suite(top, suite, proof.nodes, tree=tree, environment=note.environment)
    if not own.green:
        return replace(proof, why=f"it is not green with the change: {own.why}", green=own)
    names = ", ".join(sorted(seen.settings)[:3])
    why = f"it is green with the changed {names} alone, which a person has to look at and commit first"
    return replace(proof, why=why, needs_person=True, green=own)


def _with_coverage(seen: _ChangedTree, proof: TestProof, code: Sequence[str], executed: ExecutedLines) -> TestProof:
    """The proof, held to the changed lines that the tests executed, or to what they import where nobody can tell."""
    python = [path for path in code if path.endswith(".py") and seen.read(path) is not None]
    lines = _changed_statements(seen, python) if executed.known and seen.suite.is_pytest else {}
    total = sum(map(len, lines.values()))
    if total:
        hits = {path: len(wanted & executed.lines.get(path, frozenset())) for path, wanted in lines.items() if wanted}
        ran = sum(hits.values())
        reached = {path: number > 0 for path, number in hits.items()}
        told = replace(proof, coverage=f"{ran} of {total} changed lines executed", reached=reached)
        if not ran:
            return replace(told, why=NONE_EXECUTED)
        missed = {path: names for path in python if (names := _missed_functions(seen, path, executed))}
        return replace(told, missed=missed, why=why_missed(missed)) if missed else told
    told = replace(proof, coverage="which lines were executed is unknown")
    files = [path for node in proof.proving if (path := _file_of(seen.suite, node))]
    if not files or any(relations.is_related(file, path, seen.read, seen.paths) for file in files for path in code):
        return told
    return replace(told, why=f"{files[0]} neither imports nor names {code[0]}")


def why_missed(missed: Mapping[str, Sequence[str]]) -> str:
    """Why tests prove nothing of some functions."""
    names = [name for one in missed.values() for name in one]
    more = f" and {len(names) - _SHOWN} more" if len(names) > _SHOWN else ""
    return f"{NONE_EXECUTED} of {', '.join(names[:_SHOWN])}{more}"


def _missed_functions(seen: _ChangedTree, path: str, executed: ExecutedLines) -> tuple[str, ...]:
    """The changed functions of a file of which the tests executed no changed statement."""
    added, ran = seen.added_lines(path), executed.lines.get(path, frozenset())
    found = []
    for one in python_tests.functions_of(seen.read(path) or ""):
        changed = [statement for line, statement in one.lines.items() if line in added]
        if changed and not any(statement & ran for statement in changed):
            found.append(one.name)
    return tuple(found)


def _changed_statements(seen: _ChangedTree, paths: Sequence[str]) -> dict[str, frozenset[int]]:
    """The changed lines on which statements begin: those within functions, else all; importing executes the others."""
    inside: dict[str, frozenset[int]] = {}
    outside: dict[str, frozenset[int]] = {}
    for path in paths:
        added = seen.added_lines(path)
        within, around = python_tests.lines_in_functions(seen.read(path) or "")
        inside[path], outside[path] = added & within, added & around
    return inside if any(inside.values()) else outside
