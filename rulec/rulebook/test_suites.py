"""Suites of tests, the entries of ``tests:`` in ``.rules/config.yaml``: what runs, and how its report is read."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, fields
from pathlib import PurePosixPath
from typing import Any

from rulec.domain.patterns.safety import glob_problem, refuse_pattern
from rulec.errors import RulecError
from rulec.rulebook.yaml_text import YamlNode

REPORTS = ("junit", "exit")  # what tells how a run went: a JUnit report and the exit code, or that alone
REPORT_PLACE = "{report}"  # in run and environment: the file into which the runner writes its JUnit report
USUAL_SECONDS = 600
MOST_SECONDS = 7_200
USUAL_FILES = (
    "**/tests/**", "**/test/**", "**/__tests__/**", "**/test_*.*", "**/*_test.*", "**/*.test.*", "**/*.spec.*",
)  # fmt: skip
SUITE_NAME = "[a-z0-9][a-z0-9_-]{0,39}"
_NAME = re.compile(SUITE_NAME)
_VARIABLE = re.compile(r"[A-Za-z_][A-Za-z0-9_]{0,79}")
_MOST_SUITES = 50
_MOST_WORDS = 100  # of a command line
_HINT_RUN = "write run: [pytest, -q], the program and its arguments; no shell reads them"


@dataclass(frozen=True, slots=True, kw_only=True)
class Suite:
    """One way to run tests; its paths are those of the repository."""

    name: str
    run: tuple[str, ...]  # the program and its arguments; no shell reads them
    report: str  # one of REPORTS
    seconds: int = USUAL_SECONDS
    folder: str = ""  # in which it runs, "" for the top
    files: tuple[str, ...] = USUAL_FILES  # globs of the files that hold the tests
    path: tuple[str, ...] = ()  # folders that stand first on PATH: .venv/bin, node_modules/.bin
    environment: tuple[tuple[str, str], ...] = ()  # variables beside the usual few
    setup: tuple[str, ...] = ()  # commands by which CI installs what the suite needs; the one part that a shell reads

    @property
    def is_pytest(self) -> bool:
        """Whether its words name pytest, whose options rulec knows."""
        return any(PurePosixPath(word).name in ("pytest", "py.test") for word in self.run)

    @property
    def counts(self) -> bool:
        """Whether a run says which tests were executed."""
        return self.report == "junit"


_KEYS = tuple(one.name for one in fields(Suite) if one.name != "name")


def parse_suites(node: YamlNode) -> tuple[Suite, ...]:
    """The suites of a mapping of names; RulecError with file:line at the first that cannot be used."""
    if len(node.data) > _MOST_SUITES:
        raise node.error("", f"names more than {_MOST_SUITES} suites", "put tests that run together into one")
    return tuple(_suite(node, str(name)) for name in node.data)


def _suite(node: YamlNode, name: str) -> Suite:
    if not _NAME.fullmatch(name):
        raise node.error(name, "is no name of a suite", "write small letters, digits, - and _, such as unit")
    one = node.mapping(name)
    one.known(_KEYS)
    for key in ("run", "report"):
        if not one.has(key):
            raise node.error(name, f"says no {key}", _HINT_RUN if key == "run" else f"one of {', '.join(REPORTS)}")
    suite = Suite(
        name=name,
        run=_words(one, "run"),
        report=one.choice("report", REPORTS),
        seconds=_seconds(one),
        folder=_folder(one, "folder", one.text("folder")),
        files=_globs(one, "files") if one.has("files") else USUAL_FILES,
        path=tuple(_folder(one, "path", text) for text in one.texts("path")),
        environment=_environment(one.mapping("environment")),
        setup=_setup(one),
    )
    _require_report(one, suite)
    return suite


def _require_report(node: YamlNode, suite: Suite) -> None:
    told = any(REPORT_PLACE in word for word in (*suite.run, *(value for _, value in suite.environment)))
    if suite.report == "junit" and not (suite.is_pytest or told):
        hint = f"put {REPORT_PLACE} where the runner is told the file: --outputFile={REPORT_PLACE}"
        raise node.error("run", "does not say where the JUnit report goes", hint)


def _words(node: YamlNode, key: str) -> tuple[str, ...]:
    words = node.texts(key)
    if key == "run" and (not words or not words[0].strip() or words[0].startswith("-")):
        raise node.error(key, "names no program", _HINT_RUN)
    if len(words) > _MOST_WORDS or any("\0" in word or "\n" in word for word in words):
        raise node.error(key, f"has more than {_MOST_WORDS} words, or one with a line break", _HINT_RUN)
    return words


def _setup(node: YamlNode) -> tuple[str, ...]:
    lines = node.texts("setup")
    if len(lines) > _MOST_WORDS or any(not line.strip() or "\n" in line or "${{" in line for line in lines):
        hint = "write one command a line, such as [npm ci]; CI's own expressions do not belong there"
        raise node.error("setup", "holds what is no command", hint)
    return lines


def _seconds(node: YamlNode) -> int:
    found = node.integer("seconds", USUAL_SECONDS, 1)
    if found > MOST_SECONDS:
        raise node.error("seconds", f"may be at most {MOST_SECONDS:,}", f"write a number such as {USUAL_SECONDS}")
    return found


def _folder(node: YamlNode, key: str, text: str) -> str:
    parts = PurePosixPath(text).parts
    if text.startswith(("/", "~")) or ".." in parts or "\0" in text or "\n" in text:
        raise node.error(key, f"{text[:60]!r} leads outside", "write a folder by its path in the repository")
    return "/".join(part for part in parts if part != ".")


def _globs(node: YamlNode, key: str) -> tuple[str, ...]:
    for glob in (found := node.texts(key)):
        refuse_pattern(glob_problem(glob), glob, key, node.where(key))
    return found


def _environment(node: YamlNode) -> tuple[tuple[str, str], ...]:
    for name in node.data:
        if not _VARIABLE.fullmatch(str(name)) or str(name) == "PATH":
            hint = "path: [.venv/bin] puts folders on it" if name == "PATH" else "write NAME: value"
            raise node.error(str(name), "is no variable that may be set here", hint)
    found = tuple((str(name), node.text(str(name))) for name in node.data)
    odd = next((name for name, value in found if "\0" in value), "")
    if odd:
        raise node.error(odd, "holds a NUL", "take it out")
    return found


def plain_suites(suites: Sequence[Suite]) -> dict[str, Any]:
    """The suites as the settings' file has them; what is as usual stays away."""
    return {one.name: {key: value for key in _KEYS if (value := _plain(one, key)) is not None} for one in suites}


def _plain(suite: Suite, key: str) -> Any:
    value = getattr(suite, key)
    usual = {"seconds": USUAL_SECONDS, "files": USUAL_FILES, "folder": "", "environment": ()}.get(key, ())
    if value == usual:
        return None
    return dict(value) if key == "environment" else list(value) if isinstance(value, tuple) else value


def find_suite(suites: Sequence[Suite], name: str, where: str) -> Suite:
    """The suite of that name; RulecError that says which there are."""
    found = next((one for one in suites if one.name == name), None)
    if found is None:
        known = ", ".join(one.name for one in suites)
        hint = f"known are {known}" if known else "a person commits tests: {unit: {run: [pytest, -q], report: junit}}"
        raise RulecError(f"{name[:60]!r} is no suite", where=where, hint=hint)
    return found
