"""``rulec evolve``: what is known about a rule becomes one proposed revision, on which a person decides."""

import json
import sys
from pathlib import Path
from typing import Any

import pytest

from rulec.checkout import ledger
from rulec.domain.rule import Rule
from rulec.infra.rulebooks import rule_reading, rulebook_files
from rulec.services.evolving import open_cases
from tests.conftest import Run
from tests.support import rules
from tests.support.terminal import on_terminal

pytestmark = pytest.mark.e2e  # many real processes: CI runs these

YARN = ("note", "use-pnpm", "yarn is just as wrong", "--command", "yarn add x")
VIEW = ("note", "use-pnpm", "it only reads", "--command", "npm view left-pad")
PRINT = """\
schema: 1
slug: no-print
revision: 1
statement: Never print.
category: code-style
severity: must
enforcement: audit
checks:
  - {kind: semgrep, template: forbid-call, with: {functions: [print], language: python}}
examples:
  invalid: [{file: src/a.py, content: print(1)}]
  valid: [{file: src/a.py, content: log(1)}]
"""
EVOLVE = [sys.executable, "-m", "rulec", "evolve"]


@pytest.fixture
def book(repo: Path) -> Path:
    """A repository with a rulebook of three rules."""
    rules.fill(repo)
    return repo


def _rule(top: Path, slug: str = "use-pnpm") -> Rule:
    path = f".rules/{slug}.yaml"
    return rule_reading.read_rule((top / path).read_text(), source=path)


def _listed(rulec: Run, *slugs: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads(rulec("evolve", *slugs, "--format", "json").stdout)
    return found


def test_without_notes_there_is_nothing_to_decide(book: Path, rulec: Run) -> None:
    assert rulec("evolve").stdout == "nothing is noted about a rule that waits for a decision\n"
    assert _listed(rulec) == []


def test_all_that_is_known_of_a_rule_is_one_revision(book: Path, rulec: Run, git: Run) -> None:
    rulec(*YARN)
    rulec("note", "use-pnpm", "it only reads", "--command", "npm view x")
    rulec("note", "use-pnpm", "pnpm has no such command", "--command", "npm audit", "--propose")
    rulec("note", "no-stash", "list only reads", "--command", "git stash list")
    first, second = sorted(_listed(rulec), key=lambda one: one["slug"])
    assert (first["slug"], second["slug"], second["revision"]) == ("no-stash", "use-pnpm", 2)
    kinds = [case["kind"] for case in second["cases"]]
    assert sorted(kinds) == ["counterexample", "note", "note"]
    assert all(flip["wanted"] for flip in second["flips"])
    assert len(second["flips"]) == 3
    assert second["unmet"] == []
    assert second["proof"]["holds"]
    (examples,) = [one for one in second["reach"] if one["where"].endswith("of the rule")]
    assert (examples["of"], examples["before"], examples["after"]) == (5, 3, 2)
    assert any(line.startswith("+") and "yarn" in line for line in second["diff"])
    assert [one["slug"] for one in _listed(rulec, "no-stash")] == ["no-stash"]
    text = rulec("evolve", "use-pnpm").stdout
    assert 'noted: "yarn is just as wrong" (catch: yarn add x)' in text
    assert "3 verdicts turned, none of them unasked:" in text
    assert git("status", "--porcelain").stdout == ""


def test_an_accepted_revision_is_one_commit_and_is_not_proposed_again(book: Path, rulec: Run, git: Run) -> None:
    rulec(*YARN)
    rulec("note", "use-pnpm", "it only reads", "--command", "npm view left-pad")
    count = git("rev-list", "--count", "HEAD").stdout
    said = rulec("evolve", "--accept", "use-pnpm").stdout
    assert "-> use-pnpm@2: commit " in said
    assert "1 accepted; 0 left to decide" in said
    assert int(git("rev-list", "--count", "HEAD").stdout) == int(count) + 1
    message = git("log", "-1", "--format=%B").stdout
    assert message.startswith("Revise use-pnpm\n")
    assert "\nResolution: UPDATE use-pnpm -- " in message
    assert "\nRule: use-pnpm@2\n" in message
    rule = _rule(book)
    assert rule.revision == 2
    assert {(one.text, one.source) for one in (*rule.invalid, *rule.valid)} >= {
        ("yarn add x", "person"), ("npm view left-pad", "person")
    }  # fmt: skip
    assert "# the comment of a person" in (book / ".rules/use-pnpm.yaml").read_text()
    rulec("compile", "--check")
    assert git("status", "--porcelain").stdout == ""
    assert _listed(rulec) == []
    # the counterexample that it did right by says nothing against the rest
    assert "what it finds: block" in rulec("why", "use-pnpm").stdout
    git("revert", "--no-edit", "HEAD")
    cases = [case["words"] for one in _listed(rulec) for case in one["cases"]]
    assert sorted(cases) == ["it only reads", "yarn is just as wrong"]


def test_what_a_revision_caught_before_and_after_is_shown_with_the_rule(book: Path, rulec: Run) -> None:
    rulec(*YARN)
    line = {"event": "ask", "agent": "codex", "slug": "use-pnpm", "outcome": "block", "kind": "command", "of": "npm"}
    ledger.append(str(book), [line, {**line, "outcome": "fixed"}])
    rulec("evolve", "--accept", "use-pnpm")
    assert "at the gates (ledger and committed counts): caught " in rulec("why", "use-pnpm").stdout
    text = rulec("why", "use-pnpm").stdout
    assert "revision 2 (" in text
    assert "it took up 1 case" in text
    assert "3 examples of the rule: caught 1 and let 2 pass, now catches 2 and lets 1 pass" in text
    assert "example: passed, then caught, as wanted: 'yarn add x'" in text
    assert "(ledger): caught 1, 1 fixed" in text


def test_commits_that_a_revision_decides_otherwise_are_told(book: Path, rulec: Run, git: Run) -> None:
    (book / ".rules/no-print.yaml").write_text(PRINT)
    rulec("compile")
    for name in ("src/a.py", "scripts/build.py"):
        (book / name).parent.mkdir(exist_ok=True)
        (book / name).write_text("print(1)\n")
        git("add", "-A")
        git("commit", "-qm", f"Add {name}")
    rulec("note", "no-print", "scripts may print", "--path", "scripts/build.py")
    (found,) = _listed(rulec)
    turned = {(one["where"], one["before"], one["after"], one["wanted"]) for one in found["flips"]}
    assert ("history", True, False, True) in turned  # all that it found there is in the noted file
    (past,) = [one for one in found["reach"] if "git history" in one["where"]]
    assert (past["before"], past["after"]) == (2, 1)


def test_a_rejection_is_remembered_until_more_is_known(book: Path, rulec: Run, git: Run) -> None:
    rulec(*YARN)
    head = git("rev-parse", "HEAD").stdout
    assert "1 rejected; 0 left to decide" in rulec("evolve", "--reject", "use-pnpm").stdout
    assert git("rev-parse", "HEAD").stdout == head
    assert _listed(rulec) == []
    refused = rulec("evolve", "--accept", "use-pnpm", code=2).stderr
    assert "no revision of use-pnpm waits; rulec evolve lists what waits" in refused
    rulec(*VIEW)
    (found,) = _listed(rulec)
    assert len(found["cases"]) == 2


def test_an_agents_note_becomes_evidence_only_when_a_person_accepts(book: Path, rulec: Run) -> None:
    rulec(*YARN, "--propose")
    rulec("note", "no-stash", "list only reads", "--command", "git stash list", "--propose")
    assert "by an agent" in rulec("evolve", "use-pnpm").stdout
    rulec("evolve", "--accept", "use-pnpm", "--reject", "no-stash")
    assert open_cases.waiting_notes(book) == []
    known = rulebook_files.load_rulebook(book)
    assert [one.quote for one in known.observed("use-pnpm") if one.kind == "note"] == ["yarn is just as wrong"]
    assert [one for one in known.observed("no-stash") if one.kind == "note"] == []


def test_words_alone_are_shown_and_leave_the_change_to_a_person(book: Path, rulec: Run) -> None:
    rulec("note", "use-pnpm", "say corepack, too")
    (found,) = _listed(rulec)
    assert "no case is named" in found["obstacle"]
    refused = rulec("evolve", "--accept", "use-pnpm", code=2)
    assert "cannot be accepted as it is" in refused.stderr
    assert _rule(book).revision == 1
    rulec(*YARN)
    rulec("evolve", "--accept", "use-pnpm")
    assert [case["words"] for one in _listed(rulec) for case in one["cases"]] == ["say corepack, too"]


def test_a_counterexample_that_the_rule_does_right_by_since_asks_for_nothing(book: Path, rulec: Run) -> None:
    rulec("note", "use-pnpm", "it only reads", "--command", "npm view left-pad")
    assert len(_listed(rulec)) == 1
    rule = (book / ".rules/use-pnpm.yaml").read_text().replace("instead: pnpm}", "instead: pnpm, unless: [npm view]}")
    edited = book.parent / "edited.yaml"
    edited.write_text(rule)
    rulec("edit", "use-pnpm", "--file", str(edited))
    assert _listed(rulec) == []
    assert "evolve" not in rulec().stdout


def test_what_was_taken_up_stays_so_under_another_name(book: Path, rulec: Run) -> None:
    rulec(*YARN)
    rulec("note", "use-pnpm", "it only reads", "--command", "npm view left-pad")
    rulec("evolve", "--accept", "use-pnpm")
    renamed = book.parent / "renamed.yaml"
    renamed.write_text((book / ".rules/use-pnpm.yaml").read_text().replace("slug: use-pnpm", "slug: only-pnpm"))
    rulec("edit", "use-pnpm", "--file", str(renamed))
    assert _listed(rulec) == []
    text = rulec("why", "only-pnpm").stdout
    assert "revision 2 (" in text
    assert "what it finds: block" in text


def test_rulec_says_in_one_line_that_something_waits(book: Path, rulec: Run) -> None:
    assert "evolve:" not in rulec().stdout
    rulec(*YARN)
    lines = [line for line in rulec().stdout.splitlines() if "evolve" in line]
    assert lines[0] == "evolve: what is noted about use-pnpm waits for a decision (rulec evolve)"
    rulec("evolve", "--accept", "use-pnpm")
    assert "evolve" not in rulec().stdout


@pytest.mark.parametrize(
    ("argv", "said"),
    [
        (("nothing",), "no rule 'nothing'"),
        (("--accept", "use-pnpm", "--reject", "use-pnpm"), "use-pnpm is named more than once"),
        (("--accept", "use-pnpm"), "no revision of use-pnpm waits"),
        (("no-stash", "--accept", "use-pnpm"), "name a rule once"),
    ],
)
def test_a_wrong_word_is_one_clear_refusal(book: Path, rulec: Run, argv: tuple[str, ...], said: str) -> None:
    refused = rulec("evolve", *argv, code=2).stderr
    assert refused.count("\n") == 1
    assert said in refused


def test_a_person_accepts_edits_and_rejects_at_a_terminal(
    book: Path, rulec: Run, git: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    rulec(*YARN)
    rulec("note", "no-stash", "list only reads", "--command", "git stash list")
    editor = book.parent / "editor.py"
    editor.write_text(
        "import sys\np = sys.argv[1]\nt = open(p).read()\n"
        "open(p, 'w').write(t.replace('Never use git stash.', 'Never stash away work.'))\n"
    )
    monkeypatch.setenv("EDITOR", f"{sys.executable} {editor}")
    monkeypatch.delenv("VISUAL", raising=False)
    code, seen = on_terminal(book, EVOLVE, [("[a]ccept", "e\n"), ("[a]ccept", "a\n"), ("[a]ccept", "r\n")])
    assert code == 0, seen
    assert "edited by hand" in seen
    assert "1 accepted, 1 rejected; 0 left to decide" in seen
    assert _rule(book, "no-stash").statement == "Never stash away work."
    assert _rule(book).revision == 1
    assert git("status", "--porcelain").stdout == ""


def test_nobody_holds_the_lock_while_a_person_thinks(book: Path, rulec: Run, git: Run) -> None:
    rulec(*YARN)
    other = book.parent / "other.py"
    other.write_text(
        "import subprocess, sys, os\n"
        f"subprocess.run([{sys.executable!r}, '-m', 'rulec', 'note', 'use-pnpm', 'it only reads',"
        f" '--command', 'npm view x'], cwd={str(book)!r}, check=True, timeout=30)\n"
    )
    os_editor = {"EDITOR": f"{sys.executable} {other}", "VISUAL": ""}
    code, seen = on_terminal(book, EVOLVE, [("[a]ccept", "e\n"), ("[a]ccept", "a\n")], os_editor)
    assert code == 0, seen
    assert "the rules were changed meanwhile, so here it is again" in seen
    assert {one.text for one in _rule(book).valid} >= {"npm view x"}
    assert _listed(rulec) == []
