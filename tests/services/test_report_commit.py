"""What gates saw becomes evidence once, in one commit."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from rulec.checkout import ledger
from rulec.gates import gate_ledger
from rulec.infra import state
from rulec.infra.rulebooks import rulebook_files
from tests.conftest import Run
from tests.support import rules

LINE = {"event": "ask", "agent": "codex", "slug": "use-pnpm", "outcome": "block", "kind": "command", "of": "npm"}


@pytest.fixture
def book(repo: Path) -> Path:
    """A repository with a rulebook of three rules."""
    rules.fill(repo)
    return repo


def note(top: Path, *found: dict[str, Any]) -> None:
    ledger.append(str(top), [{**LINE, **one} for one in found])


def seen(top: Path, slug: str = "use-pnpm") -> list[tuple[str, int]]:
    """Kinds of evidence that count something, and how much."""
    evidence = rulebook_files.load_rulebook(top).observed(slug)
    return sorted((one.kind, sum(count.times for count in one.seen)) for one in evidence if one.seen)


def test_lines_become_evidence_in_one_commit_and_never_again(book: Path, rulec: Run, git: Run) -> None:
    note(book, {}, {"times": 3}, {"outcome": "fixed"}, {"slug": "no-stash", "outcome": "audit"})
    note(book, {"slug": "rulec-gate"}, {"slug": "plain-words", "outcome": "unheard-of"})
    said = rulec("report", "--commit", "--yes").stdout
    assert "counted 6 observations about 2 rules: commit " in said
    assert "use-pnpm: 4 blocked, 1 fixed" in said
    assert seen(book) == [("fired", 4), ("fixed", 1)]
    assert seen(book, "no-stash") == [("fired", 1)]
    message = git("log", "-1", "--format=%B").stdout
    assert "Resolution: NOOP no-stash, use-pnpm -- counted 6 observations" in message
    assert message.strip().splitlines()[-1].startswith("Evidence: ")
    assert set(git("show", "--name-only", "--format=", "HEAD").stdout.split()) == {
        path.relative_to(book).as_posix()
        for path in book.glob(".rules/evidence/*/*.yaml")
        if "seen:" in path.read_text()
    }
    assert git("status", "--porcelain").stdout == ""
    assert rulec("report", "--commit", "--yes").stdout == "nothing new was counted\n"
    note(book, {})
    rulec("report", "--commit", "--yes")
    assert seen(book) == [("fired", 1), ("fired", 4), ("fixed", 1)]
    rulec("compile", "--check")


@pytest.mark.parametrize("undo", [("reset", "-q", "--hard", "HEAD~1"), ("revert", "--no-edit", "HEAD")])
def test_what_was_taken_back_is_not_folded_again_and_the_report_still_knows_it(
    book: Path, rulec: Run, git: Run, undo: tuple[str, ...]
) -> None:
    note(book, {}, {"outcome": "fixed"})
    rulec("report", "--commit", "--yes")
    git(*undo)
    assert rulec("report", "--commit", "--yes").stdout == "nothing new was counted\n"
    (row,) = [one for one in _rows(rulec) if one["slug"] == "use-pnpm"]
    assert (row["fired"], row["fixed"]) == (1, 1)


def _rows(rulec: Run) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads(rulec("report", "--format", "json").stdout)["rules"]
    return found


def test_a_report_counts_what_was_committed_and_what_was_not_once(book: Path, rulec: Run) -> None:
    note(book, {}, {})
    before = _rows(rulec)
    rulec("report", "--commit", "--yes")
    assert _rows(rulec) == before
    note(book, {})
    assert next(one for one in _rows(rulec) if one["slug"] == "use-pnpm")["fired"] == 3


def test_a_rebase_changes_nothing(book: Path, rulec: Run, git: Run) -> None:
    git("checkout", "-qb", "side")
    note(book, {})
    rulec("report", "--commit", "--yes")
    git("checkout", "-q", "main")
    (book / "a.txt").write_text("x\n")
    git("add", "-A")
    git("commit", "-qm", "Go on", "--no-verify")
    git("rebase", "-q", "main", "side")
    assert rulec("report", "--commit", "--yes").stdout == "nothing new was counted\n"
    assert seen(book) == [("fired", 1)]


def test_the_evidence_of_two_people_is_united(book: Path, rulec: Run, git: Run, tmp_path: Path) -> None:
    other = tmp_path / "other"
    subprocess.run(["git", "clone", "-q", str(book), str(other)], check=True)
    for top, times in ((book, 2), (other, 3)):
        note(top, {"times": times})
        rulec("report", "--commit", "--yes", cwd=top)
    git("pull", "-q", "--no-rebase", "--no-edit", str(other), "main")
    assert seen(book) == [("fired", 2), ("fired", 3)]
    rulec("compile", "--check")


def test_a_count_that_was_killed_after_its_commit_is_not_done_twice(book: Path, rulec: Run) -> None:
    note(book, {})
    code = (
        "import os, sys\nfrom rulec.services.history import commit_counts\nfrom rulec.cli.main import main\n"
        "real = commit_counts._finish\ncalls = []\n"
        "def dies(top):\n    calls.append(1)\n    os._exit(9) if len(calls) == 3 else real(top)\n"
        "commit_counts._finish = dies\nmain(['report', '--commit', '--yes'])\n"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=book, capture_output=True, text=True, check=False)
    assert done.returncode == 9, done.stderr
    assert seen(book) == [("fired", 1)]
    assert not gate_ledger.folded_entries(book)
    note(book, {"times": 5})
    rulec("report", "--commit", "--yes")
    assert seen(book) == [("fired", 1), ("fired", 5)]
    assert state.read_state(book, "counting") is None


def test_a_count_that_was_refused_folds_nothing(book: Path, rulec: Run) -> None:
    note(book, {})
    (book / ".git/MERGE_HEAD").write_text("0" * 40 + "\n")
    assert "a merge is under way" in rulec("report", "--commit", "--yes", code=2).stderr
    (book / ".git/MERGE_HEAD").unlink()
    rulec("report", "--commit", "--yes")
    assert seen(book) == [("fired", 1)]


def test_it_asks_a_person_and_goes_where_they_say(book: Path, rulec: Run, git: Run) -> None:
    note(book, {})
    assert "nobody can be asked" in rulec("report", "--commit", code=2).stderr
    rulec("report", "--commit", "--yes", "--branch", "counts")
    assert seen(book) == []
    assert "kind: fired" in git("log", "-1", "-p", "counts").stdout
    assert rulec("report", "--commit", "--yes").stdout == "nothing new was counted\n"


def test_it_says_when_a_rule_was_at_work_and_nothing_of_how_sure_it_is(book: Path, rulec: Run) -> None:
    before = rulec("why", "use-pnpm").stdout
    note(book, {"times": 50}, {"outcome": "fixed", "times": 40})
    rulec("report", "--commit", "--yes")
    told = rulec("why", "use-pnpm").stdout
    assert "caught 50 (50 blocked, 40 fixed)" in told
    assert [line for line in told.splitlines() if "confidence:" in line] == [
        line for line in before.splitlines() if "confidence:" in line
    ]


REFUSED = [
    (("report", "use-pnpm", "--commit"), "--commit takes all that was counted"),
    (("report", "--yes"), "--yes and --branch need --commit"),
    (("report", "--since", "yesterday"), "is no day"),
    (("report", "--format", "pdf"), "unknown format 'pdf'"),
    (("report", "no-such-rule"), "no rule 'no-such-rule'"),
]


@pytest.mark.parametrize(("argv", "why"), REFUSED)
def test_what_makes_no_sense_is_refused_in_a_line(book: Path, rulec: Run, argv: tuple[str, ...], why: str) -> None:
    said = rulec(*argv, code=2).stderr
    assert why in said
    assert len(said.splitlines()) == 1


def test_lines_from_the_future_and_what_no_gate_would_write_are_left_alone(book: Path, rulec: Run) -> None:
    bad = [
        {"at": "2999-01-01T00:00:00Z"}, {"at": "soon"}, {"slug": "../x"}, {"slug": "<b>"}, {"agent": "a b"},
        {"outcome": ["block"]}, {"event": "\n"}, {"slug": None},
    ]  # fmt: skip
    text = "".join(json.dumps({"at": "2026-11-20T10:00:00Z", **LINE, **one}) + "\n" for one in bad)
    (book / ".git/rulec").mkdir(exist_ok=True)
    (book / ".git/rulec/ledger.jsonl").write_text(text)
    assert rulec("report", "--commit", "--yes").stdout == "nothing new was counted\n"
