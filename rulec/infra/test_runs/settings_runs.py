"""What a change of the runner's settings and of test files does to a run: tests that run at HEAD must run."""

import re
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path, PurePosixPath

from rulec.checkout import tree_digest
from rulec.domain.files.globs import match
from rulec.infra.git import git_contents, git_session
from rulec.infra.test_runs import lost_tests
from rulec.infra.test_runs.copied_trees import INSTALLED, copied_tree, read_laid
from rulec.infra.test_runs.lost_tests import HeadTest
from rulec.infra.test_runs.proof_by_test import MOST_SETTINGS, changed_settings
from rulec.infra.test_runs.python_runs import traced
from rulec.infra.test_runs.reports import TestCase
from rulec.infra.test_runs.runner_settings import OF_PYTEST
from rulec.infra.test_runs.suite_runs import SuiteRun, name_of, run_suite
from rulec.steps.proofs.run_records import TreeState

_MOST_NAMED = 3
_SELECTS = re.compile(  # options and hooks by which pytest is told to leave tests out
    r"(?:^|[\s\"'\[,=])(?:-k|-m|--(?:deselect|lf|last-failed|sw|stepwise|testmon|splits?|shard|group|num-shards)\b)"
    r"|pytest_(?:collection_modifyitems|deselected|collection_finish)"
)
_OF_ONE_MACHINE = "**/.env"


def why_part_left_out(top: Path, run: SuiteRun, head: str) -> str:
    """What speaks against a whole run that left tests out, though neither the suite nor HEAD's settings select any.

    Then the program that was started selects by itself: it is not the one that the suite means.
    """
    if run.nodes or not run.counts.deselected or not run.suite.is_pytest:
        return ""
    listed = git_session.git_output(top, "ls-tree", "-r", "-z", "--name-only", "--full-tree", head).split("\0")
    names = [path for path in listed if path and match(list(OF_PYTEST), path)]
    texts = git_contents.files_at_commit(top, head, *names[:MOST_SETTINGS]) if names else {}
    start = next(n for n, word in enumerate(run.suite.run) if PurePosixPath(word).name in ("pytest", "py.test"))
    words = [*run.suite.run[start:], *(value for _, value in run.suite.environment)]
    if any(map(_SELECTS.search, words)) or any(map(_SELECTS.search, texts.values())):
        return ""
    number, program = run.counts.deselected, run.suite.run[0]
    own = "" if "/" in program else f"; is {program} on PATH the one of the project? a person may name its path in run"
    return f"{number} deselected, which neither run nor HEAD's settings ask for{own}"


def why_settings_matter(top: Path, run: SuiteRun, state: TreeState) -> str:
    """What speaks against a run whose change brings settings of the runner or loses tests; "" where nothing does.

    Settings that git ignores count as changed ones, for no commit holds them.
    The suite runs once more, in a copy that has those settings as the commit has them and all else as it is now; so it
    does where tests of changed files are not executed any more, with these files as the commit has them.
    """
    changed = sorted(state.digests or {})
    ignored = _ignored_files(top)
    paths = [*git_contents.tracked_paths(top), *ignored]
    settings = changed_settings(top, run.suite, state.head, [*changed, *ignored], paths)
    whole = run.suite.counts and not run.nodes
    unseen = lost_tests.tests_not_executed(top, run, state.head, changed) if whole else []
    if not settings and not unseen:
        return ""
    as_before = settings | {one.path for one in unseen}
    laid = [read_laid(top, path) for path in changed if path not in as_before]
    with copied_tree(top, state.head, laid) as tree, traced(top, tree, run.suite, ()) as note:
        other = run_suite(top, run.suite, run.nodes, tree=tree, environment=note.environment)
    lost = _lost(run, other, unseen) if settings else ""
    if lost:
        return _for_a_person(lost, settings)
    would = [one for one in unseen if _would_run(other, one)]
    more = f" and {len(would) - 1} more" if len(would) > 1 else ""
    told = f"{would[0].node}{more} would run as HEAD has it and does not run now" if would else ""
    return _for_a_person(told, {one.path for one in would}) if would else ""


def _for_a_person(lost: str, paths: Iterable[str]) -> str:
    names = ", ".join(sorted(paths)[:_MOST_NAMED])
    return f"{lost}: a person has to look at the change of {names} and commit it first"


def _would_run(run: SuiteRun, test: HeadTest) -> bool:
    """Whether a run executes a test, or cannot even read its file."""
    file = HeadTest(test.path, (), "", frozenset())
    broken = [case for case in lost_tests.cases_of(run, file) if case.outcome == "error"]
    return bool(broken) or any(case.outcome != "skipped" for case in lost_tests.cases_of(run, test))


def _ignored_files(top: Path) -> list[str]:
    """The files that git ignores, without what was installed and what lies in hidden folders.

    Runners look for tests in other ignored folders as well. Environment files stay away: they hold secrets and values
    of one machine, so that no commit can hold them.
    """
    left_out = [f":(exclude,glob)**/{name}/**" for name in (*sorted(INSTALLED), ".*", *sorted(tree_digest.BY_PRODUCTS))]
    listed = git_session.git_output(
        top, "ls-files", "-z", "--others", "--ignored", "--exclude-standard", "--", ".", *left_out
    ).split("\0")
    return [path for path in listed if path and not match([_OF_ONE_MACHINE], path)]


def _lost(run: SuiteRun, other: SuiteRun, unseen: Sequence[HeadTest]) -> str:
    """What the same tests do with the settings of HEAD, where that is worse than what they do now."""
    if not run.suite.counts or other.code is None:
        return f"with HEAD's settings it is red ({other.why})" if other.why else ""
    judged = {case.key for one in unseen for case in lost_tests.cases_of(other, one)}
    left_out = [case for case in _left_out(run, other.cases) if case.key not in judged]
    if left_out:
        more = f" and {len(left_out) - 1} more" if len(left_out) > 1 else ""
        return f"{name_of(left_out[0])}{more} would run with HEAD's settings and does not run now"
    passed = {case.key for case in run.cases if case.outcome == "passed"}
    failed = next((case for case in other.cases if case.outcome == "failed" and case.key in passed), None)
    return f"{name_of(failed)} fails with HEAD's settings" if failed else ""


def _left_out(run: SuiteRun, cases: Sequence[TestCase]) -> Iterator[TestCase]:
    """The cases that would run, or could not be collected, with other settings and were not executed in the run."""
    executed = {case.key for case in run.cases if case.executed}
    return (case for case in cases if case.outcome != "skipped" and case.key not in executed)
