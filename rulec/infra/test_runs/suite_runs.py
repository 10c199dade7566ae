"""Runs a suite just as the settings say it, and tells what came of it: green, or red and why."""

import os
import re
import shutil
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from rulec.domain.text.one_line import to_one_line
from rulec.domain.text.redaction import redact
from rulec.errors import RulecError
from rulec.infra.git import git_contents
from rulec.infra.processes import BoundedEnd, Bounds, run_bounded
from rulec.infra.test_runs.reports import TestCase, describe_counts, read_junit
from rulec.rulebook import config, file_paths
from rulec.rulebook.test_suites import REPORT_PLACE, Suite, find_suite

KEPT = (
    "HOME", "USER", "LOGNAME", "SHELL", "LANG", "LANGUAGE", "TZ", "TMPDIR", "TERM", "SYSTEMROOT", "XDG_CACHE_HOME",
    "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_RUNTIME_DIR", "VIRTUAL_ENV", "CONDA_PREFIX", "PYENV_ROOT", "PYENV_VERSION",
    "NVM_DIR", "VOLTA_HOME", "GOPATH", "GOROOT", "GOMODCACHE", "GOCACHE", "CARGO_HOME", "RUSTUP_HOME", "JAVA_HOME",
    "M2_HOME", "GRADLE_USER_HOME", "GEM_HOME", "DOTNET_ROOT", "DOCKER_HOST", "CI",
)  # fmt: skip
_KEPT_BEGINNINGS = ("LC_",)
_SHARED_FOLDERS = ("/tmp", "/var/tmp", "/dev/shm", "/private/tmp")  # noqa: S108 - they are what is refused


def clean_environment(top: Path, tree: Path, suite: Suite, report: Path | None = None) -> dict[str, str]:
    """The variables of a run in ``tree``: a few of the person's, a PATH without folders of ``top``, the suite's own."""
    kept = {
        name: value for name, value in os.environ.items() if name in KEPT or name.startswith(_KEPT_BEGINNINGS)
    }  # fmt: skip
    first = [str(tree / folder) for folder in suite.path]
    usual = [str(one) for one in _folders() if not _why_unsafe(top, one)] or os.defpath.split(os.pathsep)
    told = {name: value.replace(REPORT_PLACE, str(report or "")) for name, value in suite.environment}
    return {
        "LANG": "C.UTF-8",
        **kept,
        "PATH": os.pathsep.join([*first, *usual]),
        **told,
    }


def find_program(top: Path, suite: Suite) -> Path:
    """The program of a suite; RulecError where it is missing, or lies where anybody may have put it.

    What the settings name by its path is taken as they say it.
    """
    word, where = suite.run[0], f"{file_paths.CONFIG}: tests.{suite.name}"
    if "/" in word:
        named = Path(word) if word.startswith("/") else top / suite.folder / word
        found = shutil.which(str(named))
        if not found:
            raise RulecError(f"{word} is no program here", where=where, hint="install it, or name another in run")
        return Path(found)
    own = os.pathsep.join(str(top / folder) for folder in suite.path)
    if own and (found := shutil.which(word, path=own)):
        return Path(found)
    for folder in _folders():
        if not (found := shutil.which(word, path=str(folder))):
            continue
        if why := _why_unsafe(top, folder):
            hint = _hint(top, folder)
            raise RulecError(f"{word} would be {found}, which lies in {why}", where=where, hint=hint)
        return Path(found)
    raise RulecError(f"{word} is not on PATH", where=where, hint=f"install {word}, or name its path in run")


def _hint(top: Path, folder: Path) -> str:
    """What to do about a folder on PATH; one of the repository may be named by a person in its settings."""
    for above in (top, top.resolve()):
        if folder.is_absolute() and folder.is_relative_to(above) and folder != above:
            return f"let a person commit path: [{folder.relative_to(above).as_posix()}] for the suite"
    return f"take {folder} off PATH, or let a person name the program in run"


def _folders() -> Iterator[Path]:
    """The folders of PATH; one that is empty or relative would be a folder of whoever calls."""
    for text in os.environ.get("PATH", os.defpath).split(os.pathsep):
        yield Path(text or ".")


def _why_unsafe(top: Path, folder: Path) -> str:
    """What is wrong with a folder on PATH, "" where nothing is."""
    if not folder.is_absolute():
        return "a folder that is not named whole"
    real = folder.resolve()
    if any(one.is_relative_to(above) for one in (folder, real) for above in {top, top.resolve()}):
        return "the repository itself"
    shared = {Path(one) for one in (*_SHARED_FOLDERS, tempfile.gettempdir())}
    if any(one.is_relative_to(above) for one in (folder, real) for above in shared | {s.resolve() for s in shared}):
        return "a folder for temporary files"
    return ""


LONGEST_TAIL = 4_000  # characters of the output that are kept
_CONTROL = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]|[\x00-\x08\x0b-\x1f\x7f]")
_CACHE_OF_COPIES = ("-p", "no:cacheprovider")


@dataclass(frozen=True, slots=True, kw_only=True)
class SuiteRun:
    """One run of a suite: its exit code (None after the time limit), its cases, and why it is not green."""

    suite: Suite
    code: int | None
    cases: tuple[TestCase, ...]
    seconds: float
    tail: str  # the end of its output, redacted
    why: str = ""  # "" where it is green

    @property
    def green(self) -> bool:
        """Whether it ended well, and some test ran as far as that can be known."""
        return not self.why

    @property
    def counts(self) -> str:
        """How many tests had which outcome."""
        return describe_counts(self.cases) if self.suite.counts else "how many tests ran is unknown"

    @property
    def summary(self) -> str:
        """The outcome in a line."""
        exit_code = "ended after its time" if self.code is None else f"exit {self.code}"
        return f"{self.counts}, {exit_code}, {self.seconds:.1f} s"

    @property
    def executed(self) -> set[tuple[str, str]]:
        """The tests whose own lines were run."""
        return {(case.group, case.name) for case in self.cases if case.executed}


def suite_at(top: Path, name: str, revision: str = "HEAD") -> Suite:
    """A suite as a commit's settings have it; those of the work tree may be anybody's."""
    return find_suite(suites_at(top, revision), name, f"{file_paths.CONFIG} of {revision[:12]}")


def suites_at(top: Path, revision: str = "HEAD") -> tuple[Suite, ...]:
    """The suites that a commit's settings name."""
    text = git_contents.files_at_commit(top, revision, file_paths.CONFIG).get(file_paths.CONFIG, "")
    return config.parse_config(text, source=f"{file_paths.CONFIG} of {revision[:12]}", past=True).tests


def run_suite(top: Path, suite: Suite, *, tree: Path | None = None) -> SuiteRun:
    """Run a suite in the work tree or in another tree of the same repository.

    RulecError where it cannot be started, or its program lies where anybody may have put it.
    """
    place = tree or top
    program = _program_in(top, place, suite)
    with tempfile.TemporaryDirectory(prefix="rulec-run-", ignore_cleanup_errors=True) as folder:
        report = Path(folder) / "report.xml"
        variables = clean_environment(top, place, suite, report)
        if tree is not None:
            variables = {**_own_modules(tree, suite), **variables}
        argv = [str(program), *_arguments(suite, report, copied=tree is not None)]
        bounds = Bounds(seconds=suite.seconds, keeps_end=True)
        ended = run_bounded(argv, bounds, cwd=place / suite.folder, environment=variables)
        return _judged(suite, ended, report)


def _own_modules(tree: Path, suite: Suite) -> Mapping[str, str]:
    """The variable by which Python takes a copy's modules before those that are installed in place."""
    folders = dict.fromkeys([tree / suite.folder, tree / suite.folder / "src", tree, tree / "src"])
    return {"PYTHONPATH": ":".join(str(one) for one in folders if one.is_dir())}


def _program_in(top: Path, place: Path, suite: Suite) -> Path:
    """The suite's program; one that git tracks is the one of that tree."""
    there = place / suite.folder / suite.run[0]
    return there if "/" in suite.run[0] and there.is_file() else find_program(top, suite)


def _arguments(suite: Suite, report: Path, *, copied: bool) -> list[str]:
    words = [word.replace(REPORT_PLACE, str(report)) for word in suite.run[1:]]
    if suite.is_pytest and suite.counts:
        words += [f"--junitxml={report}", *(_CACHE_OF_COPIES if copied else ())]
    return words


def _judged(suite: Suite, ended: BoundedEnd, report: Path) -> SuiteRun:
    cases, unread = list[TestCase](), ""
    if suite.counts:
        try:
            cases = read_junit(report)
        except RulecError as error:
            unread = error.message
    why = _why_red(suite, ended, cases) or unread
    return SuiteRun(
        suite=suite, code=ended.code, cases=tuple(cases), seconds=ended.seconds, tail=_tail(ended),
        why=to_one_line(redact(why)),
    )  # fmt: skip


def _why_red(suite: Suite, ended: BoundedEnd, cases: Sequence[TestCase]) -> str:
    """Why a run is not green, the plainest reason first; "" where nothing speaks against it."""
    if ended.code is None:
        return f"it was ended after {suite.seconds} seconds"
    if bad := bad_cases(cases):
        more = f" and {len(bad) - 1} more" if len(bad) > 1 else ""
        return f"{name_of(bad[0])} {'failed' if bad[0].outcome == 'failed' else 'broke'}{more}"
    if suite.counts and not any(case.executed for case in cases):
        return f"no test was executed ({describe_counts(cases)})"
    return f"exit {ended.code}" if ended.code else ""


def bad_cases(cases: Sequence[TestCase]) -> list[TestCase]:
    """The tests that failed or broke."""
    return [case for case in cases if case.outcome in ("failed", "error")]


def name_of(case: TestCase) -> str:
    """A case's name for people."""
    return to_one_line("::".join(filter(None, (case.group, case.name))))[:200] or "a test"


def _tail(ended: BoundedEnd) -> str:
    """The end of the output, without what would steer a terminal."""
    text = _CONTROL.sub("", "\n".join(ended.texts).replace("\r\n", "\n")).strip()
    return redact(text[-4 * LONGEST_TAIL :])[-LONGEST_TAIL:]
