"""What a person and a program are told of the gates: the noisiest rule first."""

import json
import re
from pathlib import Path
from typing import Any

import pytest

from rulec.checkout import ledger
from tests.conftest import Run
from tests.support import rules

LINE = {"event": "ask", "agent": "codex", "slug": "use-pnpm", "outcome": "block", "kind": "command", "of": "npm"}


@pytest.fixture
def book(repo: Path) -> Path:
    """A repository with a rulebook of three rules, and lines of a month and a day."""
    rules.fill(repo)
    lines = [
        {"at": "2026-10-31T10:00:00Z"},
        {"at": "2026-11-02T10:00:00Z", "outcome": "warn", "event": "stop", "unsure": True},
        {"at": "2026-11-02T10:00:00Z", "outcome": "fixed"},
        *({"at": "2026-11-03T10:00:00Z", "slug": "no-stash", "outcome": "warn"} for _ in range(6)),
        {"at": "2026-11-04T10:00:00Z", "slug": "rulec-gate", "agent": ""},
    ]
    text = "".join(json.dumps({**LINE, **line, "id": f"{number:012x}"}) + "\n" for number, line in enumerate(lines))
    (repo / ".git/rulec").mkdir(exist_ok=True)
    (repo / ".git/rulec" / ledger.NAME).write_text(text)
    return repo


def test_the_table_has_the_noisiest_first_and_the_sums_below(book: Path, rulec: Run) -> None:
    lines = rulec("report").stdout.splitlines()
    assert lines[0] == "so far: 9 findings of 3 rules"
    assert [line.split()[0] for line in lines[2:5]] == ["no-stash", "use-pnpm", "rulec-gate"]
    assert lines[2].endswith("2026-11-03  noisy")
    assert re.split(r"\s{2,}", lines[3])[1:7] == ["2", "1", "1", "0", "1 (50%)", "0"]
    assert lines[5:] == [
        "by gate: tool call 8, end of turn 1",
        "by agent: codex 8, none 1",
        "by month: 2026-10 1, 2026-11 8",
    ]


def test_a_rule_that_never_fired_is_named(book: Path, rulec: Run) -> None:
    (book / ".git/rulec" / ledger.NAME).unlink()
    assert rulec("report").stdout == "so far: no findings\nnever fired: no-stash, use-pnpm\n"
    assert rulec("report", "use-pnpm").stdout.splitlines()[1] == "  never fired"
    assert rulec("report", "plain-words").stdout.startswith("plain-words: Explain it in plain words.\n")


def test_a_day_leaves_out_what_was_before(book: Path, rulec: Run) -> None:
    (row,) = _rows(rulec, "use-pnpm", "--since", "2026-11-01")
    assert (row["fired"], row["by_day"], row["unsure"]) == (1, {"2026-11-02": 1}, 1)
    assert rulec("report", "--since", "2026-11-05").stdout.startswith("since 2026-11-05: no findings\n")


def _rows(rulec: Run, *argv: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads(rulec("report", *argv, "--format", "json").stdout)["rules"]
    return found


def test_one_rule_is_told_in_a_few_lines(book: Path, rulec: Run) -> None:
    assert rulec("report", "use-pnpm").stdout.splitlines() == [
        "use-pnpm: Use pnpm, never npm.",
        "  1 blocked, 1 warned, 1 fixed",
        "  fixed: 1 of 2 (50%)",
        "  by gate: tool call 1, end of turn 1",
        "  by agent: codex 2",
        "  by month: 2026-10 1, 2026-11 1",
        "  by day: 2026-10-31 1, 2026-11-02 1",
        "  finding 000000000000: 2026-10-31T10:00:00Z, ask, codex, npm",
        "  finding 000000000001: 2026-11-02T10:00:00Z, stop, codex, npm",
    ]
    assert "it fires often and is rarely followed" in rulec("report", "no-stash").stdout
