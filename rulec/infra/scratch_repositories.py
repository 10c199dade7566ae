"""Throw-away git repositories: empty, or with the rulebook of another's HEAD."""

import os
import shutil
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from rulec.checkout.rules_layout import LAUNCHER_COPY, RECORD
from rulec.infra import state
from rulec.infra.git import git_contents, git_session
from rulec.infra.processes import ToolResult, run_tool
from rulec.rulebook import file_paths

GATE_SECONDS = 120.0
_AUTHOR = ("-c", "user.name=rulec", "-c", "user.email=rulec@localhost", "-c", "commit.gpgsign=false")


@contextmanager
def scratch_repository(
    source: Path | None = None, *, holds: Literal["nothing", "rulebook"] = "nothing", within: Path | None = None
) -> Iterator["ScratchRepository"]:
    """A repository that is deleted afterwards; ``holds`` says how much of HEAD of ``source`` is its HEAD.

    It lies ``within`` a folder, else where temporary files do.
    """
    with tempfile.TemporaryDirectory(prefix="rulec-", dir=within, ignore_cleanup_errors=True) as name:
        top = Path(name).resolve() / "repository"
        top.mkdir()
        made = ScratchRepository(top)
        made.git("init", "-q", "--template=", *_object_format(source))
        (top / ".git" / "info").mkdir(exist_ok=True)
        if source is not None:
            _borrow_objects(source, top)
            _record_rulec(source, top)
        if source is not None and holds == "rulebook":
            rules = git_contents.tree_ids(source, [f"HEAD:{file_paths.RULES}"])[0]
            tree = made.git("mktree", stdin=f"040000 tree {rules}\t{file_paths.RULES}\n".encode())
            made.git("update-ref", "HEAD", made.git(*_AUTHOR, "commit-tree", "-m", "Rules", tree))
        yield made


@dataclass(frozen=True, slots=True)
class ScratchRepository:
    """A throw-away repository and what can be done in it."""

    top: Path

    def git(self, *args: str, stdin: bytes = b"") -> str:
        """The output of a git command that has to succeed."""
        return git_session.git_output(self.top, *args, stdin=stdin).strip()

    def write(self, files: Mapping[str, str]) -> None:
        """Write files into the work tree."""
        for path, text in files.items():
            (self.top / path).parent.mkdir(parents=True, exist_ok=True)
            (self.top / path).write_bytes(text.encode("utf-8", "replace"))

    def stage_only(self, files: Mapping[str, str]) -> None:
        """Write files and stage them and nothing else."""
        self.git("read-tree", "HEAD")
        self.write(files)
        self.git("add", "-f", "--", *files)

    def commit(self, subject: str) -> None:
        """Commit all files, also ignored ones; no hook runs."""
        self.git("add", "-A", "-f")
        self.git(*_AUTHOR, "commit", "-q", "--no-verify", "--allow-empty", "-m", subject)

    def run_gate(
        self, argv: Sequence[str], *, stdin: bytes = b"", environment: Mapping[str, str] | None = None,
        seconds: float = GATE_SECONDS,
    ) -> tuple[ToolResult, float]:  # fmt: skip
        """Run a gate's command line there: its result, and the milliseconds it took."""
        start = time.perf_counter()
        done = run_tool(argv, cwd=self.top, stdin=stdin, environment=environment, seconds=seconds)
        return done, (time.perf_counter() - start) * 1000


def _object_format(source: Path | None) -> list[str]:
    return [f"--object-format={git_session.object_format(source)}"] if source else []


def _borrow_objects(source: Path, top: Path) -> None:
    """Let a repository read the objects of another, which are not copied."""
    info = top / ".git" / "objects" / "info"
    info.mkdir(exist_ok=True)
    (info / "alternates").write_bytes(os.fsencode(git_session.git_path(source, "objects").resolve()) + b"\n")
    if git_session.shallow_boundary(source):
        shutil.copy(git_session.git_path(source, "shallow"), top / ".git" / "shallow")


def _record_rulec(source: Path, top: Path) -> None:
    """Copy what a git hook needs to find rulec."""
    for name in (LAUNCHER_COPY, RECORD):
        place = state.state_dir_path(source) / name
        if place.is_file():
            shutil.copy(place, state.state_dir(top))
