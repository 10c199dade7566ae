"""``rulec test`` asks each judge about its own examples, and says which it decides otherwise."""

import json
from pathlib import Path

import pytest

from rulec.checks.judge.checker import facts
from tests.conftest import Run
from tests.support.measuring import MODEL, recorded

SLUG = "plain-names"
RULE = """\
slug: plain-names
statement: Names say what a thing is.
enforcement: block
checks:
  - {kind: judge, template: judge, with: {asks: A name that would fit almost anything.}}
examples:
  invalid:
    - {file: src/a.py, content: "def process(data):\\n    pass\\n"}
    - {file: src/b.py, content: "tmp = 1\\n"}
  valid:
    - {file: src/a.py, content: "def invoice_total(lines):\\n    pass\\n"}
    - {file: src/b.py, content: "rate = 1\\n"}
"""
GUARD = "  - {kind: guard, template: forbid-text, with: {patterns: ['\\btmp\\b'], globs: ['**/*.py']}}\n"


@pytest.fixture
def book(gated: Path, rulec: Run, git: Run) -> Path:
    (gated / ".rules" / f"{SLUG}.yaml").write_text(RULE)
    config = gated / ".rules" / "config.yaml"
    config.write_text(f"{config.read_text()}models: {{backend: recorded, model: {MODEL}}}\n")
    rulec("compile")
    git("add", "-A")
    git("commit", "-qm", "Judge names", "--no-verify")
    return gated


def _acts(top: Path) -> str:
    return facts((top / ".rules" / "compiled" / "judge" / f"{SLUG}.md").read_text()).enforcement


def test_without_a_backend_a_judge_is_not_asked_and_nothing_fails(gated: Path, rulec: Run) -> None:
    (gated / ".rules" / f"{SLUG}.yaml").write_text(RULE)
    said = rulec("test").stdout
    assert f"{SLUG}: its judge was not asked: no backend" in said
    assert "1 for a model to judge" in said


def test_examples_that_it_decides_otherwise_are_named_and_change_no_exit_code(book: Path, rulec: Run) -> None:
    recorded(book, lambda _, piece: "fail" if "process" in piece.bare or "rate" in piece.bare else "pass")
    said = rulec("test").stdout
    assert f"{SLUG}: its judge decides 2 of 4 examples as they should be" in said
    assert "  lets through: src/b.py: tmp = 1" in said
    assert "  refuses what is right: src/b.py: rate = 1" in said
    (found,) = [one for one in json.loads(rulec("test", "--format", "json").stdout) if one["slug"] == SLUG]
    assert [one["ruling"] for one in found["judge"]["wrong"]] == ["pass", "fail"]


def test_what_nobody_answered_is_told(book: Path, rulec: Run) -> None:
    (book / ".rulec" / "recorded").mkdir(parents=True)
    assert "its judge was not asked: " in rulec("test").stdout


def test_a_judge_blocks_where_a_person_pins_it_and_else_warns_at_most(book: Path, rulec: Run) -> None:
    assert _acts(book) == "block"
    assert "judge: asked at ci, by recorded\n" in rulec("why", SLUG).stdout
    rulec("set", SLUG, "auto", "--no-commit")
    assert _acts(book) != "block"
    assert "it warns at most: nobody pinned it to block" in rulec("why", SLUG).stdout


def test_a_guard_is_proved_beside_a_judge(book: Path, rulec: Run) -> None:
    (book / ".rules" / f"{SLUG}.yaml").write_text(RULE.replace("checks:\n", f"checks:\n{GUARD}"))
    assert "1 caught, 2 passed, 1 left to the judge" in rulec("compile").stdout
    guard = json.loads((book / ".rules" / "compiled" / "guard" / f"{SLUG}.json").read_text())
    assert guard["facts"]["enforcement"] == "block"
    assert "def process(" in rulec("test", SLUG).stdout


def test_examples_that_contradict_each_other_fail_also_where_only_a_model_decides(book: Path, rulec: Run) -> None:
    path = book / ".rules" / f"{SLUG}.yaml"
    path.write_text(path.read_text().replace("rate = 1", "tmp = 1"))
    assert "is both valid and invalid" in rulec("compile", code=1).stdout
    assert f"unproved: {SLUG}" in rulec("compile", "--check", code=1).stdout
