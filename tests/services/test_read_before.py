"""What an earlier run has read: new to a model where none read it, and never again to whoever did."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.services.test_mined import SAID, Act, _kept, _prompts, _two, _wish, verb
from tests.support import messages_replies as replies
from tests.support.messages_server import MessagesServer
from tests.support.session import ClaudeSession
from tests.support.talks import answer, through

__all__ = ["verb"]


def test_what_was_read_offline_is_new_to_a_model_and_not_the_other_way_round(gated: Path, verb: Act) -> None:
    _kept(gated, _two(gated))
    assert "rulec ingest --backend exchange" in verb("ingest").out
    assert "no new transcripts" in verb("ingest").out
    assert "1 prompt waits" in verb("ingest", "--backend", "exchange").out
    answer(gated)
    assert "0 lasting corrections" in verb("ingest", "--continue").out
    assert "no new transcripts" in verb("ingest").out
    assert "no new transcripts" in verb("ingest", "--backend", "exchange").out


def test_a_run_without_a_model_takes_no_question_away(gated: Path, verb: Act) -> None:
    _kept(gated, _two(gated))
    verb("ingest", "--backend", "exchange")
    long = ClaudeSession(gated, "5e55-0002")
    for number in range(40):  # so much that it has a prompt of its own
        long.person(f"Add test {number}. {'It covers one more case. ' * 40}").runs("make")
    _kept(gated, long)
    assert "2 prompts wait" in verb("ingest", "--backend", "exchange").out
    prompts = _prompts(gated)
    (known,) = (one for one in prompts if SAID in one.read_text())
    known.with_name(known.name.replace(".prompt.md", ".answer.json")).write_text(json.dumps({"wishes": []}))
    assert "1 prompt waits" in verb("ingest", "--continue").out
    verb("ingest")
    assert "1 prompt waits" in verb("ingest", "--continue").out
    assert _prompts(gated) == [one for one in prompts if one != known]


def test_questions_about_sessions_that_are_gone_are_taken_back_aloud(gated: Path, verb: Act) -> None:
    path = _kept(gated, _two(gated))
    verb("ingest", "--backend", "exchange")
    path.unlink()
    assert "1 question is withdrawn" in verb("ingest", "--continue").out
    assert not _prompts(gated)


def test_sessions_of_which_a_model_gave_no_answer_are_asked_about_again(
    gated: Path, verb: Act, messages: MessagesServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CI", "true")
    config = gated / ".rules/config.yaml"
    config.write_text(config.read_text() + "models: {backend: anthropic, model: claude-haiku-4-5}\n")
    _kept(gated, _two(gated))
    messages.script = lambda _: replies.refused()
    assert "read offline" in verb("ingest").out
    messages.script = lambda _: {"wishes": []}
    assert "0 lasting corrections" in verb("ingest").out
    assert "no new transcripts" in verb("ingest").out


SENTENCE = "always use pnpm, not npm, please."


def _said(top: Path, tmp_path: Path, text: str = SENTENCE) -> str:
    session = ClaudeSession(top).person("Add left-pad.").runs("npm install left-pad").person(text)
    return str(session.runs("pnpm add left-pad").save(tmp_path / "s.jsonl"))


def _model(verb: Act, top: Path, path: str, *wishes: dict[str, Any]) -> str:
    """What a run says that hears these wishes."""
    verb("ingest", path, "--backend", "exchange")
    return through(top, *wishes, options=())


NAMES = {"offline": "use-pnpm", "model": "prefer-pnpm-over-npm"}  # by the words of the sentence, or of the reader


@pytest.mark.parametrize("first", NAMES)
def test_what_was_rejected_is_not_proposed_in_other_words_of_the_same_turn(
    gated: Path, verb: Act, tmp_path: Path, first: str
) -> None:
    path = _said(gated, tmp_path)
    wish = _wish(2, "use pnpm, not npm", statement="Prefer pnpm over npm.")
    if first == "offline":
        assert "1 proposal waits" in verb("ingest", path).out
    else:
        assert "1 proposal waits" in _model(verb, gated, path, wish)
    verb("review", "--reject", NAMES[first])
    said = _model(verb, gated, path, wish) if first == "offline" else verb("ingest", path).out
    assert "1 known already" in said
    assert "queue: empty" in verb().out


@pytest.mark.parametrize("first", NAMES)
def test_what_was_accepted_is_known_in_other_words_of_the_same_turn(
    gated: Path, verb: Act, tmp_path: Path, first: str
) -> None:
    path = _said(gated, tmp_path)
    wish = _wish(2, "use pnpm, not npm", statement="Prefer pnpm over npm.")
    if first == "offline":
        verb("ingest", path)
    else:
        _model(verb, gated, path, wish)
    verb("review", "--accept", NAMES[first])
    said = _model(verb, gated, path, wish) if first == "offline" else verb("ingest", path).out
    assert "1 known already" in said
    assert "queue: empty" in verb().out


def test_another_wish_of_the_same_words_is_still_proposed(gated: Path, verb: Act, tmp_path: Path) -> None:
    text = "always use pnpm, not npm. Also keep every date in UTC."
    path = _said(gated, tmp_path, text)
    assert "1 known already" not in verb("ingest", path).out
    verb("review", "--reject", "use-pnpm")
    said = _model(verb, gated, path, _wish(2, text))
    assert "0 known already" in said
