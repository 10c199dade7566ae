"""``rulec note``: words about one case become evidence that weighs nothing; an agent's wait for a person."""

from dataclasses import replace
from pathlib import Path

import pytest

from rulec.checkout import ledger
from rulec.domain.evidence import Evidence
from rulec.gates import gate_ledger
from rulec.infra.rulebooks import rulebook_files
from rulec.services.waiting_evidence import NOTES
from tests.conftest import Run
from tests.support import planned, rules
from tests.support.world import act

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
        (("--commit", "HEAD"), ("catch", "commit")),
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
    (note,) = notes(book)
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
    (note,) = notes(book)
    assert (note.about, note.should) == (found.id, "pass")
    assert note.example is not None
    assert (note.example.path, note.example.text) == ("a.py", "print(1)\n")


def test_a_note_on_a_step_makes_its_change_a_case(tmp_path: Path) -> None:
    top = planned.planned(tmp_path / "repo")
    planned.open_plan(top, [("Add a limit", [planned.KEEP])])
    assert "nothing that keep-the-limit speaks of" in act(top, "note", f"1:{planned.KEEP}", "x", code=2).err
    planned.edit(top, {"src/app.py": planned.FILES["src/app.py"] + "LIMIT = 3\n"})
    said = act(top, "note", f"1:{planned.KEEP}", "a number that nothing reads is no limit").out
    assert "should be caught: a commit of src/app.py" in said
    (note,) = notes(top, planned.KEEP)
    assert (note.should, note.about.endswith(f":{planned.KEEP}")) == ("catch", True)
    assert note.example is not None
    assert note.example.files == (("src/app.py", planned.FILES["src/app.py"] + "LIMIT = 3\n"),)


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
    (note,) = NOTES.waiting(book)
    assert (note.should, note.agent) == ("catch", "claude-code" if how else "an agent")
    NOTES.drop(book, [note])
    NOTES.keep(book, replace(note, agent=""))  # written past rulec, so as to pass for a person's
    assert NOTES.waiting(book) == []


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
        (("use-pnpm", "x", "--should", "pass"), "--should needs a case"),
        (("use-pnpm", "x", "--command", "a", "--path", "b"), "--command and --path exclude each other"),
        (("use-pnpm", "x", "--path", "nowhere.py"), "no such file"),
        (("use-pnpm", "x", "--commit", "nowhere"), "nowhere"),
        (("use-pnpm", "x", "--example", "{edit: a.py, olds: x}"), "--example"),
        (("use-pnpm", "x", "--command", "x" * 50_000), "is longer than 40,000 characters"),
        (("abcdefabcdef", "x"), "is no finding in the log of this machine"),
        (("1:use-pnpm", "x"), "no plan is open here"),
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
