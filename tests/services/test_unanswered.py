"""Turns on which a model gives no answer, or one about something else: read without it, and asked about again."""

import json
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from tests.support.messages_replies import limited
from tests.support.messages_server import MessagesServer
from tests.support.session import ClaudeSession, pnpm
from tests.support.world import Said, act

Act = Callable[..., Said]
OFFLINE = "its turns were read offline, and the model is asked again next time"


@pytest.fixture
def verb(gated: Path) -> Act:
    """A verb in a repository with gates whose team has named the API, in this process."""
    config = gated / ".rules/config.yaml"
    config.write_text(config.read_text() + "models: {backend: anthropic}\n")
    return partial(act, gated)


def _mine(messages: MessagesServer) -> int:
    """How often turns were asked about; a wish that was found has questions of its own for its check."""
    return sum("quote" in one.schema["properties"]["wishes"]["items"]["properties"] for one in messages.asked)


def _wish(turn: int) -> dict[str, Any]:
    wish = {
        "turn": turn,
        "quote": "pnpm, not npm.",
        "holds": "next time",
        "sure": "high",
        "statement": "Use pnpm, never npm.",
    }
    return {**wish, "offence": "a2.1", "fix": "a3.1"}


def test_turns_on_which_a_model_gives_no_answer_are_read_offline(
    gated: Path, verb: Act, messages: MessagesServer, tmp_path: Path
) -> None:
    messages.script = lambda _: {"rules": []}
    path = str(pnpm(gated).save(tmp_path / "s.jsonl"))
    said = verb("ingest", path, "--yes").out
    assert "1 accepted" in said
    assert "answered in another form" in said


def test_runs_that_got_no_answer_leave_all_turns_to_one_question(
    gated: Path, verb: Act, messages: MessagesServer, tmp_path: Path
) -> None:
    session, path = ClaudeSession(gated), tmp_path / "s.jsonl"
    messages.script = lambda _: limited(retry_after="900")
    for number in range(5):
        session.person(f"Look at part {number}.").runs("make")
        assert "turn" in verb("ingest", str(session.save(path))).out
    failed = len(messages.asked)
    messages.script = lambda _: {"wishes": []}
    verb("ingest", str(path))
    assert len(messages.asked) == failed + 1
    session.person("Now the footer.")
    verb("ingest", str(session.save(path)))
    assert "Look at part" not in messages.asked[-1].text  # what was answered is not asked again
    assert len(messages.asked) == failed + 2


def test_an_answer_about_other_turns_counts_as_none_and_is_asked_for_again(
    gated: Path, verb: Act, messages: MessagesServer, tmp_path: Path
) -> None:
    path = str(pnpm(gated).save(tmp_path / "s.jsonl"))
    messages.script = lambda _: {"wishes": [_wish(99), _wish(98)]}
    first = verb("ingest", path)
    assert "1 lasting correction: 0 accepted" in first.out  # our own reader found it
    assert OFFLINE in first.out
    messages.script = lambda _: {"wishes": [_wish(2)]}
    assert "answered before" not in verb("ingest", path, "--yes").out
    assert _mine(messages) == 2
    assert "1 answered before" in verb("ingest", path, "--yes").out  # this one is kept


def test_an_answer_in_a_file_about_other_turns_is_told_and_its_question_is_put_again(
    gated: Path, verb: Act, tmp_path: Path
) -> None:
    path = str(pnpm(gated).save(tmp_path / "s.jsonl"))
    verb("ingest", path, "--backend", "exchange")
    (prompt,) = (gated / ".rulec/exchange").glob("*.prompt.md")
    answer = prompt.with_name(prompt.name.replace(".prompt.md", ".answer.json"))
    answer.write_text(json.dumps({"wishes": [_wish(99)]}))
    said = verb("ingest", "--continue", "--yes").out
    assert "1 accepted" in said
    assert OFFLINE in said
    assert "1 prompt waits" in verb("ingest", path, "--backend", "exchange").out


def test_of_two_wishes_that_were_answered_one_that_is_borne_out_is_enough(
    gated: Path, verb: Act, messages: MessagesServer, tmp_path: Path
) -> None:
    messages.script = lambda _: {"wishes": [_wish(99), _wish(2)]}
    said = verb("ingest", str(pnpm(gated).save(tmp_path / "s.jsonl")), "--yes").out
    assert "ignored in the model's answer: no turn '99' was asked about" in said
    assert "offline" not in said
    assert "1 accepted" in said
