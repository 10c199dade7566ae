"""Every commit of a history is the change that its gate saw, whatever its kind."""

import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from rulec.domain.change import Change
from rulec.infra.git import commit_changes
from rulec.infra.git.commit_changes import PastCommits
from tests.conftest import Run

Shown = dict[str, tuple[str, tuple[tuple[int, int], ...] | None]]


def shown(change: Change | None) -> Shown:
    assert change is not None
    return {file.path: (file.status, file.added) for file in change.files}


@pytest.fixture
def write(repo: Path, git: Run) -> Callable[..., str]:
    """Write files (None deletes), commit them, and say the commit's name."""

    def act(message: str, **files: str | None) -> str:
        for name, text in files.items():
            path = repo / name.replace("__", "/").replace("_", ".")
            path.parent.mkdir(exist_ok=True)
            path.unlink(missing_ok=True) if text is None else path.write_text(text)
        git("add", "-A")
        git("commit", "-qm", message)
        return git("rev-parse", "HEAD").stdout.strip()

    return act


def test_each_commit_is_what_it_did_to_its_parent(repo: Path, git: Run, write: Callable[..., str]) -> None:
    first = write("First", a_py="1\n2\n3\n", b_py="b\n" * 40)
    second = write("Second\n\nWith a body.", a_py="1\ntwo\n3\n", c_py="c\n")
    git("mv", "b.py", "moved.py")
    third = write("Third", c_py=None)
    history = PastCommits(repo, 200)
    assert [made.subject for made in history.made] == ["Third", "Second", "First", "Start"]
    found = history.changes(history.made)
    assert shown(found[first]) == {"a.py": ("A", None), "b.py": ("A", None)}
    assert shown(found[second]) == {"a.py": ("M", ((2, 2),)), "c.py": ("A", None)}
    assert shown(found[third]) == {"c.py": ("D", None), "moved.py": ("R", None)}
    assert shown(found[history.made[-1].id]) == {}
    after = found[second]
    assert after
    assert after.message == "Second\n\nWith a body.\n"
    assert after.files[0].base == b"1\n2\n3\n"
    assert after.tree
    assert after.tree.paths() == {"a.py", "b.py", "c.py"}
    assert after.tree.read("c.py") == "c\n"


def test_a_merge_is_what_neither_side_brought(repo: Path, git: Run, write: Callable[..., str]) -> None:
    write("Base", a_py="1\n2\n3\n4\n5\n")
    git("switch", "-qc", "side")
    write("Side", a_py="1\n2\n3\n4\nfive\n", side_py="s\n")
    git("switch", "-q", "main")
    write("Main", a_py="one\n2\n3\n4\n5\n", main_py="m\n")
    git("merge", "-q", "--no-commit", "side")
    merge = write("Merge side", a_py="one\n2\nTHREE\n4\nfive\n")
    history = PastCommits(repo, 200)
    assert len(history.made) == 5
    assert shown(history.changes(history.made)[merge]) == {"a.py": ("M", ((3, 3),))}


NAMES = ["a b.py", "-n.py", "ü.py", 'quo"te.py', "new\nline.py", "@@ -1 +1 @@.py"]


def test_no_name_and_no_content_is_taken_for_the_next_commit(repo: Path, git: Run) -> None:
    for name in NAMES:
        known = git("rev-parse", "HEAD").stdout.strip()
        (repo / name).write_text(f"{known}\0x\n{known}\n")
        (repo / f"x\n{known}").write_text("x\n")
        git("add", "-A")
        git("commit", "-qm", f"Add {name.splitlines()[0]}")
    history = PastCommits(repo, 4)
    found = history.changes(history.made)
    assert [made.subject for made in history.made] == [f"Add {name.splitlines()[0]}" for name in NAMES[:1:-1]]
    assert [next(p for p in shown(found[made.id]) if p[0] != "x") for made in history.made] == NAMES[:1:-1]


def test_what_a_shallow_clone_begins_with_is_no_commit_of_everything(
    repo: Path, tmp_path: Path, write: Callable[..., str]
) -> None:
    for number in range(4):
        write(f"Step {number}", a_py=f"{number}\n")
    clone = tmp_path / "clone"
    subprocess.run(["git", "clone", "-q", "--depth", "3", repo.as_uri(), str(clone)], check=True)
    history = PastCommits(clone, 200)
    assert [made.subject for made in history.made] == ["Step 3", "Step 2"]
    assert history.cut == 1
    assert PastCommits(repo, 3).cut == 0


def test_a_commit_that_is_too_large_is_said_to_be(
    repo: Path, write: Callable[..., str], monkeypatch: pytest.MonkeyPatch
) -> None:
    small = write("Small", a_py="1\n")
    large = write("Large", **{f"f{number}_py": "x\n" for number in range(4)})
    heavy = write("Heavy", h_py="x" * 900)
    monkeypatch.setattr(commit_changes, "MOST_FILES", 3)
    monkeypatch.setattr(commit_changes, "MOST_BYTES", 800)
    history = PastCommits(repo, 200)
    found = history.changes(history.made)
    assert (found[large], found[heavy]) == (None, None)
    assert shown(found[small]) == {"a.py": ("A", None)}


def test_a_repository_without_commits_has_no_history(tmp_path: Path) -> None:
    subprocess.run(["git", "init", "-q", str(tmp_path)], check=True)
    assert PastCommits(tmp_path, 200).made == ()
