"""Tests that HEAD has in Python files which a change touches, and that the run with the change does not execute."""

import ast
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from rulec.infra.git import git_contents
from rulec.infra.test_runs.proof_by_test import read_text
from rulec.infra.test_runs.python_tests import FUNCTIONS, bound_by_imports, parse_python
from rulec.infra.test_runs.reports import TestCase
from rulec.infra.test_runs.runner_settings import is_test_file
from rulec.infra.test_runs.suite_runs import SuiteRun, is_case_of


@dataclass(frozen=True, slots=True)
class HeadTest:
    """One test of a file: its path, the names of its classes and its own, and its lines without that name."""

    path: str
    names: tuple[str, ...]
    body: str
    words: frozenset[str]  # names that it uses

    @property
    def node(self) -> str:
        """Its name as a runner takes it, from the top of the repository."""
        return "::".join([self.path, *self.names])


def tests_not_executed(top: Path, run: SuiteRun, head: str, changed: Sequence[str]) -> list[HeadTest]:
    """The tests of changed files, as HEAD has them, that the run did not execute under their own name or another.

    One that was moved keeps its name, one that was renamed its lines; either stands for one test of HEAD alone. Tests
    that use what a deleted module held go with it.
    """
    files = [path for path in changed if path.endswith(".py") and is_test_file(run.suite, path)]
    before = git_contents.files_at_commit(top, head, *files) if files else {}
    now = [one for path in files for one in tests_of(path, read_text(top, path) or "")]
    known = {one.node for path, text in before.items() for one in tests_of(path, text)}
    fresh = [one for one in now if one.node not in known and is_executed(run, one)]
    deleted = [path for path in changed if path.endswith(".py") and path not in files and not (top / path).exists()]
    return [one for path, text in before.items() for one in _lost(run, path, text, fresh, deleted)]


def _lost(run: SuiteRun, path: str, text: str, fresh: list[HeadTest], deleted: Sequence[str]) -> Iterator[HeadTest]:
    gone = bound_by_imports(path, text, deleted) if deleted else frozenset()
    for one in tests_of(path, text):
        if is_executed(run, one) or one.words & gone:
            continue
        other = next((new for new in fresh if one.body == new.body or one.names[-1] == new.names[-1]), None)
        if other:
            fresh.remove(other)
        else:
            yield one


def is_executed(run: SuiteRun, test: HeadTest) -> bool:
    """Whether the run executed a test."""
    return any(case.executed for case in cases_of(run, test))


def cases_of(run: SuiteRun, test: HeadTest) -> list[TestCase]:
    """The cases of a run that a test stands for."""
    file = PurePosixPath(test.path)
    folder = PurePosixPath(run.suite.folder)
    inside = file.relative_to(folder) if file.is_relative_to(folder) else file
    node = "::".join([inside.as_posix(), *test.names])
    return [case for case in run.cases if is_case_of(node, case)]


def tests_of(path: str, text: str) -> list[HeadTest]:
    """The functions of a file that runners of Python tests take for tests."""
    tree = parse_python(text)
    return [] if tree is None else [HeadTest(path, *found) for found in _found(tree.body, ())]


def _found(body: Sequence[ast.stmt], above: tuple[str, ...]) -> Iterator[tuple[tuple[str, ...], str, frozenset[str]]]:
    for one in body:
        if isinstance(one, ast.ClassDef):
            yield from _found(one.body, (*above, one.name))
        elif isinstance(one, FUNCTIONS) and one.name.startswith("test"):
            whole = [ast.dump(one.args), *map(ast.dump, [*one.decorator_list, *one.body])]
            words = {node.id for node in ast.walk(one) if isinstance(node, ast.Name)}
            yield (*above, one.name), "\n".join(whole), frozenset(words)
