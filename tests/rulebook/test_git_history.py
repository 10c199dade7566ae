"""History as GitPython reads it: merges, renames, shallow clones, odd names, lines that nobody has committed."""

import subprocess
import sys
from pathlib import Path

import pytest

from rulec.errors import RulecError
from rulec.rulebook import git_history
from rulec.rulebook.git_history import LineAuthor
from tests.conftest import Run

RULE, EVIDENCE = ".rules/use-uv.yaml", ".rules/evidence/use-uv"


def _write(top: Path, path: str, text: str) -> None:
    (top / path).parent.mkdir(parents=True, exist_ok=True)
    (top / path).write_text(text)


@pytest.fixture
def history(repo: Path, git: Run) -> Path:
    """A rule that came to be under another name, was changed on two branches, and was merged."""
    _write(repo, ".rules/use-pip.yaml", "".join(f"line {number}\n" for number in range(9)))
    git("add", "-A")
    git("commit", "-qm", "Add\na rule\n\nBody of it.\n\nResolution: NEW use-pip\n")
    git("mv", ".rules/use-pip.yaml", RULE)
    _write(repo, f"{EVIDENCE}/a.yaml", "a\n")
    git("add", "-A")
    git("commit", "-qm", "Rename it")
    git("checkout", "-qb", "side")
    _write(repo, f"{EVIDENCE}/b.yaml", "b\n")
    git("add", "-A")
    git("commit", "-qm", "Observe", "--author=J\xf6rg <j@example.com>")
    git("checkout", "-q", "main")
    _write(repo, "README.md", "# Read\n")
    git("rm", "-q", f"{EVIDENCE}/a.yaml")
    git("add", "-A")
    git("commit", "-qm", "Write it down")
    git("merge", "-q", "--no-ff", "-m", "Merge side", "side")
    return repo


def _told(top: Path, *paths: str, start: str = "") -> list[tuple[str, tuple[tuple[str, str], ...]]]:
    return [(commit.subject, commit.touched) for commit in git_history.commits_touching(top, *paths, start=start)]


def test_commits_are_listed_with_what_they_did_to_the_paths(history: Path, git: Run) -> None:
    found = _told(history, RULE, EVIDENCE, ".rules/use-pip.yaml")
    assert sorted(found) == [
        ("Add a rule", (("A", ".rules/use-pip.yaml"),)),
        ("Observe", (("A", f"{EVIDENCE}/b.yaml"),)),
        ("Rename it", (("A", f"{EVIDENCE}/a.yaml"), ("D", ".rules/use-pip.yaml"), ("A", RULE))),
        ("Write it down", (("D", f"{EVIDENCE}/a.yaml"),)),
    ]
    assert _told(history, RULE, start="HEAD~2") == [("Rename it", (("A", RULE),))]
    assert _told(history, "gone.yaml") == []
    (first,) = git_history.commits_touching(history, ".rules/use-pip.yaml", start="HEAD~3")
    assert first.body.strip() == "Body of it.\n\nResolution: NEW use-pip"
    assert (first.author, first.parents, first.edge) == ("Dev", (git("rev-parse", "HEAD~4").stdout.strip(),), False)
    assert first.at == git("log", "-1", "--format=%aI", first.id).stdout.strip().replace("Z", "+00:00")


def test_a_merge_is_listed_where_it_holds_what_no_side_held(history: Path, git: Run) -> None:
    _write(history, RULE, "mine\n")
    git("add", "-A")
    git("commit", "-q", "--amend", "--no-edit")
    assert ("Merge side", (("M", RULE),)) in _told(history, RULE)


def test_the_edge_of_a_shallow_clone_is_marked(history: Path, git: Run, tmp_path: Path) -> None:
    git("clone", "-q", "--depth=2", f"file://{history}", str(tmp_path / "shallow"))
    found = git_history.commits_touching(tmp_path / "shallow", RULE, EVIDENCE)
    assert found
    assert all(commit.edge and not commit.parents for commit in found)


def test_former_names_are_found(history: Path) -> None:
    assert git_history.former_names(history, RULE) == [".rules/use-pip.yaml"]
    assert git_history.former_names(history, "README.md") == []
    assert git_history.former_names(history, RULE, "HEAD~3") == []


def test_lines_say_who_wrote_them_and_where(history: Path) -> None:
    lines = (history / RULE).read_text().splitlines()
    _write(history, RULE, "\n".join(["new", *lines[1:]]) + "\n")
    found = git_history.blame_lines(history, RULE)
    assert found[1] == LineAuthor(number=1)
    assert (found[2].author, found[2].number, found[2].at[-1], len(found[2].day)) == ("Dev", 2, "Z", 10)
    assert list(git_history.blame_lines(history, RULE, [3])) == [3]
    assert git_history.blame_lines(history, RULE, []) == {}
    assert git_history.blame_lines(history, "none.yaml") == {}


def test_odd_names_are_paths_like_others(repo: Path, git: Run) -> None:
    name = ".rules/a b\nü.yaml"
    _write(repo, name, "x\n")
    git("add", "-A")
    git("commit", "-qm", "Add it")
    assert _told(repo, name) == [("Add it", (("A", name),))]
    assert git_history.blame_lines(repo, name)[1].author == "Dev"


def test_without_a_commit_there_is_no_history(tmp_path: Path) -> None:
    subprocess.run(["git", "init", "-q", str(tmp_path)], check=True)
    assert git_history.commits_touching(tmp_path, RULE) == []
    assert git_history.former_names(tmp_path, RULE) == []


def test_what_git_refuses_is_said(repo: Path) -> None:
    with pytest.raises(RulecError, match="git failed: fatal: bad revision 'nowhere'"):
        git_history.commits_touching(repo, RULE, start="nowhere")


def test_the_library_is_loaded_only_when_history_is_read() -> None:
    code = "import sys, rulec.cli.main, rulec.services.history.rule_history; print('git' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "False\n"
