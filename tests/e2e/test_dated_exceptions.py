"""A person leaves a finding alone for a while; an agent cannot, and everything that is left alone is counted."""

import json
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from rulec.gates.weakening import committer
from rulec.infra.rulebooks import rulebook_files
from rulec.services.doctor import rulebook_health
from tests.support.asking import ask_hook
from tests.support.terminal import on_terminal
from tests.support.world import act, at_home, copy, run

PLAIN = """\
schema: 1
slug: plain-comments
revision: 1
statement: Comments do without simply.
category: docs
severity: must
enforcement: block
checks:
  - {kind: guard, template: forbid-text, with: {patterns: ["simply"], part: prose}}
examples:
  invalid: [{file: a.py, content: "x = 1  # simply so\\n"}]
  valid: [{file: a.py, content: "x = 1  # so\\n"}]
"""
ABOVE = "# rulec: ignore[plain-comments] until=2099-12-31 it is a quotation\n"
LINE = "y = 2  # simply two\n"


@pytest.fixture(scope="module")
def base(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    with at_home(tmp_path_factory.mktemp("home")):
        top = tmp_path_factory.mktemp("except") / "repo"
        (top / ".rules").mkdir(parents=True)
        run(top, "init", "-q", "-b", "main", "--template=")
        (top / ".rules/plain-comments.yaml").write_text(PLAIN)
        (top / ".rules/config.yaml").write_text("schema: 1\nemitters: [claude-code]\nowners: ['@acme/leads']\n")
        (top / "app.py").write_text(f"x = 1\n{ABOVE}y = 2\n")
        act(top, "compile")
        run(top, "add", "-A")
        run(top, "commit", "-qm", "Start")
        yield top


@pytest.fixture
def top(base: Path, tmp_path: Path) -> Path:
    return copy(base, tmp_path / "repo")


def _staged(top: Path, path: str, text: str, code: int) -> dict[str, Any]:
    (top / path).parent.mkdir(parents=True, exist_ok=True)
    (top / path).write_text(text)
    run(top, "add", "-A")
    data: dict[str, Any] = json.loads(act(top, "check", "--staged", "--format", "json", code=code).out)
    return data


def _becauses(data: dict[str, Any]) -> list[tuple[str, str]]:
    own = [one for one in data["verdicts"] if one["facts"]["slug"] == "plain-comments"]
    return [(one["outcome"], one["because"]) for one in own]


def _hook(top: Path, path: str, text: str) -> dict[str, Any]:
    given = {"file_path": str(top / path), "content": text}
    payload = {
        "session_id": "s",
        "cwd": str(top),
        "hook_event_name": "PreToolUse",
        "tool_name": "Write",
        "tool_input": given,
    }
    said = ask_hook(top, payload)
    assert said.returncode == 0
    answer: dict[str, Any] = json.loads(said.stdout or "{}")
    return answer


def test_a_comment_that_is_committed_lets_the_next_line_pass_and_is_counted(top: Path) -> None:
    text = f"x = 1\n{ABOVE}{LINE}"
    assert _becauses(_staged(top, "app.py", text, 0)) == [("excepted", "until 2099-12-31: it is a quotation")]
    assert "1 excepted" in act(top, "check", "--staged").out
    assert _hook(top, "app.py", text) == {}
    run(top, "commit", "-qm", "Two")
    assert "1 excepted" in act(top, "check", "--base", "HEAD~1").out
    assert "1 excepted" in act(top, "check", "app.py").out
    ledger = (top / ".git/rulec/ledger.jsonl").read_text().splitlines()
    assert {(one["slug"], one["outcome"]) for one in map(json.loads, ledger)} >= {("plain-comments", "excepted")}


def test_one_that_comes_with_the_finding_lets_nothing_pass_of_an_agent(top: Path) -> None:
    text = f"x = 1\n{ABOVE}z = 3  # simply three\n"
    ((outcome, because),) = _becauses(_staged(top, "new.py", text, 1))
    assert outcome == "block"
    assert "line 2 does not count: it is new in this change" in because
    assert "does not count" in act(top, "check", "--staged", code=1).out
    assert _hook(top, "other.py", text)["hookSpecificOutput"]["permissionDecision"] == "deny"
    (top / "other.py").write_text(f"x = 1\n{ABOVE}")  # first the excuse, then the offence
    assert _hook(top, "other.py", text)["hookSpecificOutput"]["permissionDecision"] == "deny"
    assert "does not count" in act(top, "check", "new.py", code=1).out


def test_in_ci_the_review_decides_about_one_unless_the_settings_of_the_base_block(top: Path) -> None:
    for settings, code, told in (("", 0, "the review decides about it"), ("weakened: block\n", 1, "does not count")):
        with (top / ".rules/config.yaml").open("a") as file:
            file.write(settings)
        run(top, "commit", "-qam", "Set it", "--allow-empty")
        (top / f"new{code}.py").write_text(f"x = 1\n{ABOVE}z = 3  # simply three\n")
        run(top, "add", "-A")
        run(top, "commit", "-qm", "Excuse it")
        said = act(top, "check", "--base", "HEAD~1", code=code).out
        assert told in said
        assert f"new{code}.py:2: plain-comments is excepted in place until 2099-12-31 (it is a quotation)" in said


def test_one_of_a_person_who_commits_at_a_terminal_counts_at_once_and_is_told(top: Path) -> None:
    act(top, "hook", "install")
    (top / "new.py").write_text(f"x = 1\n{ABOVE}z = 3  # simply three\n")
    run(top, "add", "-A")
    assert "does not count" in run(top, "commit", "-m", "Three", code=1)  # as an agent does
    code, said = on_terminal(top, ["sh", "-c", "git commit -m Three; exit $?"], [], {"TERM_PROGRAM": "vscode"})
    assert (code, "does not count" in said) == (1, True)
    if not committer.is_typed_by_person([(0, "sh"), *committer._ancestors()], 0, os.environ):
        pytest.skip("an agent runs these tests, so nothing below it is a person's commit")
    code, said = on_terminal(top, ["sh", "-c", "git commit -m Three; exit $?"], [])
    assert code == 0, said
    assert "new.py:2: plain-comments is excepted in place" in said
    assert "a person commits it at a terminal" in said


def test_one_whose_line_changes_beside_it_stays_what_it_was(top: Path) -> None:
    marked = f"{LINE[:-1]}  {ABOVE}"
    (top / "app.py").write_text(marked)
    run(top, "commit", "-qam", "Let it in")
    edited = marked.replace("= 2", "= 22")
    assert _hook(top, "app.py", edited) == {}
    assert _hook(top, "app.py", edited + edited.replace("22", "33")) != {}  # a copy is one more
    assert _becauses(_staged(top, "app.py", edited, 0)) == [("excepted", "until 2099-12-31: it is a quotation")]
    told = _staged(top, "app.py", edited.replace("2099-12-31", "2099-12-30"), 1)["verdicts"]
    assert {one["facts"]["slug"] for one in told} == {"plain-comments", "rulebook-weakened"}


def test_one_that_a_person_approves_counts_in_just_that_change(top: Path) -> None:
    text = f"x = 1\n{ABOVE}z = 3  # simply three\n"
    _staged(top, "new.py", text, 1)
    argv = [sys.executable, "-m", "rulec", "approve"]
    code, seen = on_terminal(top, argv, [("Approve this?", "y\n")])
    assert code == 0, seen
    ((outcome, because),) = _becauses(_staged(top, "new.py", text, 0))
    assert outcome == "excepted"
    assert because.startswith("until 2099-12-31: it is a quotation; approved by Dev on ")
    other = text.replace("three", "four")
    assert [outcome for outcome, _ in _becauses(_staged(top, "new.py", other, 1))] == ["block"]
    (top / "b.py").write_text(ABOVE + LINE)
    assert [outcome for outcome, _ in _becauses(_staged(top, "new.py", text, 1))].count("block") == 1


def test_a_person_excepts_in_a_commit_of_its_own(top: Path) -> None:
    said = act(
        top, "except", "plain-comments", "--until", "2099-01-31", "--reason", "quotes", "--path", "legacy/**"
    ).out
    assert "plain-comments leaves legacy/** alone until 2099-01-31: commit " in said
    assert run(top, "log", "-1", "--format=%s") == "Except legacy/** from plain-comments until 2099-01-31\n"
    assert "Resolution: EXCEPT plain-comments -- legacy/** until 2099-01-31: quotes" in run(
        top, "log", "-1", "--format=%b"
    )
    assert run(top, "status", "--porcelain") == ""
    assert _becauses(_staged(top, "legacy/a.py", LINE, 0)) == [("excepted", "until 2099-01-31: quotes")]
    assert _hook(top, "legacy/b.py", LINE) == {}
    assert _hook(top, "b.py", LINE) != {}
    assert _becauses(_staged(top, "b.py", LINE, 1))[0] == ("block", "")


def test_an_exception_ends(top: Path) -> None:
    act(top, "except", "plain-comments", "--until", "2099-01-31", "--reason", "quotes")
    for path in (top / ".rules").rglob("*exceptions*/*"):
        path.write_text(path.read_text().replace("2099-01-31", "2020-01-31"))
    act(top, "compile")
    run(top, "add", "-A")
    act(top, "check", "--staged")  # it ends sooner: nothing is weaker
    run(top, "commit", "-qm", "End it")
    assert _becauses(_staged(top, "b.py", LINE, 1)) == [("block", "its exception ended on 2020-01-31")]
    assert _hook(top, "c.py", LINE) != {}


def test_it_is_taken_back_and_prolonged(top: Path) -> None:
    argv = ("except", "plain-comments", "--path", "a/**")
    act(top, *argv, "--until", "2099-01-31", "--reason", "quotes")
    assert "already excepted like this" in act(top, *argv, "--until", "2099-01-31", "--reason", "quotes").out
    act(top, *argv, "--until", "2099-02-28", "--reason", "quotes")
    (row,) = [one for one in json.loads(act(top, "except", "--list", "--format", "json").out) if one["where"] == "a/**"]
    assert (row["until"], row["author"], row["reason"]) == ("2099-02-28", "Dev", "quotes")
    assert "plain-comments holds for a/** again: commit " in act(top, *argv, "--remove").out
    assert not (top / ".rules/compiled/exceptions.json").exists()
    assert "has no exception until a day for a/**" in act(top, *argv, "--remove", code=2).err


@pytest.mark.parametrize(
    ("argv", "told"),
    [
        (("no-such", "--until", "2099-01-31", "--reason", "why"), "no rule 'no-such'"),
        (("plain-comments", "--until", "2020-01-31", "--reason", "why"), "2020-01-31 is over"),
        (("plain-comments", "--until", "soon", "--reason", "why"), "'soon' is no day"),
        (("plain-comments", "--until", "2099-01-31"), "the reason is empty"),
        (("plain-comments", "--reason", "why"), "say what to except"),
        (("plain-comments", "--until", "2099-01-31", "--command", "x", "--reason", "why"), "only paths are excepted"),
        (("plain-comments", "--list", "--reason", "why"), "--list takes no more than SLUG"),
        (("plain-comments", "--remove", "--until", "2099-01-31"), "--remove takes only the --path"),
        ((), "name the rule, or pass --list"),
        (("plain-comments", "--until", "2099-01-31", "--reason", " "), "the reason is empty"),
        (("plain-comments", "--until", "2099-01-31", "--reason", "why", "--path", " "), "is no glob"),
        (("plain-comments", "--until", "2099-01-31", "--reason", "why", "--path", "**/" * 20), "too many stars"),
    ],
)
def test_what_cannot_be_excepted_so_is_refused_in_a_line(top: Path, argv: tuple[str, ...], told: str) -> None:
    said = act(top, "except", *argv, code=2).err
    assert told in said
    assert len(said.splitlines()) == 1


def test_the_list_says_who_why_how_long_and_whether_it_counts(top: Path) -> None:
    assert "unused: nothing is found there any more" in act(top, "except", "--list").out
    (top / "app.py").write_text(
        f"x = 1\n{ABOVE}{LINE}# rulec: ignore[plain-comments] until=2020-01-31 once\n# simply\n"
    )
    run(top, "commit", "-qam", "Two")
    (top / "b.py").write_text(
        "# rulec: ignore[plain-comments]\n# rulec: ignore[gone-rule] until=2099-01-31 why\n" + ABOVE
    )
    run(top, "add", "-A")
    rows = {one["where"]: one for one in json.loads(act(top, "except", "--list", "--format", "json").out)}
    states = {where: row["state"] for where, row in rows.items()}
    assert states == {
        "app.py:2": "counts",
        "app.py:4": "ended on 2020-01-31",
        "b.py:1": "does not count: it has no end: until=YYYY-MM-DD",
        "b.py:2": "does not count: no rule of that name",
        "b.py:3": "not committed, so it does not count",
    }
    assert rows["app.py:2"]["author"] == "Dev"
    said = act(top, "except", "--list").out
    assert "plain-comments  app.py:2  until 2099-12-31 (Dev, 0 days ago)" in said
    assert "5 exceptions, 1 of them in use" in said


def test_what_is_part_of_a_rule_is_listed_as_for_good(top: Path) -> None:
    act(top, "except", "plain-comments", "--path", "legacy/**", "--because", "quotes")
    (row,) = [
        one
        for one in json.loads(act(top, "except", "plain-comments", "--list", "--format", "json").out)
        if one["kind"] == "rule"
    ]
    assert (row["where"], row["until"], row["reason"], row["state"]) == ("legacy/**", "", "quotes", "counts")
    assert "plain-comments  legacy/**  for good\n" in act(top, "except", "--list").out


def test_where_nothing_is_excepted_the_list_says_so(top: Path) -> None:
    (top / "app.py").write_text("x = 1\n")
    run(top, "commit", "-qam", "Without")
    assert act(top, "except", "--list").out == "nothing is excepted\n"


def test_a_damaged_file_is_refused_by_name_and_line(top: Path) -> None:
    act(top, "except", "plain-comments", "--until", "2099-01-31", "--reason", "quotes")
    (path,) = (top / ".rules/exceptions").iterdir()
    path.write_text(path.read_text().replace("reason: quotes", "reason: ''"))
    assert f".rules/exceptions/{path.name}:4" in act(top, "rules", code=2).err
    path.write_text("slug: plain-comments\nuntil: 2099-01-31\nreason: why\npaths: [a]\n")
    assert "name it .rules/exceptions/plain-comments." in act(top, "rules", code=2).err


def _signs(top: Path) -> list[str]:
    return [sign.what for sign in rulebook_health.examine_owners(top, rulebook_files.load_rulebook(top))]


def test_doctor_tells_of_exceptions_that_ended_and_of_owners_whom_nobody_asks(top: Path) -> None:
    assert _signs(top) == [".github/CODEOWNERS asks nobody about the rules"]
    act(top, "except", "plain-comments", "--until", "2099-01-31", "--reason", "quotes")
    (path,) = (top / ".rules/exceptions").iterdir()
    path.write_text(path.read_text().replace("2099-01-31", "2020-01-31"))
    config = top / ".rules/config.yaml"
    config.write_text(config.read_text().replace("[claude-code]", "[claude-code, codeowners]"))
    act(top, "compile")
    assert _signs(top) == [
        "1 exception until a day, 1 of them ended (plain-comments): rulec except --list",
        ".github/CODEOWNERS asks @acme/leads about the rules",
    ]
    owners = top / ".github/CODEOWNERS"
    owners.write_text(f"{owners.read_text()}* @acme/all\n")
    assert _signs(top)[1] == ".github/CODEOWNERS asks @acme/all about the rules, not @acme/leads"


def test_rules_that_come_with_rulec_are_explained(top: Path) -> None:
    for slug in ("rulebook-weakened", "protected-paths", "protect-the-gate"):
        said = act(top, "why", slug).out
        assert said.startswith(f"{slug}: ")
        assert "instead: " in said
