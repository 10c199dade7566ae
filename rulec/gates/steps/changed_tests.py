"""The tests that a change adds or changes, as a suite's runner names them."""

import ast
import re
from collections.abc import Iterator, Sequence
from pathlib import PurePosixPath

from rulec.domain.change import Change, FileChange
from rulec.infra.test_runs import python_tests, runner_settings
from rulec.rulebook.test_suites import Suite

MOST = 500  # tests of a change that are run
_NAMES = {  # of runners that choose tests by name alone: what begins a test in their files
    "go": re.compile(r"^func (Test\w+)\(", re.MULTILINE),
    "cargo": re.compile(r"#\[(?:\w+::)?test\b[^\]]*\]\s*(?:#\[[^\]]*\]\s*)*(?:pub )?(?:async )?fn (\w+)"),
}


def changed_tests(suite: Suite, change: Change, paths: Sequence[str]) -> tuple[str, ...]:
    """The tests of a suite in files that the change adds or changes, without those that assert nothing.

    ``paths`` are all paths of the repository, among which a test's helpers are looked for.
    """
    texts = {file.path: file for file in change.files if file.status != "D" and file.content is not None}

    def read(path: str) -> str | None:
        if path in texts:
            return (texts[path].content or b"").decode("utf-8", "replace")
        return change.tree.read(path) if change.tree else None

    found = (node for path in sorted(texts) for node in _tests_in(suite, texts[path]))
    asserting = (
        node
        for node in found
        if not python_tests.lacks_assertion(node, _path_of(suite, node), read, paths) or not _is_python(node)
    )
    return tuple(node for node, _ in zip(asserting, range(MOST), strict=False))


def _path_of(suite: Suite, node: str) -> str:
    return (PurePosixPath(suite.folder) / node.partition("::")[0]).as_posix()


def _is_python(node: str) -> bool:
    return node.partition("::")[0].endswith(".py")


def _tests_in(suite: Suite, file: FileChange) -> Iterator[str]:
    """The tests of a file in the form in which they can be chosen; nothing where it holds none of the suite's."""
    path = PurePosixPath(file.path)
    if not runner_settings.is_test_file(suite, file.path) or not path.is_relative_to(suite.folder):
        return
    name = path.relative_to(suite.folder).as_posix()
    text = (file.content or b"").decode("utf-8", "replace")
    if suite.is_pytest and path.suffix == ".py":
        yield from (f"{name}::{test}" for test in python_test_names(text))
    elif suite.report in _NAMES:
        yield from _NAMES[suite.report].findall(text)
    elif not suite.is_pytest:
        yield name


def python_test_names(text: str) -> Iterator[str]:
    """The tests of a module as pytest finds them: functions, and methods of classes."""
    tree = python_tests.parse_python(text)
    for one in tree.body if tree else ():
        if isinstance(one, python_tests.FUNCTIONS) and one.name.startswith("test"):
            yield one.name
        elif isinstance(one, ast.ClassDef) and (one.name.startswith("Test") or any(map(_is_test_case, one.bases))):
            for inner in one.body:
                if isinstance(inner, python_tests.FUNCTIONS) and inner.name.startswith("test"):
                    yield f"{one.name}::{inner.name}"


def _is_test_case(base: ast.expr) -> bool:
    name = base.attr if isinstance(base, ast.Attribute) else base.id if isinstance(base, ast.Name) else ""
    return name.endswith("TestCase")
