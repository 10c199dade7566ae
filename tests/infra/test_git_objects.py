"""The process that reads objects: what it answers, that it is one, and what it remembers."""

import os
import shutil
from pathlib import Path

import pytest

from rulec.infra.git import git_contents, git_objects, git_session
from tests.conftest import Run
from tests.support.counted import Counted

OLD_GIT = """#!/bin/sh
case "$*" in *--batch-command*) echo "error: unknown option" >&2; exit 129;; esac
exec "{git}" "$@"
"""


@pytest.fixture
def filled(repo: Path, git: Run) -> Path:
    (repo / "a/b").mkdir(parents=True)
    for number in range(300):
        (repo / "a/b" / f"{number}.txt").write_text(f"{number}\n" * number)
    (repo / "a b\nü").write_text("odd\n")
    (repo / "link").symlink_to("a")
    git("add", "-A")
    git("commit", "-qm", "Fill it")
    return repo


def _answers(top: Path) -> dict[str, str]:
    names = ["HEAD:a", "HEAD:a/b/7.txt", "HEAD:nothing", "no such", "HEAD", "HEAD:a b\nü"]
    found = git_objects.look_up_objects(top, names)
    assert [one and one.kind for one in found] == ["tree", "blob", None, None, "commit", None]
    assert git_objects.read_objects(top, names[1:4]) == [b"7\n" * 7, None, None]
    return git_contents.files_at_commit(top, "HEAD", "a", "a b\nü", "link", "gone", "a/b/7.txt/x")


def test_one_process_answers_every_question(filled: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    counted = Counted(tmp_path, monkeypatch)
    files = _answers(filled)
    assert files == {f"a/b/{n}.txt": f"{n}\n" * n for n in range(300)} | {"a b\nü": "odd\n"}
    assert counted.calls == ["cat-file --batch-command"]


def test_an_old_git_answers_the_same(filled: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    files = _answers(filled)
    (tmp_path / "old").mkdir()
    program = tmp_path / "old/git"
    program.write_text(OLD_GIT.format(git=shutil.which("git")))
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{program.parent}{os.pathsep}{os.environ['PATH']}")
    assert _answers(filled) == files


def test_what_is_committed_meanwhile_is_seen(filled: Path, git: Run) -> None:
    before = git_session.head_commit(filled)
    (filled / "a/b/7.txt").write_text("new\n")
    git("commit", "-qam", "Change it")
    assert git_session.head_commit(filled) != before
    assert git_contents.files_at_commit(filled, "HEAD", "a/b/7.txt") == {"a/b/7.txt": "new\n"}
    assert git_contents.files_at_commit(filled, "HEAD^", "a/b/7.txt") == {"a/b/7.txt": "7\n" * 7}


def test_what_is_staged_meanwhile_is_seen(filled: Path, git: Run) -> None:
    assert git_contents.read_blobs(filled, [":a/b/1.txt"]) == [b"1\n"]
    (filled / "a/b/1.txt").write_text("new\n")
    git("add", "-A")
    assert git_contents.read_blobs(filled, [":a/b/1.txt"]) == [b"new\n"]


def test_a_process_that_was_ended_is_started_again(filled: Path) -> None:
    assert git_session.head_commit(filled)
    for reader in git_objects._READERS.values():
        for process in reader.processes.values():
            process._process.kill()
    assert git_session.head_commit(filled)


def test_settings_are_read_anew_once_somebody_writes_them(filled: Path, git: Run) -> None:
    assert not git_session.is_git_config_on(filled, "commit.gpgSign")
    git("config", "commit.gpgsign", "yes")
    git("config", "remote.Origin.url", "here")
    assert git_session.is_git_config_on(filled, "commit.gpgSign")
    assert git_session.git_config(filled, "Remote.Origin.URL") == "here"
    assert git_session.git_config(filled, "remote.origin.url") == ""


def test_the_branch_of_head_is_read_without_git(filled: Path, git: Run) -> None:
    assert git_session.current_branch(filled) == "refs/heads/main"
    git("checkout", "-q", "--detach")
    assert not git_session.current_branch(filled)
    git("checkout", "-q", "--orphan", "new/one")
    assert git_session.current_branch(filled) == "refs/heads/new/one"
