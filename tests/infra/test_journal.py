"""Writes are whole or not at all: a process killed at any file operation leaves the old state or the new one."""

import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from rulec.domain.artifact import Artifact
from rulec.errors import RulecError
from rulec.infra import journal
from rulec.infra.git import git_session
from rulec.infra.state import state_dir

OLD = {"a.txt": "old a\n", ".rules/b.yaml": "old b\n", "gone.txt": "old c\n"}
NEW = {"a.txt": "new a\n", ".rules/b.yaml": "new b\n", ".rules/deep/d.txt": "new d\n"}
FILES = [*(Artifact(path=path, text=text) for path, text in NEW.items()), Artifact(path="gone.txt", text=None)]

# Kills the process right before its n-th operation on the file system or on git.
KILLER = """
import os, sys
from pathlib import Path
from rulec.infra.git import committing, git_session
from rulec.infra import journal
from tests.infra.test_journal import FILES
left = int(sys.argv[2])
def counted(function):
    def wrapper(*args, **kwargs):
        global left
        left -= 1
        if left < 0:
            os._exit(137)
        return function(*args, **kwargs)
    return wrapper
top = Path(sys.argv[1])
GIT = (git_session, ("git_output", "run_git"))
for module, names in ((os, ("replace", "fsync")), (Path, ("unlink", "mkdir", "rmdir")), GIT):
    for name in names:
        setattr(module, name, counted(getattr(module, name)))
parent = git_session.head_commit(top)
files = [committing.FileToCommit(f.path, f.text and f.text.encode()) for f in FILES]
commit = committing.make_commit(top, files, "New", parent)
journal.write_journaled(top, FILES, commit=(commit, parent, FILES))
"""


def _state(top: Path) -> dict[str, str]:
    files = [path for path in top.rglob("*") if path.is_file() and ".git" not in path.parts]
    return {path.relative_to(top).as_posix(): path.read_text() for path in files}


@pytest.fixture
def filled(repo: Path) -> Path:
    for path, text in OLD.items():
        (repo / path).parent.mkdir(exist_ok=True)
        (repo / path).write_text(text)
    git_session.git_output(repo, "add", "-A")
    git_session.git_output(repo, "commit", "-q", "-m", "Old")
    return repo


@pytest.mark.e2e
def test_a_kill_at_any_point_leaves_old_or_new(filled: Path) -> None:
    old_head = git_session.head_commit(filled)
    seen = set()
    for point in range(200):
        git_session.git_output(filled, "reset", "-q", "--hard", str(old_head))
        git_session.git_output(filled, "clean", "-qfd")
        argv = [sys.executable, "-c", KILLER, str(filled), str(point)]
        done = subprocess.run(argv, cwd=Path(__file__).parents[2], capture_output=True, check=False)
        with journal.write_lock(filled):
            pass
        new = git_session.head_commit(filled) != old_head
        seen.add(new)
        assert _state(filled) == (NEW if new else OLD), f"half a write after operation {point}"
        assert git_session.git_output(filled, "status", "--porcelain") == "", (
            f"work tree and commit differ after operation {point}"
        )
        if done.returncode == 0:
            break
        assert done.returncode == 137, done.stderr.decode()
    else:
        pytest.fail("the write never came to its end")
    assert seen == {False, True}


def test_a_second_writer_waits_is_told_for_whom_and_is_refused_at_last(
    repo: Path, caplog: pytest.LogCaptureFixture
) -> None:
    refused = pytest.raises(RulecError, match=r"another rulec .*\(process \d+\) is writing here")
    with journal.write_lock(repo), refused, journal.write_lock(repo, wait=1.2):
        pass
    assert "waiting for another rulec" in caplog.text
    with journal.write_lock(repo, wait=0):
        pass


def _lock_and_release(repo: Path) -> None:
    with journal.write_lock(repo):
        pass


def test_a_second_writer_goes_on_where_the_first_has_ended(repo: Path) -> None:
    with ThreadPoolExecutor() as pool:
        with journal.write_lock(repo):
            second = pool.submit(_lock_and_release, repo)
            with pytest.raises(TimeoutError):
                second.result(timeout=0.2)
        second.result(timeout=20)


def test_what_stands_in_the_lock_is_only_shown_where_a_rulec_wrote_it(repo: Path) -> None:
    lock = state_dir(repo) / "lock"
    with journal.write_lock(repo):
        lock.write_bytes(b"rulec \x1b[31m\xff")
        with pytest.raises(RulecError, match="another rulec is writing here"), journal.write_lock(repo, wait=0):
            pass


@pytest.mark.parametrize("path", ["../out.txt", "/tmp/out.txt", "link/x.txt", "self.txt"])
def test_nothing_is_written_outside_the_repository(repo: Path, tmp_path: Path, path: str) -> None:
    (repo / "link").symlink_to(tmp_path)
    (repo / "self.txt").symlink_to(tmp_path / "target.txt")
    with pytest.raises(RulecError):
        journal.write_journaled(repo, [Artifact(path=path, text="x")])
    assert not (tmp_path / "out.txt").exists()
    assert not (tmp_path / "target.txt").exists()
