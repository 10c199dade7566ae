"""``rulec note``: words about one decision become evidence; an agent's wait for a person."""

from dataclasses import replace
from pathlib import Path

import pytest

from rulec.checkout import ledger
from rulec.domain.evidence import Evidence
from rulec.gates import gate_ledger
from rulec.infra.rulebooks import rulebook_files
from rulec.services.evolving import open_cases
from tests.conftest import Run
from tests.support import rules

TOKEN = "ghp_abcdefghijklmnopqrstuvwxyz0123456789"


@pytest.fixture
def book(repo: Path) -> Path:
    """A repository with a rulebook of three rules."""
    rules.fill(repo)
    return repo


def notes(top: Path, slug: str = "use-pnpm") -> list[Evidence]:
    return [one for one in rulebook_files.load_rulebook(top).observed(slug) if one.kind == "note"]


def test_a_note_is_one_commit_of_evidence_alone(book: Path, rulec: Run, git: Run) -> None:
    before = rulec("why", "use-pnpm").stdout
    said = rulec("note", "use-pnpm", "yarn is just as wrong", "--command", "yarn add x").stdout
    assert "noted about use-pnpm: commit " in said
    assert "should be caught: yarn add x" in said
    (note,) = notes(book)
    assert (note.quote, note.should, note.weight) == ("yarn is just as wrong", "catch", 0)
    assert note.example is not None
    assert (note.example.kind, note.example.text, note.example.source) == ("command", "yarn add x", "person")
    changed = git("show", "--name-only", "--format=", "HEAD").stdout.split()
    assert len(changed) == 1
    assert changed[0].startswith(".rules/evidence/use-pnpm/")
    rulec("compile", "--check")
    assert git("status", "--porcelain").stdout == ""
    after = rulec("why", "use-pnpm").stdout
    assert 'noted: "yarn is just as wrong"' in after
    assert "should catch: yarn add x" in after
    confidence = [line for line in before.splitlines() if "confidence:" in line]
    assert [line for line in after.splitlines() if "confidence:" in line] == confidence


@pytest.mark.parametrize(
    ("argv", "wanted"),
    [
        (("--command", "npm view x"), ("pass", "command")),  # the rule catches it, so a note means that it should not
        (("--command", "bun add x"), ("catch", "command")),
        (("--command", "npm view x", "--should", "catch"), ("catch", "command")),
        (("--path", "src/a.py"), ("catch", "file")),
        (("--example", "{edit: a.py, old: x, new: y}"), ("catch", "edit")),
        (("--example", "npm ci"), ("pass", "command")),
        ((), ("", "")),
    ],
)
def test_a_case_is_named_in_one_of_these_ways(
    book: Path, rulec: Run, git: Run, argv: tuple[str, ...], wanted: tuple[str, str]
) -> None:
    (book / "src").mkdir()
    (book / "src/a.py").write_text("x = 1\n")
    git("add", "-A")
    git("commit", "-qm", "Add a module")
    rulec("note", "use-pnpm", "not so", *argv)
    (note,) = against(book) if wanted[0] == "pass" else notes(book)
    assert (note.should, note.example.kind if note.example else "") == wanted
    if wanted[1] == "commit":
        assert note.example is not None
        assert (note.example.text, note.example.files) == ("Add a module", (("src/a.py", "x = 1\n"),))


def test_a_finding_is_named_by_the_id_that_its_report_prints(book: Path, rulec: Run) -> None:
    (book / "a.py").write_text("print(1)\n")
    line = {"event": "commit", "agent": "", "slug": "use-pnpm", "outcome": "block", "kind": "file", "of": "a.py"}
    ledger.append(str(book), [line])
    (found,) = gate_ledger.ledger_entries(book, "use-pnpm")
    assert f"finding {found.id}: " in rulec("report", "use-pnpm").stdout
    rulec("note", found.id, "that file is made by a program")
    (note,) = against(book)
    assert (note.about, note.path, note.example) == (found.id, "a.py", None)  # which the rule lets pass as it is now


@pytest.mark.parametrize("how", [{"CLAUDECODE": "1"}, {}])
def test_a_note_by_an_agent_waits_and_commits_nothing(
    book: Path, rulec: Run, git: Run, monkeypatch: pytest.MonkeyPatch, how: dict[str, str]
) -> None:
    head = git("rev-parse", "HEAD").stdout
    for name, value in how.items():
        monkeypatch.setenv(name, value)
    said = rulec("note", "use-pnpm", "yarn too", "--command", "yarn add x", *([] if how else ["--propose"])).stdout
    assert "it waits for a person: rulec evolve" in said
    assert git("rev-parse", "HEAD").stdout == head
    assert notes(book) == []
    (note,) = open_cases.waiting_notes(book)
    assert (note.should, note.agent) == ("catch", "claude-code" if how else "an agent")
    open_cases.drop_notes(book, [note])
    open_cases.keep_note(book, replace(note, agent=""))  # written past rulec, so as to pass for a person's
    assert open_cases.waiting_notes(book) == []


def test_no_file_is_a_case_that_git_would_not_commit(book: Path, rulec: Run) -> None:
    (book / ".gitignore").write_text(".env\n")
    (book / ".env").write_text("HOST=db.example.com\n")
    for path in (".env", ".git/config", str(book / ".env")):
        done = rulec("note", "use-pnpm", "x", "--should", "catch", "--path", path, code=2)
        assert "is not a file of the repository" in done.stderr, path


@pytest.mark.parametrize(
    ("argv", "said"),
    [
        (("use-pnpm", "  "), "the reason is empty"),
        (("no-such", "x"), "no rule 'no-such'"),
        (("use-pnpm", "x", "--should", "catch"), "--should catch needs a case"),
        (("use-pnpm", "x", "--command", "a", "--path", "b"), "--command and --path exclude each other"),
        (("use-pnpm", "x", "--path", "nowhere.py"), "no such file"),
        (("use-pnpm", "x", "--example", "{edit: a.py, olds: x}"), "--example"),
        (("use-pnpm", "x", "--command", "x" * 50_000), "is longer than 40,000 characters"),
        (("abcdefabcdef", "x"), "is no finding in the log of this machine"),
    ],
)
def test_what_is_no_note_is_one_clear_refusal(
    book: Path, rulec: Run, git: Run, argv: tuple[str, ...], said: str
) -> None:
    head = git("rev-parse", "HEAD").stdout
    refused = rulec("note", *argv, code=2).stderr
    assert refused.count("\n") == 1
    assert said in refused
    assert git("rev-parse", "HEAD").stdout == head


def test_no_secret_of_a_note_reaches_the_repository(book: Path, rulec: Run, git: Run) -> None:
    (book / "key.py").write_text(f"KEY = '{TOKEN}'\n")
    rulec("note", "use-pnpm", f"it is {TOKEN}", "--command", f"curl -H {TOKEN}")
    rulec("note", "use-pnpm", "this file", "--path", "key.py")
    assert len(notes(book)) == 2
    assert TOKEN not in git("log", "-p", "--all").stdout


def against(top: Path, slug: str = "use-pnpm") -> list[Evidence]:
    return [one for one in rulebook_files.load_rulebook(top).observed(slug) if one.kind == "counterexample"]


def test_that_a_rule_was_wrong_to_find_something_speaks_against_it(book: Path, rulec: Run, git: Run) -> None:
    said = rulec("note", "use-pnpm", "pnpm has no such command", "--command", "npm audit").stdout
    assert "noted that use-pnpm was wrong: commit " in said
    assert "should pass: npm audit" in said
    assert "(1 + 3) / (2 + 3 + 1) = 0.67" in said
    assert "use-pnpm does no more than audit, where it did block: rulec evolve use-pnpm looks for a revision" in said
    assert "Resolution: NOOP use-pnpm -- pnpm has no such command\nRule: use-pnpm@1\n" in git(
        "log", "-1"
    ).stdout.replace("    ", "")
    (item,) = against(book)
    assert (item.weight, item.accepted, item.should) == (1.0, "npm audit", "pass")
    assert 'counterexample: "pnpm has no such command"' in rulec("why", "use-pnpm").stdout
    assert git("status", "--porcelain").stdout == ""


def test_three_cases_alike_propose_an_exception(book: Path, rulec: Run) -> None:
    for name in "ab":
        rulec("note", "use-pnpm", "it is old", "--should", "pass", "--path", f"legacy/{name}.sh")
    third = rulec("note", "use-pnpm", "frozen", "--should", "pass", "--path", "legacy/c.sh").stdout
    assert "proposed exception: legacy/**" in third
    assert "proposed exception: legacy/**" in rulec("why", "use-pnpm").stdout


def test_without_a_case_it_is_about_the_file_that_the_rule_fired_on_last(book: Path, rulec: Run) -> None:
    line = {"event": "commit", "agent": "", "slug": "use-pnpm", "outcome": "block", "kind": "file", "of": "old.py"}
    ledger.append(str(book), [line])
    assert "should pass: old.py" in rulec("note", "use-pnpm", "a quote", "--should", "pass").stdout
    ledger.append(str(book), [{**line, "event": "ask", "kind": "command", "of": "npm"}])
    rulec("note", "use-pnpm", "a quote, again", "--should", "pass")
    assert sorted((one.path, one.quote) for one in against(book)) == [("", "a quote, again"), ("old.py", "a quote")]


def test_an_agent_to_which_it_happened_is_named(book: Path, rulec: Run) -> None:
    rulec("note", "use-pnpm", "it has no pnpm", "--command", "npm ci", "--agent", "codex")
    (item,) = against(book)
    assert item.agent == "codex"


def test_an_agent_that_notes_so_of_itself_speaks_against_nothing(book: Path, rulec: Run) -> None:
    rulec("note", "use-pnpm", "in the way", "--should", "pass", "--command", "npm ci", "--propose")
    rulec("note", "use-pnpm", "in the way", "--should", "pass", "--path", "legacy/x", "--propose")
    assert {(one.kind, one.weight) for one in open_cases.waiting_notes(book)} == {("note", 0)}
