"""A whole run with the API in trouble: one clear line, nothing half-written, and the next run goes on."""

from pathlib import Path
from typing import Any

import pytest

from tests.conftest import Run
from tests.support.messages_replies import (
    Reply,
    broken,
    cut,
    failed,
    limited,
    malformed,
    overloaded,
    refused,
    said,
    tool,
)
from tests.support.messages_server import MessagesServer
from tests.support.session import ClaudeSession, pnpm
from tests.support.world import act

SAID = "keep every date in UTC!"
WISH = {"turn": 2, "quote": SAID, "holds": "next time", "sure": "high", "statement": "Keep every date in UTC."}
TROUBLES: dict[str, tuple[Reply, str]] = {
    "refusal": (refused(), "refused to answer"),
    "malformed JSON": (malformed(), "not JSON"),
    "truncation": (cut({"wishes": [WISH]}), "was cut off"),
    "429": (limited(retry_after="900"), "no requests or tokens left"),
    "500": (broken(), "the API is broken (500)"),
    "overload": (overloaded(), "the API is overloaded"),
    "reset": (Reply(reset=True), "the connection to the API broke off"),
    "silence": (Reply(hang=True), "the API took more than 1 seconds"),
    "words": (said("Let me think about it."), "no answer of the form"),
    "wrong schema": (tool({"wishes": {"turn": 2}}), "answered in another form"),
    "wrong key": (failed(401, "authentication_error", "invalid x-api-key"), "does not take the key"),
    "another turn": (tool({"wishes": [{**WISH, "turn": 99}]}), "ignored in the model's answer"),
    "over-long": (tool({"wishes": [{**WISH, "statement": "x" * 30_000}]}), "ignored in the model's answer"),
}


@pytest.mark.parametrize("trouble", TROUBLES.values(), ids=TROUBLES)
def test_each_trouble_is_told_and_leaves_nothing_half_done(
    ruled: Path, messages: MessagesServer, git: Run, tmp_path: Path, trouble: tuple[Reply, str]
) -> None:
    reply, words = trouble
    config = ruled / ".rules" / "config.yaml"
    text = config.read_text() if config.exists() else "schema: 1\n"
    seconds = 1 if reply.hang or reply.reset else 60
    config.write_text(text + f"models: {{backend: anthropic, seconds: {seconds}}}\n")
    git("add", "-A")
    git("commit", "-qm", "Ask a model")
    session = ClaudeSession(ruled).person("Add a date.").writes("a.py", "now()").person(SAID).writes("a.py", "now(UTC)")
    path = str(session.save(tmp_path / "s.jsonl"))
    before = git("rev-parse", "HEAD").stdout
    messages.script = lambda _: reply
    first = act(ruled, "ingest", path, "--yes")
    assert words in first.out + first.err
    assert git("rev-parse", "HEAD").stdout == before
    assert git("status", "--porcelain").stdout == ""
    script: list[Any] = [{"wishes": [WISH]}]
    messages.script = script
    again = act(ruled, "ingest", path, "--yes")
    assert not script, again  # it is asked again, and heard


def _long(top: Path, turns: int) -> ClaudeSession:
    session = ClaudeSession(top)
    for number in range(turns):
        session.person(f"Look at part {number}. " + "It is long and wide. " * 12).agent("Done.")
    return session


def test_an_overload_ends_the_asking_and_each_request_counts(
    ruled: Path, messages: MessagesServer, tmp_path: Path
) -> None:
    messages.script = lambda _: overloaded()
    path = str(_long(ruled, 500).save(tmp_path / "s.jsonl"))
    told = act(ruled, "ingest", path, "--backend", "anthropic", code=2).err
    assert "gives no answer: the API is overloaded" in told
    assert len(messages.asked) == 4 * 3  # those that went out beside each other, with all their tries
    assert "asked anthropic claude-sonnet-5-5: 4 requests" in told


NO_ANSWER = {"refusal": refused(), "truncation": cut(), "words": said("No."), "500": broken(), "overload": overloaded()}


@pytest.mark.parametrize("reply", NO_ANSWER.values(), ids=NO_ANSWER)
def test_a_run_for_which_a_model_was_named_that_says_nothing_is_refused(
    ruled: Path, messages: MessagesServer, tmp_path: Path, reply: Reply
) -> None:
    messages.script = lambda _: reply
    path = str(pnpm(ruled).save(tmp_path / "s.jsonl"))
    told = act(ruled, "ingest", path, "--backend", "anthropic", "--yes", code=2)
    assert "nothing was read, because anthropic claude-sonnet-5-5 gives no answer: " in told.err
    assert "accepted" not in told.out
