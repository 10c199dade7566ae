"""Reading objects: what is answered, by how many processes, and that nothing is remembered."""

from pathlib import Path

import pytest

from rulec.errors import RulecError
from rulec.infra.git import git_changes, git_contents, git_session
from tests.conftest import Run
from tests.support.counted import Counted


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


def _answers(top: Path) -> None:
    names = ["HEAD:a", "HEAD:a/b/7.txt", "HEAD:nothing", "no such", "HEAD", "HEAD:a b\nü"]
    found = git_session.look_up_objects(top, names)
    assert [one and one.kind for one in found] == ["tree", "blob", None, None, "commit", None]
    assert [one and one.data for one in git_session.read_objects(top, names[1:4])] == [b"7\n" * 7, None, None]


def test_a_folder_of_many_files_takes_one_process(
    filled: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    _answers(filled)
    counted = Counted(tmp_path, monkeypatch)
    files = git_contents.files_at_commit(filled, "HEAD", "a", "a b\nü", "link", "gone", "a/b/7.txt/x")
    assert files == {f"a/b/{n}.txt": f"{n}\n" * n for n in range(300)} | {"a b\nü": "odd\n"}
    assert [call.split()[0] for call in counted.calls] == ["cat-file"]


def test_of_what_is_too_large_only_the_beginning_is_read(filled: Path, git: Run) -> None:
    (filled / "large").write_bytes(b"x" * 3_000_000)
    git("add", "-A")
    names = [":a/b/1.txt", ":large", ":a/b/2.txt"]
    found = [
        (one.size, len(one.data), one.is_whole) for one in git_session.read_objects(filled, names, 2_000_000) if one
    ]
    assert found == [(2, 2, True), (3_000_000, git_session.HEAD_BYTES, False), (4, 4, True)]
    assert git_contents.read_blobs(filled, names, 3) == [b"1\n", None, None]


def test_a_damaged_repository_says_so(filled: Path, git: Run) -> None:
    (tree,) = git_contents.tree_ids(filled, ["HEAD:a"])
    place = filled / ".git/objects" / tree[:2] / tree[2:]
    place.chmod(0o600)
    place.write_bytes(b"")
    with pytest.raises(RulecError, match="a cannot be read at HEAD"):
        git_contents.files_at_commit(filled, "HEAD", "a")
    with pytest.raises(RulecError, match="a cannot be read at HEAD"):
        git_changes.staged_beside(filled, "a/b")


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
