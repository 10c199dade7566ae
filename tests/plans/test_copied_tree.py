"""A copy of the repository in which a suite runs: a commit's files, and over them what the work tree holds."""

from pathlib import Path

import pytest

from rulec.infra.test_runs.red_without import copied_tree
from tests.conftest import Run

FILES = {"a.txt": "one\n", "gone.txt": "x\n", "folder/b.txt": "b\n", "kept.txt": "k\n", ".gitignore": ".venv/\n"}


@pytest.fixture
def work(repo: Path, git: Run) -> Path:
    for path, text in FILES.items():
        (repo / path).parent.mkdir(exist_ok=True)
        (repo / path).write_text(text)
    git("add", "-A")
    git("commit", "-qm", "x")
    (repo / ".venv").mkdir()
    return repo


def _shown(tree: Path) -> dict[str, str]:
    files = (path for path in tree.rglob("*") if ".git" not in path.relative_to(tree).parts and not path.is_dir())
    return {
        path.relative_to(tree).as_posix(): f"-> {path.readlink()}" if path.is_symlink() else path.read_text()
        for path in files
    }


def test_only_what_is_named_is_laid_over_the_commit(work: Path) -> None:
    (work / "a.txt").write_text("two\n")
    (work / "kept.txt").write_text("changed\n")
    (work / "gone.txt").unlink()
    (work / "new \u00e4.sh").write_text("#!/bin/sh\n")
    (work / "new \u00e4.sh").chmod(0o755)
    (work / "link").symlink_to("a.txt")
    (work / "folder/b.txt").unlink()
    (work / "folder").rmdir()
    (work / "folder").write_text("a file now\n")
    laid = ["a.txt", "gone.txt", "new \u00e4.sh", "link", "folder", "folder/b.txt"]
    with copied_tree(work, "HEAD", laid) as tree:
        assert {path: text for path, text in _shown(tree).items() if path not in (".gitignore", ".venv")} == {
            "a.txt": "two\n", "new \u00e4.sh": "#!/bin/sh\n", "link": "-> a.txt", "folder": "a file now\n",
            "kept.txt": "k\n",
        }  # fmt: skip
        assert (tree / "new \u00e4.sh").stat().st_mode & 0o100
        assert (tree / ".venv").readlink() == work / ".venv"
    assert not tree.exists()
    with copied_tree(work, "HEAD", []) as tree:
        assert {path: _shown(tree).get(path) for path in FILES} == FILES


def test_nothing_is_read_or_kept_behind_a_link_to_another_folder(work: Path, tmp_path: Path) -> None:
    (tmp_path / "outside").mkdir()
    (tmp_path / "outside/b.txt").write_text("secret\n")
    (work / "folder/b.txt").unlink()
    (work / "folder").rmdir()
    (work / "folder").symlink_to(tmp_path / "outside")
    with copied_tree(work, "HEAD", ["folder", "folder/b.txt"]) as tree:
        assert (tree / "folder").readlink() == tmp_path / "outside"
        assert "folder/b.txt" not in _shown(tree)
