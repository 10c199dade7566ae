"""What belongs together, at the real gates: a commit without its companion is refused, and so is a branch."""

import json
from pathlib import Path

import pytest

from tests.conftest import Run

CODE = "def load(a):\n    return a + 1\n"


@pytest.fixture
def tested(repo: Path, rulec: Run, git: Run) -> Path:
    """A repository whose rule wants tests with code, and which has some."""
    rulec("init", "--yes", "--agent", "claude-code")
    put(repo, "src/old.py", CODE)
    put(repo, "tests/test_old.py", "def test_load():\n    assert load(1)\n")
    git("add", "-A")
    git("commit", "-qm", "Begin")
    said = ("--check", "companion", "--with", "when=['@code']", "--with", "needs=['@tests']")
    alone = f"{{commit: Price it, files: {{src/price.py: {json.dumps(CODE)}}}}}"
    both = f"{{commit: Price it, files: {{src/price.py: {json.dumps(CODE)}, tests/test_price.py: 'assert load(1)'}}}}"
    shown = ("--invalid", alone, "--valid", both)
    rulec("add", "Changed code comes with tests.", *said, *shown, "--yes", "--enforcement", "block")
    return repo


def put(top: Path, path: str, text: str) -> None:
    """Write a file."""
    (top / path).parent.mkdir(parents=True, exist_ok=True)
    (top / path).write_text(text)


def test_code_alone_is_refused_and_goes_through_with_its_test(tested: Path, git: Run) -> None:
    put(tested, "src/new.py", CODE)
    git("add", "-A")
    refused = git("commit", "-m", "Load it", check=False)
    assert refused.returncode == 1
    assert "src/new.py is new without a test" in refused.stdout + refused.stderr
    put(tested, "tests/test_new.py", "def test_new():\n    assert load(1)\n")
    git("add", "-A")
    git("commit", "-m", "Load it")


def test_what_changes_no_code_goes_through(tested: Path, git: Run) -> None:
    put(tested, "README.md", "# Words\n")
    git("add", "-A")
    git("commit", "-m", "Say it")
    put(tested, "src/old.py", f"# Adds one.\n{CODE}")
    git("add", "-A")
    git("commit", "-m", "Comment on it")
    git("mv", "src/old.py", "src/load.py")
    git("commit", "-m", "Move it")
    git("rm", "-q", "src/load.py")
    git("commit", "-m", "Drop it")


def test_a_changed_line_of_old_code_is_no_old_finding(tested: Path, rulec: Run, git: Run) -> None:
    put(tested, "src/old.py", CODE.replace("+ 1", "+ 2"))
    git("add", "-A")
    assert "src/old.py changes without a test" in rulec("check", "--staged", code=1).stdout


def test_a_branch_is_judged_as_a_whole(tested: Path, rulec: Run, git: Run) -> None:
    base = git("rev-parse", "HEAD").stdout.strip()
    put(tested, "src/new.py", CODE)
    git("add", "-A")
    git("commit", "-qnm", "Load it")
    assert "is new without a test" in rulec("check", "--base", base, code=1).stdout
    put(tested, "tests/test_new.py", "def test_new():\n    assert load(1)\n")
    git("add", "-A")
    git("commit", "-qm", "Test it")
    rulec("check", "--base", base)


def test_files_at_hand_are_no_change(tested: Path, rulec: Run) -> None:
    rulec("check", "src/old.py")


def test_a_merge_brings_code_and_tests_together(tested: Path, git: Run) -> None:
    git("checkout", "-qb", "other")
    put(tested, "src/new.py", CODE)
    put(tested, "tests/test_new.py", "def test_new():\n    assert load(1)\n")
    git("add", "-A")
    git("commit", "-qm", "Load it")
    git("checkout", "-q", "-")
    put(tested, "README.md", "# Words\n")
    git("add", "-A")
    git("commit", "-qm", "Say it")
    git("merge", "--no-ff", "-m", "Take it in", "other")


def test_a_merge_is_not_asked_for_what_its_commits_brought(tested: Path, git: Run) -> None:
    git("switch", "-qc", "side")
    put(tested, "src/old.py", CODE.replace("+ 1", "+ 2"))
    git("commit", "-qam", "Theirs, from before the rule", "--no-verify")
    git("switch", "-q", "-")
    put(tested, "src/old.py", CODE.replace("+ 1", "+ 3"))
    put(tested, "tests/test_old.py", "def test_load():\n    assert load(3)\n")
    git("commit", "-qam", "Ours")
    assert git("merge", "side", check=False).returncode == 1
    put(tested, "src/old.py", CODE.replace("+ 1", "+ 5"))
    git("add", "-A")
    git("commit", "--no-edit")
