"""Throw-away git repositories: an empty one, and one that has the rulebook of another's HEAD."""

import shutil
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

from rulec.infra import state
from rulec.infra.git import git_session
from rulec.infra.processes import ToolResult, run_tool
from rulec.rulebook import file_paths


@contextmanager
def empty_repository() -> Iterator[Path]:
    """An empty one; it is gone afterwards."""
    with tempfile.TemporaryDirectory(prefix="rulec-", ignore_cleanup_errors=True) as name:
        folder = Path(name).resolve() / "repository"
        folder.mkdir()
        git_session.git_output(folder, "init", "-q", "--template=")
        yield folder


def write_files(folder: Path, files: Mapping[str, str]) -> None:
    """Write files into it."""
    for path, text in files.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text, "utf-8")


GATE_SECONDS = 120.0
_AUTHOR = ("-c", "user.name=rulec", "-c", "user.email=rulec@localhost")


@contextmanager
def rulebook_repository(top: Path) -> Iterator[Path]:
    """A commit of HEAD's rulebook and nothing else; what a hook needs to find rulec is there, too."""
    with tempfile.TemporaryDirectory(prefix="rulec-", ignore_cleanup_errors=True) as name:
        folder = Path(name).resolve()
        form = git_session.git_output(top, "rev-parse", "--show-object-format").strip()
        git_session.git_output(folder, "init", "-q", "--template=", f"--object-format={form}")
        objects = (top / git_session.git_output(top, "rev-parse", "--git-path", "objects").rstrip("\n")).resolve()
        (folder / ".git/objects/info").mkdir(exist_ok=True)
        (folder / ".git/objects/info/alternates").write_text(f"{objects}\n")
        rules = git_session.git_output(top, "rev-parse", f"HEAD:{file_paths.RULES}").strip()
        tree = git_session.git_output(
            folder, "mktree", stdin=f"040000 tree {rules}\t{file_paths.RULES}\n".encode()
        ).strip()
        made = git_session.git_output(folder, *_AUTHOR, "commit-tree", "-m", "Rules", tree).strip()
        git_session.git_output(folder, "update-ref", "HEAD", made)
        for found in (state.state_dir(top) / name for name in (state.PYTHON_FILE, state.PACKAGE_FILE)):
            if found.is_file():
                shutil.copy(found, state.state_dir(folder))
        yield folder


def stage_only(folder: Path, files: Mapping[str, str]) -> None:
    """These files and no others beside the rulebook."""
    git_session.git_output(folder, "read-tree", "HEAD")
    for path, text in files.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_bytes(text.encode("utf-8", "replace"))
    git_session.git_output(folder, "add", "-f", "--", *files)


def run_gate(argv: Sequence[str], folder: Path) -> tuple[ToolResult, float]:
    """A gate's own command line there, and the milliseconds it took."""
    start = time.perf_counter()
    done = run_tool(argv, cwd=folder, seconds=GATE_SECONDS)
    return done, (time.perf_counter() - start) * 1000
