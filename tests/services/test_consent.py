"""A repository alone spends no person's money: a backend that costs and that only its settings name waits for a yes."""

from pathlib import Path
from typing import Any

import pytest

from rulec.domain.prompt import ModelAnswer, ModelFailure
from rulec.gates.judging.judge_settings import JudgeChoice
from rulec.infra.rulebooks import personal_rulebook
from rulec.llm import model_settings
from rulec.rulebook import file_paths
from rulec.rulebook.rulebook import Rulebook
from rulec.services.gating import check
from tests.gates.test_judged import _book, _careful
from tests.support.judging import rule
from tests.support.messages_server import MessagesServer
from tests.support.talks import prompt, talk
from tests.support.world import act, run

SAY = "only this repository's settings name it, and it costs money: rulec ingest --backend anthropic or rulec check"


@pytest.fixture
def stranger(repo: Path, messages: MessagesServer, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Somebody's repository whose judge is asked at commits, with an offence staged; outside of CI."""
    monkeypatch.delenv("CI", raising=False)
    _careful(messages)
    _book(repo, {"no-foo": rule("no-foo", "foo")})
    (repo / "a.py").write_text("foo = 1\n")
    run(repo, "add", "a.py")
    return repo


def _staged(top: Path) -> Any:
    return check.check_staged(top, "text", lambda _: None)


def test_what_only_a_repository_names_is_asked_nothing_and_refuses_nothing(
    stranger: Path, messages: MessagesServer
) -> None:
    said = _staged(stranger)
    assert (said.code, messages.asked) == (0, [])
    assert said.text.count(SAY) == 1
    assert "1 judge rule not judged" in said.text
    act(stranger, "ingest", code=None)
    assert messages.asked == []
    doctor = act(stranger, "doctor", code=None).out
    assert SAY in doctor
    assert "WRONG  anthropic" not in doctor


def test_where_the_rule_blocks_unjudged_it_does_so_here_too(
    repo: Path, messages: MessagesServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("CI", raising=False)
    _book(repo, {"no-foo": rule("no-foo", "foo", "on_error: block\n")})
    (repo / "a.py").write_text("x = 1\n")
    run(repo, "add", "a.py")
    assert _staged(repo).code == 1
    assert messages.asked == []


def test_named_once_on_the_command_line_it_is_asked_from_then_on(stranger: Path, messages: MessagesServer) -> None:
    said = check.check_since(stranger, "main", "text", choice=JudgeChoice(backend="anthropic"))
    assert "not judged" not in said.text
    assert "warning from no-foo" in _staged(stranger).text
    assert len(messages.asked) == 1


def test_named_in_ones_own_settings_it_is_asked(stranger: Path) -> None:
    place = personal_rulebook.personal_folder() / file_paths.CONFIG
    place.parent.mkdir(parents=True)
    place.write_text("models: {backend: anthropic}\n")
    assert "warning from no-foo" in _staged(stranger).text


@pytest.mark.parametrize(("value", "asked"), [("true", 1), ("1", 1), ("false", 0), ("", 0)])
def test_in_ci_it_is_asked(
    stranger: Path, messages: MessagesServer, monkeypatch: pytest.MonkeyPatch, value: str, asked: int
) -> None:
    monkeypatch.setenv("CI", value)
    _staged(stranger)
    assert len(messages.asked) == asked


def test_what_costs_nothing_needs_no_yes(repo: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("CI", raising=False)
    assert talk(repo, backend="exchange", named="team").lacks() == ""
    assert "costs" in talk(repo, backend="claude-cli", named="team").lacks()
    assert model_settings.choose_models(repo, Rulebook(), "claude-cli").named == "option"


def test_what_another_address_answered_is_not_taken_for_the_apis_word(
    repo: Path, messages: MessagesServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    messages.script = lambda _: {"wishes": ["theirs"]}
    assert isinstance(talk(repo, backend="anthropic").ask([prompt("one")])[0], ModelAnswer)
    assert isinstance(talk(repo, backend="anthropic").ask([prompt("one")])[0], ModelAnswer)
    assert len(messages.asked) == 1, "the same address is asked once"
    monkeypatch.setenv("ANTHROPIC_BASE_URL", "http://127.0.0.1:9")
    assert isinstance(talk(repo, backend="anthropic").ask([prompt("one")])[0], ModelFailure)


def test_verdicts_of_another_address_are_not_known(
    repo: Path, messages: MessagesServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    _book(repo, {"no-foo": rule("no-foo", "foo")})
    (repo / "a.py").write_text("foo = 1\n")
    run(repo, "add", "a.py")
    with MessagesServer() as theirs:
        _careful(theirs)
        monkeypatch.setenv("ANTHROPIC_BASE_URL", theirs.url)
        _staged(repo)
    _careful(messages)
    monkeypatch.setenv("ANTHROPIC_BASE_URL", messages.url)
    _staged(repo)
    _staged(repo)
    assert len(messages.asked) == 1


@pytest.mark.parametrize("own", ["", "https://api.anthropic.com", "https://API.anthropic.com/"])
def test_the_apis_own_address_is_no_other_however_it_is_written(
    repo: Path, monkeypatch: pytest.MonkeyPatch, own: str
) -> None:
    monkeypatch.setenv("ANTHROPIC_BASE_URL", own)
    for backend in ("anthropic", "claude-cli"):
        asking = talk(repo, backend=backend)
        assert asking.source == asking.who
        monkeypatch.setenv("ANTHROPIC_BASE_URL", "https://other.test")
        other = talk(repo, backend=backend)
        monkeypatch.setenv("ANTHROPIC_BASE_URL", own)
        assert (other.who, other.source == asking.source) == (asking.who, False)
