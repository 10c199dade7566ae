"""``rulec test`` shows what each check decides, also of what nobody wrote down."""

import json
from pathlib import Path

import pytest

from tests.conftest import Run

RULE = """\
slug: {slug}
statement: No {word}.
checks:
  - {{kind: guard, template: {template}}}
examples:
  invalid: [{{command: {word} x}}]
  valid: [{{command: ls}}]
"""


@pytest.fixture
def book(repo: Path, rulec: Run) -> Path:
    rulec("init", "--yes", "--agent", "claude-code")
    return repo / ".rules"


def _write(book: Path, slug: str, word: str, template: str) -> None:
    (book / f"{slug}.yaml").write_text(RULE.format(slug=slug, word=word, template=template))


def test_a_proof_says_what_is_refused_what_passes_and_what_is_not_seen(book: Path, rulec: Run) -> None:
    _write(book, "no-npm", "npm", "forbid-command, with: {commands: [npm], arguments: '^x$', unless: [npm --silent]}")
    (book / "be-kind.yaml").write_text("slug: be-kind\nstatement: Be kind.\n")
    row, reminder, total = rulec("test").stdout.splitlines()
    assert row == "no-npm@1: proved"
    assert reminder == "be-kind: a reminder, nothing to prove"
    assert total == "1 proved, 0 failed, 1 reminders"
    row, refuses, passes, not_seen, *_ = rulec("test", "no-npm").stdout.splitlines()
    assert refuses == "  refuses: npm x"
    assert passes.startswith("  passes: ")
    assert not_seen.startswith("  not seen: ")
    assert "what is run by a command that `unless` lets pass" in not_seen


def test_counts_and_variants_are_told_to_programs(book: Path, rulec: Run) -> None:
    _write(book, "no-npm", "npm", "forbid-command, with: {commands: [npm], arguments: '^x$', unless: [npm --silent]}")
    _write(book, "no-yarn", "yarn", "forbid-command, with: {commands: [yarn, echo]}")
    found = {rule["slug"]: rule for rule in json.loads(rulec("test", "--format", "json").stdout)}
    assert (found["no-npm"]["caught"], found["no-npm"]["passed"], len(found["no-npm"]["digest"])) == (1, 1, 12)
    missed = {"name": "other flags", "verdict": "should be caught", "example": "npm --silent x"}
    assert found["no-npm"]["variants"]["missed"] == [missed]
    assert found["no-npm"]["holds"]
    assert found["no-yarn"]["variants"]["missed"] == []
    caught, all_of_them = found["no-yarn"]["variants"]["caught"]
    assert caught == all_of_them > 1


def test_a_check_that_fails_says_at_what(book: Path, rulec: Run) -> None:
    _write(book, "no-npm", "npm", "forbid-command, with: {commands: [yarn]}")
    said = rulec("test", "no-npm", code=1).stdout
    assert "no-npm@1: FAILED at examples: did not catch 'npm x'" in said
    (found,) = json.loads(rulec("test", "--format", "json", code=1).stdout)
    assert (found["stage"], found["variants"]["caught"]) == ("examples", [0, 0])


def test_what_holds_is_not_proved_again_and_what_fails_or_changed_is(book: Path, rulec: Run) -> None:
    kept = book.parent / ".git/rulec/proofs"
    _write(book, "no-npm", "npm", "forbid-command, with: {commands: [npm]}")
    first = rulec("test", "--format", "json").stdout
    stored = kept.stat().st_mtime_ns
    assert rulec("test", "--format", "json").stdout == first
    assert kept.stat().st_mtime_ns == stored
    _write(book, "no-npm", "npm", "forbid-command, with: {commands: [yarn]}")
    for _ in range(2):
        assert "FAILED at examples" in rulec("test", code=1).stdout
    _write(book, "no-npm", "npm", "forbid-command, with: {commands: [npm]}")
    kept.unlink()
    assert rulec("test", "--format", "json").stdout == first


COMPANION = """\
slug: tests-beside-code
statement: "A change of src/NAME.py brings tests/NAME/test_NAME.py along."
checks:
  - {kind: guard, template: companion, with: {pattern: "src/(.+)\\\\.py", needs: ["tests/**/test_\\\\1.py"]}}
examples:
  invalid: [{commit: Add it, files: {src/price.py: "x = load()\\n"}}]
  valid: [{commit: Add it, files: {src/price.py: "x = load()\\n", tests/unit/test_price.py: "x = 1\\n"}}]
"""


def test_a_need_that_nothing_here_can_meet_is_not_proved(gated: Path, rulec: Run) -> None:
    """A rule that calls for a file of a kind that the repository has none of does nothing at the commit."""
    text = COMPANION.replace("tests/**/test_\\\\1.py", "spec/*.md").replace("tests/unit/test_price.py", "spec/a.md")
    assert text != COMPANION
    (gated / ".rules" / "tests-beside-code.yaml").write_text(text)
    assert "FAILED at examples" in rulec("test", code=1).stdout


CREATED = """\
slug: test-per-file
statement: A new src/NAME.py comes with tests/test_NAME.py.
checks:
  - kind: guard
    template: companion
    with: {pattern: "src/(.+)\\\\.py", needs: ["tests/test_\\\\1.py"], how: [create]}
examples:
  invalid: [{commit: Add it, files: {src/new.py: "x = 1\\n"}}]
  valid: [{commit: Change it, files: {src/price.py: "x = 1\\n"}}]
"""


def test_compile_and_test_say_the_same(gated: Path, rulec: Run, git: Run) -> None:
    """A variant of a commit starts from the repository's files, as the commit does."""
    (gated / "src").mkdir()
    (gated / "src" / "price.py").write_text("x = 0\n")
    git("add", "-A")
    git("commit", "-qm", "Add prices", "--no-verify")
    (gated / ".rules" / "test-per-file.yaml").write_text(CREATED)
    assert "proved  test-per-file" in rulec("compile").stdout
    assert "1 proved, 0 failed" in rulec("test").stdout
