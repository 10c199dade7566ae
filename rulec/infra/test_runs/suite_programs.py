"""Which program a suite starts and with which variables: nothing that an agent's shell sets can change either."""

import os
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

from rulec.errors import RulecError
from rulec.rulebook import file_paths
from rulec.rulebook.test_suites import REPORT_PLACE, Suite

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
