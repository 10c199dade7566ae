"""The hook is registered in the repository's settings and by the plugin: one of the two answers, whichever is first."""

import json
from pathlib import Path

import pytest

from rulec.hook import dispatch
from rulec.hook.dispatch import CLAIMS, PLUGIN, SETTINGS

CALL, OTHER = b'{"tool_use_id": "1"}', b'{"tool_use_id": "2"}'
BOTH = [(SETTINGS, PLUGIN), (PLUGIN, SETTINGS)]


def _judged(top: Path, *calls: tuple[bytes, str]) -> list[bool]:
    return [not dispatch.answers_elsewhere(str(top), sent, registration) for sent, registration in calls]


def _plugin_was_here(top: Path) -> Path:
    assert _judged(top, (b"{}", PLUGIN)) == [True]
    return top / ".git/rulec" / CLAIMS


def test_without_the_plugin_every_call_is_judged_and_nothing_is_written(repo: Path) -> None:
    assert _judged(repo, (CALL, SETTINGS), (CALL, SETTINGS)) == [True, True]
    assert not (repo / ".git/rulec" / CLAIMS).exists()


def test_without_settings_every_call_is_judged(repo: Path) -> None:
    assert _judged(repo, (CALL, PLUGIN), (CALL, PLUGIN), (OTHER, PLUGIN)) == [True, True, True]


@pytest.mark.parametrize(("first", "second"), BOTH)
def test_the_second_of_two_yields_once(repo: Path, first: str, second: str) -> None:
    _plugin_was_here(repo)
    pair = [(CALL, first), (CALL, second)]
    # what is sent may be the very same again, as at the end of a turn
    assert _judged(repo, *pair, (OTHER, first), *pair, (OTHER, second)) == [True, False, True, True, False, False]


@pytest.mark.parametrize(("first", "second"), BOTH)
def test_a_claim_of_long_ago_is_none(repo: Path, first: str, second: str, monkeypatch: pytest.MonkeyPatch) -> None:
    claims = _plugin_was_here(repo)
    assert _judged(repo, (CALL, first)) == [True]
    known = json.loads(claims.read_text())
    claims.write_text(json.dumps({key: [by, when - 3600] for key, (by, when) in known.items()}))
    assert _judged(repo, (CALL, second)) == [True]


@pytest.mark.parametrize("text", ["", "[]", '{"a": 1}', "{", '{"%s": ["plugin", "x"]}'])
def test_a_damaged_file_lets_both_judge(repo: Path, text: str) -> None:
    _plugin_was_here(repo).write_text(text)
    assert _judged(repo, (CALL, SETTINGS)) == [True]


def test_where_nothing_can_be_written_both_judge(repo: Path) -> None:
    claims = _plugin_was_here(repo)
    claims.unlink()
    claims.mkdir()
    assert _judged(repo, (CALL, SETTINGS), (CALL, PLUGIN)) == [True, True]


def test_claims_stay_few(repo: Path) -> None:
    claims = _plugin_was_here(repo)
    for number in range(dispatch.MOST_CLAIMS + 5):
        _judged(repo, (str(number).encode(), SETTINGS))
    assert len(json.loads(claims.read_text())) == dispatch.MOST_CLAIMS


def test_the_launcher_says_which_of_the_two_runs() -> None:
    assert dispatch.registration_of(["claude-code", "call", "plugin"]) == PLUGIN
    assert dispatch.registration_of(["claude-code", "other", "plugin"]) == PLUGIN
    assert dispatch.registration_of(["claude-code", "call"]) == SETTINGS
    assert dispatch.registration_of(["plugin"]) == SETTINGS


def test_the_refusal_is_written_down_once(ruled: Path) -> None:
    asked = {
        "hook_event_name": "PreToolUse", "session_id": "s", "cwd": str(ruled), "tool_name": "Bash",
        "tool_input": {"command": "git commit --no-verify -m x"}, "tool_use_id": "t1",
    }  # fmt: skip
    raw = json.dumps(asked).encode()
    answers = [dispatch.respond("claude-code", raw, str(ruled), one).out for one in (PLUGIN, SETTINGS)]
    assert answers[0]["hookSpecificOutput"]["permissionDecision"] == "deny"
    assert answers[1] == {}
