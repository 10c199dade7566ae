"""Judges where somebody waits who came for something else: a commit, the end of a turn."""

import json
from pathlib import Path
from typing import Any

import pytest

from rulec.gates.judging import judge_settings
from rulec.gates.judging.judge_settings import JudgeChoice
from rulec.services.gating import check
from tests.gates.test_judged import CONFIG, _book, _careful, _commit, _git, _pin
from tests.support.judging import rule
from tests.support.messages_replies import Reply
from tests.support.messages_server import MessagesServer
from tests.support.world import act

pytestmark = pytest.mark.e2e  # many real processes: CI runs these

SOON = CONFIG.replace("judges:", "seconds: 1, judges:")
LAST = "rulec: 1 file, 3 rules: no findings, 3 judge rules not judged: "
THREE = {f"no-{word}": rule(f"no-{word}", word) for word in ("foo", "bar", "baz")}


def _staged(top: Path, text: str = "foo = 1\n") -> Any:
    (top / "a.py").write_text(text)
    _git(top, "add", "-A")
    return check.check_staged(top, "text", lambda _: None)


def test_a_commit_waits_no_longer_than_20_seconds_and_says_who_asks_again(repo: Path, messages: MessagesServer) -> None:
    _book(repo, {"no-foo": rule("no-foo", "foo")})
    asking = judge_settings.judges_at_commit(repo, lambda _: None)
    assert asking
    assert asking.models.seconds == 20
    _commit(repo, {".rules/config.yaml": SOON})
    messages.script = lambda _: Reply(hang=True)
    said = _staged(repo)
    assert said.code == 0
    assert "not judged: the API took more than 1 seconds; CI asks again" in said.text
    assert "raise" not in said.text


def test_where_ci_asks_no_judge_a_person_may(repo: Path, messages: MessagesServer) -> None:
    _book(repo, {"no-foo": rule("no-foo", "foo")}, SOON.replace("ci, ", ""))
    messages.script = lambda _: Reply(hang=True)
    assert "took more than 1 seconds; rulec check --base REF --backend anthropic waits longer" in _staged(repo).text
    _careful(messages)
    _git(repo, "commit", "-qm", "Add it")
    assert "a.py:1: foo = 1" in check.check_since(repo, "main", "text", choice=JudgeChoice(backend="anthropic")).text


def test_after_one_request_that_takes_too_long_no_other_is_sent(repo: Path, messages: MessagesServer) -> None:
    _book(repo, {"no-foo": rule("no-foo", "foo")}, SOON)
    messages.script = lambda _: Reply(hang=True)
    lines = "".join(f"value_{number} = 'some words that fill a line of code'\n" for number in range(900))
    for number in range(12):
        (repo / f"m{number}.py").write_text(lines.replace("value", f"value_{number}"))
    assert "1 judge rule not judged: the backend did not answer" in _staged(repo).text
    assert 0 < len(messages.asked) <= 4


def test_the_end_of_a_turn_waits_as_a_commit_does(repo: Path, messages: MessagesServer) -> None:
    _book(repo, {"no-foo": rule("no-foo", "foo")}, SOON.replace("commit", "stop"))
    _pin(repo)
    (repo / "a.py").write_text("foo = 1\n")
    messages.script = lambda _: Reply(hang=True)
    assert json.loads(check.judge_turn_end(repo, '["a.py"]').text) == {"found": [], "left": True}
    _careful(messages)
    assert json.loads(check.judge_turn_end(repo, '["a.py"]').text)["found"][0]["finding"]["path"] == "a.py"


def test_whoever_has_no_key_is_told_so_in_the_last_line_alone(repo: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("ANTHROPIC_API_KEY", raising=False)
    monkeypatch.setenv("CI", "true")
    _book(repo, THREE)
    said = _staged(repo)
    assert said.code == 0
    assert said.text.startswith(f"{LAST}ANTHROPIC_API_KEY is not set")
    assert said.text.count("\n") == 0


def test_a_rule_that_blocks_unjudged_says_so_itself(repo: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("ANTHROPIC_API_KEY", raising=False)
    monkeypatch.setenv("CI", "true")
    _book(repo, {**THREE, "no-qux": rule("no-qux", "qux", "on_error: block\n")})
    said = _staged(repo)
    assert said.code == 1
    assert said.text.startswith("refused by no-qux: ")
    assert "warning from" not in said.text
    assert "4 judge rules not judged: ANTHROPIC_API_KEY is not set" in said.text


@pytest.mark.parametrize("verb", [("ingest",), ("check", "--base", "main")])
def test_the_yes_that_is_missing_is_said_as_the_line_tells(
    repo: Path, messages: MessagesServer, monkeypatch: pytest.MonkeyPatch, verb: tuple[str, ...]
) -> None:
    monkeypatch.delenv("CI", raising=False)
    _careful(messages)
    _book(repo, THREE)
    said = _staged(repo)
    assert said.text.startswith(f"{LAST}only this repository's settings name it, and it costs money: ")
    assert " ".join(["rulec", *verb, "--backend anthropic"]).replace("main", "REF") in said.text
    act(repo, *verb, "--backend", "anthropic", code=None)
    assert "a.py:1: foo = 1" in _staged(repo).text


def test_in_ci_it_is_a_warning_that_nobody_can_be_asked(repo: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("ANTHROPIC_API_KEY", raising=False)
    _book(repo, THREE)
    _commit(repo, {"a.py": "foo = 1\n"})
    said = check.check_since(repo, "main", "text")
    assert "warning from no-bar" in said.text
    assert "3 judge rules not judged" in said.text
