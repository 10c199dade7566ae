"""Repositories for the laws: made once, copied often; verbs run in this process, as a person would type them."""

import contextlib
import io
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest

from rulec.cli import main
from rulec.infra import journal
from rulec.infra.git import git_contents
from rulec.infra.rulebooks import extensions
from rulec.rulebook import file_paths
from rulec.services import rulebook_commit

Texts = Mapping[str, str | None]
WORLD = {
    "GIT_CONFIG_NOSYSTEM": "1",
    "GIT_AUTHOR_NAME": "Dev",
    "GIT_AUTHOR_EMAIL": "dev@example.com",
    "GIT_COMMITTER_NAME": "Dev",
    "GIT_COMMITTER_EMAIL": "dev@example.com",
}


def at(home: Path) -> dict[str, str]:
    """The environment that every test has: a fixed git identity, a home of its own, and nobody's certificates.

    A client of a model reads the machine's for each address and proxy, 35 ms a time; servers here speak plain HTTP.
    """
    certificates = {"SSL_CERT_FILE": "", "SSL_CERT_DIR": str(home)}
    return {**WORLD, **certificates, "HOME": str(home), "XDG_CONFIG_HOME": str(home / ".config")}


@dataclass(frozen=True, slots=True)
class Said:
    """What a verb left behind."""

    code: int
    out: str
    err: str


@contextlib.contextmanager
def inside(top: Path) -> Iterator[None]:
    """In that folder for a while, in an environment that is as before when it is left."""
    before, environment = Path.cwd(), dict(os.environ)
    os.chdir(top)
    try:
        yield
    finally:
        os.chdir(before)
        if environment != dict(os.environ):
            os.environ.clear()
            os.environ.update(environment)


def act(top: Path, *argv: str, code: int | None = 0, stdin: str = "") -> Said:
    """One rulec command in a repository, in this process; with no terminal, as in a script."""
    out, err = _stream(), _stream()
    ended = 0
    with inside(top), contextlib.redirect_stdout(out), contextlib.redirect_stderr(err), _typed(stdin):
        try:
            main.main(argv)
        except SystemExit as end:
            ended = int(end.code or 0)
    return _checked(Said(ended, _told(out), _told(err)), argv, code)


def begin(top: Path, *argv: str, code: int | None = 0, stdin: str = "") -> Said:
    """The same in a process of its own."""
    line = [sys.executable, "-m", "rulec", *argv]
    done = subprocess.run(line, cwd=top, capture_output=True, text=True, input=stdin, check=False)
    return _checked(Said(done.returncode, done.stdout, done.stderr), argv, code)


def _checked(said: Said, argv: Sequence[str], code: int | None) -> Said:
    assert code is None or said.code == code, f"{argv}: exit {said.code}\n{said.out}\n{said.err}"
    assert "Traceback" not in said.err
    return said


class _Typed(io.BytesIO):
    name = "<stdin>"


def _stream(text: str = "") -> io.TextIOWrapper:
    return io.TextIOWrapper(_Typed(text.encode()), encoding="utf-8", write_through=True)


def _told(stream: io.TextIOWrapper) -> str:
    stream.flush()
    stream.seek(0)
    return stream.read()


@contextlib.contextmanager
def _typed(text: str) -> Iterator[None]:
    before, sys.stdin = sys.stdin, _stream(text)
    try:
        yield
    finally:
        sys.stdin = before


def run(top: Path, *argv: str, code: int | None = 0) -> str:
    """One git command in a repository; what it said."""
    done = subprocess.run(["git", *argv], cwd=top, capture_output=True, text=True, check=False)
    assert code is None or done.returncode == code, f"git {argv}: exit {done.returncode}\n{done.stdout}\n{done.stderr}"
    return done.stdout + done.stderr


def copy(top: Path, into: Path) -> Path:
    """A repository with its history, its hooks and its settings, somewhere else."""
    shutil.rmtree(into, ignore_errors=True)
    shutil.copytree(top, into, symlinks=True)
    run(into, "update-index", "-q", "--refresh")
    return into


def book_files(top: Path, revision: str = "HEAD") -> dict[str, str]:
    """The rulebook's own files as a commit holds them."""
    files = git_contents.files_at_commit(top, revision, file_paths.RULES)
    return {path: text for path, text in files.items() if extensions.is_rulebook_file(path)}


def changed(top: Path, before: str) -> dict[str, str | None]:
    """What the last commits did to the rulebook's own files."""
    old, new = book_files(top, before), book_files(top)
    return {path: new.get(path) for path in sorted({*old, *new}) if old.get(path) != new.get(path)}


def again(top: Path, name: str, texts: Texts) -> None:
    """The same change on another branch, as the verb that made it would write it there."""
    with journal.write_lock(top):
        rulebook_commit.commit_rulebook_change(top, texts, f"{name}\n")


def settled(top: Path) -> str:
    """The tree after compile, committed if it changed anything."""
    act(top, "compile")
    run(top, "add", "-A")
    if run(top, "status", "--porcelain"):
        run(top, "commit", "-q", "--no-verify", "-m", "Compile the rules")
    return run(top, "rev-parse", "HEAD^{tree}").strip()


@contextlib.contextmanager
def at_home(home: Path, **more: str) -> Iterator[None]:
    """As every test has it, for what is made once for many tests: a fixed git identity, a home of its own."""
    with pytest.MonkeyPatch.context() as patch:
        for name in [name for name in os.environ if name.startswith("GIT_")]:  # of a git that runs the tests
            patch.delenv(name)
        for name, value in {**at(home), **more}.items():
            patch.setenv(name, value)
        yield


def founded(top: Path, *wishes: str) -> Path:
    """A new repository with gates, a document of the team's and a rule for each wish, all of it committed."""
    top.mkdir(parents=True)
    run(top, "init", "-q", "-b", "main", "--template=")
    (top / "AGENTS.md").write_text("# Agents\n\nBe kind.\n")
    run(top, "add", "-A")
    run(top, "commit", "-qm", "Start")
    act(top, "init", "--yes", "--agent", "claude-code", "--no-ci")
    run(top, "add", "-A")
    run(top, "commit", "-qm", "Put up the gates")
    for wish in wishes:
        act(top, "add", wish, "--yes", "--enforcement", "block")
    run(top, "gc", "-q")  # it is copied often
    return top
