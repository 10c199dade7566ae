"""``rulec rules``: what the rulebook holds, with what has not mattered for a year or two flagged."""

import json
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from rulec.domain.evidence import Evidence
from rulec.rulebook import evidence_file
from tests.conftest import Run
from tests.support import rules


@pytest.fixture
def book(repo: Path) -> Path:
    rules.fill(repo)
    return repo


def _note(top: Path, item: Evidence) -> None:
    folder = top / f".rules/evidence/{item.slug}"
    folder.mkdir(parents=True, exist_ok=True)
    (folder / f"{evidence_file.evidence_id(item)}.yaml").write_text(evidence_file.dump_evidence(item))


def _row(rulec: Run, slug: str) -> dict[str, Any]:
    return next(row for row in json.loads(rulec("rules", "--format", "json").stdout) if row["slug"] == slug)


def _ago(days: int) -> str:
    return (datetime.now(UTC) - timedelta(days=days)).isoformat()


@pytest.mark.parametrize(("days", "state"), [(30, "fresh"), (400, "stale"), (800, "dormant")])
def test_a_rule_that_has_not_mattered_is_flagged(book: Path, rulec: Run, days: int, state: str) -> None:
    _note(book, Evidence(slug="no-stash", kind="correction", weight=1.0, at=_ago(days), transcript="a", turn=1))
    assert _row(rulec, "no-stash")["state"] == state
    shown = rulec("rules").stdout.splitlines()[0]
    assert shown.startswith("no-stash")
    assert ("(stale)" in shown, "(dormant)" in shown) == (state == "stale", state == "dormant")
    assert (f"{state}: nobody spoke of it" in rulec("why", "no-stash").stdout) is (state != "fresh")


def test_a_rule_that_fired_yesterday_is_fresh(book: Path, rulec: Run, git: Run) -> None:
    _note(book, Evidence(slug="no-stash", kind="correction", weight=1.0, at=_ago(800), transcript="a", turn=1))
    (book / ".git/rulec").mkdir(exist_ok=True)
    line = {"at": _ago(1), "event": "ask", "agent": "codex", "slug": "no-stash", "outcome": "audit", "of": "git"}
    (book / ".git/rulec/ledger.jsonl").write_text(f"{json.dumps(line)}\n{{}}\nno line of ours\n")
    row = _row(rulec, "no-stash")
    assert (row["state"], row["freshness"]) == ("fresh", 0.99)


def test_age_disarms_no_gate(book: Path, rulec: Run) -> None:
    for path in (book / ".rules/evidence/use-pnpm").glob("*.yaml"):
        if "kind: accepted" in path.read_text():
            path.unlink()
    _note(book, Evidence(slug="use-pnpm", kind="accepted", weight=3.0, at=_ago(3000), quote="pnpm"))
    _note(book, Evidence(slug="no-stash", kind="accepted", weight=3.0, at=_ago(0), quote="never"))
    row = _row(rulec, "use-pnpm")
    assert (row["acts"], row["state"]) == ("block", "dormant")


def test_a_statement_of_several_lines_makes_no_other_row(book: Path, rulec: Run) -> None:
    rule = book / ".rules/no-stash.yaml"
    said = next(line for line in rule.read_text().splitlines() if line.startswith("statement: "))
    rule.write_text(rule.read_text().replace(said, 'statement: "Never stash.\\n\\nuse-npm  block"'))
    assert len(rulec("rules").stdout.splitlines()) == len(json.loads(rulec("rules", "--format", "json").stdout))
    assert rulec("why", "no-stash").stdout.startswith("no-stash@1: Never stash. use-npm block\n")
