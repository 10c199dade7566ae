"""What CI runs by itself to see rules proved: the base's suites of tests, on the change.

Nothing that the change says of its tests counts: which suites there are, how they run and what they have to show is
said by the base, and the settings of their runners are the base's as well.
"""

from collections.abc import Callable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from functools import cached_property, partial
from pathlib import Path

from rulec.domain.change import Change, FileChange
from rulec.domain.files import file_kinds, globs
from rulec.domain.outcome import Progress, no_progress
from rulec.domain.proof_row import NOT_PROVED, NOT_RECOMPUTED, TESTED
from rulec.domain.text.one_line import to_one_line
from rulec.errors import RulecError
from rulec.gates.steps.changed_tests import changed_tests
from rulec.infra.git import git_contents, git_session
from rulec.infra.test_runs import proof_by_test, suite_runs
from rulec.infra.test_runs.copied_trees import copied_tree, read_laid
from rulec.infra.test_runs.proof_by_test import TestProof
from rulec.infra.test_runs.python_runs import traced
from rulec.infra.test_runs.suite_runs import SuiteRun
from rulec.rulebook.test_suites import Suite

MOST_GROUPS = 20  # sets of files that are proved each by runs of their own
_SHOWN = 3  # tests in a cell
_NO_PROOF = ("@tests", "@docs", "@changelog")  # files of which no test is asked
UNREACHED = "the tests executed none of the lines that changed here"
ELSEWHERE = "another job runs the tests"


@dataclass(frozen=True, slots=True)
class Tested:
    """What the runs showed of one rule: how it is proved, and by which tests or why not."""

    how: str
    by: str
    reached: Mapping[str, bool] = field(default_factory=dict)  # see TestProof
    missed: Mapping[str, Sequence[str]] = field(default_factory=dict)  # as above

    @property
    def proved(self) -> bool:
        """Whether the rule is proved."""
        return self.how == TESTED

    def misses(self, paths: AbstractSet[str]) -> bool:
        """Whether it is known that no changed line of these files was executed."""
        return bool(paths) and all(self.reached.get(path) is False for path in paths)


def not_run() -> Tested:
    """Of a rule whose tests this job leaves to another."""
    return Tested(NOT_RECOMPUTED, ELSEWHERE)


def needs_test(suites: Sequence[Suite], file: FileChange) -> bool:
    """Whether a test has to show that a rule was kept in the file: not for tests, prose and generated files."""
    kinds = any(file_kinds.is_among([kind], file.path) for kind in _NO_PROOF)
    tests = any(globs.match(list(suite.files), file.path) for suite in suites)
    return not (kinds or tests or file_kinds.is_generated(file.path))


@dataclass(slots=False)
class CiRuns:
    """Runs of the base's suites, each made once, however many rules ask for it."""

    top: Path
    base: str  # the commit where the change left its base
    settings: str  # the commit whose settings name the suites
    change: Change
    progress: Progress = no_progress
    _whole: dict[str, Tested] = field(default_factory=dict)
    _proofs: dict[frozenset[str], Tested] = field(default_factory=dict)

    @cached_property
    def suites(self) -> tuple[Suite, ...]:
        """The base's suites."""
        return suite_runs.suites_at(self.top, self.settings)

    @cached_property
    def paths(self) -> tuple[str, ...]:
        """Every path of the repository."""
        return git_contents.tracked_paths(self.top)

    @cached_property
    def why_not_here(self) -> str:
        """Why nothing can be run: what lies in the work tree is not what is judged; "" where it is."""
        how = ("-z", "--porcelain", "--untracked-files=no", "--ignore-submodules")
        entry = git_session.git_output(self.top, "status", *how).partition("\0")[0]
        changed = to_one_line(entry[len("XY ") :])
        return f"{changed} of the work tree is not what HEAD has, and so not what would be tested" if entry else ""

    def prove(self, files: Sequence[FileChange], every: Sequence[FileChange]) -> Tested:
        """Whether tests of the change are red without it, green with it, and execute its lines in these files.

        The same runs serve ``every`` file of which a test is asked; only where they do not show which lines were
        executed, these files get runs of their own.
        """
        paths, wide = _paths(files), _paths(every)
        one = self._proved(wide)
        if one.missed and not paths & one.missed.keys():  # what is not tested is another rule's
            return self._proved(paths)
        if not one.proved or paths == wide or any(one.reached.get(path) for path in paths):
            return one
        return _failed(UNREACHED) if one.misses(paths) else self._proved(paths)

    def _proved(self, paths: frozenset[str]) -> Tested:
        if paths not in self._proofs:
            over = len(self._proofs) > MOST_GROUPS
            self._proofs[paths] = _failed("too many rules ask for tests of their own") if over else self._prove(paths)
        return self._proofs[paths]

    def _prove(self, paths: frozenset[str]) -> Tested:
        if self.why_not_here:
            return _failed(self.why_not_here)
        suites = [suite for suite in self.suites if suite.counts]
        if not suites:
            return _failed("the base's settings name no suite under tests whose counts can be read")
        chosen = [(suite, nodes) for suite in suites if (nodes := changed_tests(suite, self.change, self.paths))]
        if not chosen:
            return _failed("the change adds or changes no test that asserts anything")
        failures, partly = [], []
        for suite, nodes in chosen:
            tested = self._asked(partial(self._by_suite, suite, nodes, paths))
            if tested.proved:
                return tested
            failures.append(tested)
            partly += [tested] * bool(tested.missed)
        return _together(partly) if partly else failures[0]

    def _by_suite(self, suite: Suite, nodes: tuple[str, ...], paths: frozenset[str]) -> Tested:
        proof = proof_by_test.prove_by_tests(self.top, suite, nodes, self.base, sorted(paths))
        skipped = _skipped(proof)
        if proof.why and skipped and len(skipped) < len(nodes):  # they cannot run on this machine: others may prove it
            left = [node for node in nodes if node not in skipped]
            proof = proof_by_test.prove_by_tests(self.top, suite, left, self.base, sorted(paths))
        if not (proof.proved or proof.missed):
            return _failed(f"{suite.name}: {proof.why}")
        by = f"{_in_few(proof.proving)} of {suite.name}; {proof.coverage}"
        return Tested(NOT_PROVED if proof.missed else TESTED, by, proof.reached, proof.missed)

    def whole(self, name: str) -> Tested:
        """Whether a whole suite is green with the change."""
        if name not in self._whole:
            why = self.why_not_here
            self._whole[name] = _failed(why) if why else self._asked(partial(self._run, name))
        return self._whole[name]

    def _run(self, name: str) -> Tested:
        suite = next((one for one in self.suites if one.name == name), None)
        if suite is None:
            return _failed(f"the base's settings name no suite {name}")
        run = self._run_whole(suite)
        return Tested(TESTED, f"{name}: {run.counts}") if run.green else _failed(f"{name} is red: {run.why}")

    def _run_whole(self, suite: Suite) -> SuiteRun:
        """The suite's run, with the base's settings of its runner where the change brings others."""
        changed = sorted({path for file in self.change.files for path in (file.path, file.old_path) if path})
        settings = proof_by_test.changed_settings(self.top, suite, self.base, changed, self.paths)
        if not settings:
            return suite_runs.run_suite(self.top, suite)
        kept = [read_laid(self.top, path) for path in changed if path not in settings]
        with copied_tree(self.top, self.base, kept) as tree, traced(self.top, tree, suite, ()) as note:
            return suite_runs.run_suite(self.top, suite, tree=tree, environment=note.environment)

    def _asked(self, run: Callable[[], Tested]) -> Tested:
        """What a run shows; where it cannot be started, that is why the rule is not proved."""
        try:
            with self.progress("running tests", 0):
                return run()
        except RulecError as error:
            return _failed(f"cannot be run here: {error}")


def _paths(files: Sequence[FileChange]) -> frozenset[str]:
    return frozenset(path for file in files for path in (file.path, file.old_path) if path)


def _failed(why: str) -> Tested:
    return Tested(NOT_PROVED, why)


def _together(partly: Sequence[Tested]) -> Tested:
    """What suites prove of which each leaves changed functions out: all, where none is left out by every suite."""
    left = [{(path, name) for path, names in one.missed.items() for name in names} for one in partly]
    missed: dict[str, list[str]] = {}
    for path, name in sorted(set.intersection(*left)):
        missed.setdefault(path, []).append(name)
    if missed:
        return Tested(NOT_PROVED, proof_by_test.why_missed(missed), missed=missed)
    reached = {path: any(one.reached.get(path) for one in partly) for one in partly for path in one.reached}
    return Tested(TESTED, "; ".join(one.by for one in partly), reached)


def _skipped(proof: TestProof) -> frozenset[str]:
    """The named tests that ran through with the change, and were not executed."""
    run = proof.green
    if run is None or run.code is None:
        return frozenset()
    return frozenset(node for node in run.nodes if not any(case.executed for case in run.cases_of(node)))


def _in_few(tests: Sequence[str]) -> str:
    return ", ".join(tests[:_SHOWN]) + f" and {len(tests) - _SHOWN} more" * (len(tests) > _SHOWN)
