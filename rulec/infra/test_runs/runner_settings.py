"""Files that decide which tests run and what becomes of them: a change must not bring its own."""

import ast
import re
from collections.abc import Iterable, Mapping
from pathlib import PurePosixPath

from rulec.domain.files.globs import match
from rulec.infra.test_runs.python_tests import FUNCTIONS, names_of_module, parse_python
from rulec.rulebook.test_suites import Suite

CONFTEST = "conftest.py"
OF_PYTEST = (
    f"**/{CONFTEST}", "**/pytest.ini", "**/.pytest.ini", "**/pytest.toml", "**/.pytest.toml", "**/pyproject.toml",
    "**/tox.ini", "**/setup.cfg",
)  # fmt: skip
KNOWN = (
    *OF_PYTEST, "**/noxfile.py", "**/{site,user}customize.py", "**/.coveragerc",
    "**/package.json", "**/.npmrc", "**/{jest,vitest,vite,playwright,karma,cypress,ava,babel}.config.*",
    "**/.mocharc.*", "**/.babelrc*", "**/tsconfig*.json", "**/.rspec", "**/spec_helper.rb", "**/Rakefile",
    "**/Makefile", "**/GNUmakefile", "**/makefile", "**/justfile", "**/Justfile", "**/Taskfile.{yml,yaml}",
    "**/.cargo/config*", "**/Cargo.toml", "**/go.mod", "**/go.work", "**/phpunit.xml*", "**/pom.xml",
    "**/build.gradle*", "**/settings.gradle*", "**/.env",
)  # fmt: skip


def is_setting(suite: Suite, path: str, plugins: Iterable[str] = ()) -> bool:
    """Whether a file decides which tests of the suite run."""
    return match([*KNOWN, *suite.settings], path) or path in _named_by(suite) or path in set(plugins)


def is_test_file(suite: Suite, path: str) -> bool:
    """Whether a file holds tests of the suite, and decides nothing about others."""
    return match(list(suite.files), path) and not is_setting(suite, path)


def _named_by(suite: Suite) -> frozenset[str]:
    """The files that the suite's own words name, such as a script."""
    return frozenset(
        (PurePosixPath(suite.folder) / word.removeprefix("./")).as_posix()
        for word in suite.run
        if not word.startswith(("-", "/"))
    )


_PLUGIN = re.compile(r"(?:^|\s)-p[ =]?([A-Za-z_][\w.]*)")


def plugin_files(settings: Mapping[str, str], paths: Iterable[str]) -> frozenset[str]:
    """Those of some paths that hold modules which the texts of settings load as pytest's plugins."""
    names = {name for path, text in settings.items() for name in _plugins_of(path, text)}
    ends = {name.replace(".", "/") + end for name in names for end in (".py", "/__init__.py")}
    return frozenset(path for path in paths if any(f"/{path}".endswith(f"/{end}") for end in ends))


def _plugins_of(path: str, text: str) -> set[str]:
    if not path.endswith(".py"):
        return set(_PLUGIN.findall(text))
    tree = parse_python(text)
    found: set[str] = set()
    for node in tree.body if tree else ():
        targets = (
            node.targets if isinstance(node, ast.Assign) else [node.target] if isinstance(node, ast.AnnAssign) else []
        )
        if any(isinstance(one, ast.Name) and one.id == "pytest_plugins" for one in targets):
            found |= {
                one.value for one in ast.walk(node) if isinstance(one, ast.Constant) and isinstance(one.value, str)
            }
    return found


def adds_fixtures_alone(before: str | None, now: str, others: Iterable[str], changed: Iterable[str]) -> bool:
    """Whether a conftest only gained fixtures that nothing gets unless it asks for them.

    Then it decides nothing about tests that were there. ``others`` are the texts of all conftests as the base has
    them, whose fixtures a new one must not replace; ``changed`` are the changed files, from which nothing may be
    imported, for that may be a fixture which every test gets.
    """
    old, new = parse_python(before or ""), parse_python(now)
    if old is None or new is None:
        return False
    kept = [ast.dump(node) for node in old.body]
    added = []
    for node in new.body:
        if kept and ast.dump(node) == kept[0]:
            kept.pop(0)
        else:
            added.append(node)
    if kept:
        return False
    known = {name for text in others for name in _defined(text)}
    theirs = {name for path in changed for name in names_of_module(path)}
    return all(_is_plain_fixture(node, known) or _is_plain_import(node, theirs) for node in added)


def _defined(text: str) -> set[str]:
    tree = parse_python(text)
    return {node.name for node in ast.walk(tree) if isinstance(node, FUNCTIONS)} if tree else set()


def _is_plain_fixture(node: ast.stmt, known: set[str]) -> bool:
    if not isinstance(node, FUNCTIONS) or node.name in known or len(node.decorator_list) != 1:
        return False
    (mark,) = node.decorator_list
    keywords = mark.keywords if isinstance(mark, ast.Call) else []
    plain = mark.func if isinstance(mark, ast.Call) else mark
    named = {one.arg for one in keywords} <= {"scope", "params", "ids"} and not (
        isinstance(mark, ast.Call) and mark.args
    )
    return named and ast.unparse(plain) in ("pytest.fixture", "fixture")


def _is_plain_import(node: ast.stmt, changed: set[str]) -> bool:
    if isinstance(node, ast.Import):
        return not {one.name for one in node.names} & changed
    if not isinstance(node, ast.ImportFrom) or node.level:
        return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
    names = {one.name for one in node.names}
    modules = {node.module or "", *(f"{node.module}.{name}" for name in names)}
    return not modules & changed and not any(name == "*" or name.startswith("pytest_") for name in names)
