"""A throw-away repository that has the commits of another: what is staged there touches nothing of the person's."""

import shutil
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

from rulec.host import git, journal, state, worktree
from rulec.host.call import Called, call

SECONDS = 120.0
_AUTHOR = ("-c", "user.name=rulec", "-c", "user.email=rulec@localhost")


@contextmanager
def repository(top: Path) -> Iterator[Path]:
    """A commit of HEAD's rulebook and nothing else; what a hook needs to find rulec is there, too."""
    with tempfile.TemporaryDirectory(prefix="rulec-", ignore_cleanup_errors=True) as name:
        folder = Path(name).resolve()
        form = git.must(top, "rev-parse", "--show-object-format").strip()
        git.must(folder, "init", "-q", "--template=", f"--object-format={form}")
        objects = (top / git.must(top, "rev-parse", "--git-path", "objects").rstrip("\n")).resolve()
        (folder / ".git/objects/info").mkdir(exist_ok=True)
        (folder / ".git/objects/info/alternates").write_text(f"{objects}\n")
        rules = git.must(top, "rev-parse", f"HEAD:{worktree.RULES}").strip()
        tree = git.must(folder, "mktree", stdin=f"040000 tree {rules}\t{worktree.RULES}\n".encode()).strip()
        made = git.must(folder, *_AUTHOR, "commit-tree", "-m", "Rules", tree).strip()
        git.must(folder, "update-ref", "HEAD", made)
        for found in (journal.state_dir(top) / name for name in (state.PYTHON, state.PACKAGE)):
            if found.is_file():
                shutil.copy(found, journal.state_dir(folder))
        yield folder


def stage(folder: Path, files: Mapping[str, str]) -> None:
    """These files and no others beside the rulebook."""
    git.must(folder, "read-tree", "HEAD")
    for path, text in files.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_bytes(text.encode("utf-8", "replace"))
    git.must(folder, "add", "-f", "--", *files)


def fire(argv: Sequence[str], folder: Path) -> tuple[Called, float]:
    """A gate's own command line there, and the milliseconds it took."""
    start = time.perf_counter()
    done = call(argv, cwd=folder, seconds=SECONDS)
    return done, (time.perf_counter() - start) * 1000
