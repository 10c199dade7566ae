"""A judge from its trial to the gates that it may close: real SDK, real HTTP, real git, real hook."""

import json
import subprocess
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import Run
from tests.support.asking import ask_hook
from tests.support.judging import answered
from tests.support.messages_replies import failed
from tests.support.messages_server import KEY, MessagesServer
from tests.support.session import ClaudeSession

MODELS = "models: {{backend: anthropic, model: {model}, judges: [ci, stop]}}\n"
MODEL = "claude-haiku-4-5"
RULE = """\
slug: no-{word}
statement: Nobody writes the word {word}.
enforcement: block
checks:
  - {{kind: judge, template: judge}}
examples:
  invalid: [{{file: a.py, content: "{word} = 1\\n"}}, {{file: b.py, content: "x = {word}\\n"}}]
  valid: [{{file: a.py, content: "y = 1\\n"}}, {{file: b.py, content: "x = z\\n"}}]
"""


def _git(top: Path, *args: str) -> None:
    subprocess.run(["git", *args], cwd=top, check=True, capture_output=True)


def _careful(server: MessagesServer) -> None:
    server.script = lambda asked: answered(asked.text)


def _book(top: Path, rulec: Run, *words: str, model: str = MODEL) -> None:
    for word in words:
        (top / ".rules" / f"no-{word}.yaml").write_text(RULE.format(word=word))
    config = top / ".rules" / "config.yaml"
    config.write_text(config.read_text() + MODELS.format(model=model))
    rulec("compile")
    _git(top, "add", "-A")
    _git(top, "commit", "-qm", "Judge words", "--no-verify")


def _change(top: Path, text: str) -> None:
    _git(top, "checkout", "-qb", "work")
    (top / "app.py").write_text(text)
    _git(top, "add", "-A")
    _git(top, "commit", "-qm", "Change the app", "--no-verify")


def test_a_pinned_judge_is_tried_and_refuses_in_ci(gated: Path, rulec: Run, messages: MessagesServer) -> None:
    _careful(messages)
    _book(gated, rulec, "foo")
    said = rulec("test").stdout
    assert "no-foo: its judge decides 4 of 4 examples as they should be" in said
    assert "1 request" in said
    _change(gated, "foo = 1\n")
    assert "app.py:1: foo = 1" in rulec("check", "--base", "main", code=1).stdout


def test_the_examples_of_many_judges_go_into_one_request(gated: Path, rulec: Run, messages: MessagesServer) -> None:
    _careful(messages)
    words = [f"word{number:02}" for number in range(20)]
    _book(gated, rulec, *words)
    found = json.loads(rulec("test", "--format", "json").stdout)
    assert [(one["judge"]["asked"], one["judge"]["wrong"]) for one in found] == [(4, [])] * len(words)
    assert len(messages.asked) == 1
    assert "Examples from elsewhere" not in messages.asked[0].text  # it is tried on them
    rulec("test")
    assert len(messages.asked) == 1


@pytest.mark.parametrize("text", ["x = 1\n", "foo = 1\n"])
def test_without_the_key_ci_says_what_is_not_judged(  # noqa: PLR0917 - fixtures
    gated: Path, rulec: Run, messages: MessagesServer, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, text: str
) -> None:
    _careful(messages)
    _book(gated, rulec, "foo")
    _change(gated, text)
    cache = str(tmp_path / "cache")
    rulec("check", "--base", "main", "--judge-cache", cache, code=None)
    monkeypatch.delenv("ANTHROPIC_API_KEY")
    asked = len(messages.asked)
    for folder in ("answers", "verdicts"):
        subprocess.run(["rm", "-rf", f".git/rulec/{folder}"], cwd=gated, check=True)
    said = rulec("check", "--base", "main", "--judge-cache", cache).stdout  # as a fork's pull request, with a cache
    assert "1 judge rule not judged" in said
    assert "ANTHROPIC_API_KEY" in said
    assert len(messages.asked) == asked


def _stop(top: Path, *, active: bool = False, **env: str) -> dict[str, Any]:
    session, app = ClaudeSession(top).person("go on"), top / "app.py"
    if app.is_file():
        session.writes("app.py", app.read_text())
    path = session.agent("Done.").save(top.parent / "session.jsonl")
    payload = {"hook_event_name": "Stop", "session_id": "s1", "cwd": str(top), "stop_hook_active": active}
    payload["transcript_path"] = str(path)
    done = ask_hook(top, payload, **env)
    assert (done.returncode, done.stderr) == (0, b"")
    assert KEY.encode() not in done.stdout
    found: dict[str, Any] = json.loads(done.stdout) if done.stdout.strip() else {}
    return found


@pytest.fixture
def judged(gated: Path, rulec: Run, messages: MessagesServer) -> Path:
    _careful(messages)
    _book(gated, rulec, "foo")
    return gated


def test_a_judge_holds_the_end_of_a_turn_where_the_team_wants_it(judged: Path, messages: MessagesServer) -> None:
    assert _stop(judged) == {}
    assert len(messages.asked) == 0
    (judged / "app.py").write_text("x = 1\nfoo = 2\n")
    out = _stop(judged)
    assert out.get("decision") == "block", out
    assert "rulec rule no-foo: Nobody writes the word foo." in out["reason"]
    assert "Seen: app.py:2: foo = 2" in out["reason"]
    assert len(messages.asked) == 1
    assert _stop(judged, active=True)["decision"] == "block"
    assert len(messages.asked) == 1  # what did not change is not asked again
    (judged / "app.py").write_text("x = 1\n")
    assert _stop(judged, active=True) == {}


def test_below_a_model_that_rulec_asked_nobody_is_asked(judged: Path, messages: MessagesServer) -> None:
    (judged / "app.py").write_text("foo = 2\n")
    assert _stop(judged, RULEC_BELOW_MODEL="1") == {}
    assert len(messages.asked) == 0


def test_what_is_not_answered_is_left_to_ci_and_said_once(judged: Path, messages: MessagesServer) -> None:
    messages.script = lambda _: failed(400, "invalid_request_error", "no")
    (judged / "app.py").write_text("foo = 2\n")
    assert "judges have not answered in time; CI will ask them" in json.dumps(_stop(judged))
    assert _stop(judged) == {}


def test_a_judge_that_only_warns_costs_nothing_at_the_end_of_a_turn(
    gated: Path, rulec: Run, messages: MessagesServer
) -> None:
    _careful(messages)
    _book(gated, rulec, "foo")
    rulec("set", "no-foo", "warn", "--no-commit")
    (gated / "app.py").write_text("foo = 2\n")
    assert _stop(gated) == {}
    assert len(messages.asked) == 0


def test_only_what_the_team_opted_into_stands_in_the_mark(gated: Path, rulec: Run) -> None:
    mark = gated / ".rules" / "compiled" / "judges.json"
    _book(gated, rulec, "foo")
    assert mark.exists()
    config = gated / ".rules" / "config.yaml"
    config.write_text(config.read_text().replace(", stop]", "]"))
    rulec("compile")
    assert not mark.exists()
