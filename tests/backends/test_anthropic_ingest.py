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
from tests.support.session import ClaudeSession
from tests.support.world import act

SAID = "we keep every date in UTC around here"
WISH = {"turn": 2, "quote": SAID, "holds": "next time", "statement": "Keep every date in UTC."}
TROUBLES: dict[str, tuple[Reply, str]] = {
    "refusal": (refused(), "refused to answer"),
    "malformed JSON": (malformed(), "no JSON"),
    "truncation": (cut({"wishes": [WISH]}), "was cut off"),
    "429": (limited(retry_after="900"), "limit of requests or tokens is reached"),
    "500": (broken(), "the API is broken (500)"),
    "overload": (overloaded(), "the API is overloaded"),
    "reset": (Reply(reset=True), "the connection to the API broke off"),
    "silence": (Reply(hang=True), "the API took more than 1 seconds"),
    "words": (said("Let me think about it."), "no answer of the form"),
    "wrong schema": (tool({"wishes": {"turn": 2}}), "answered in another form"),
    "wrong key": (failed(401, "authentication_error", "invalid x-api-key"), "does not take the key"),
    "another turn": (tool({"wishes": [{**WISH, "turn": 99}]}), "of what the model said, not counted"),
    "over-long": (tool({"wishes": [{**WISH, "statement": "x" * 300_000}]}), "of what the model said, not counted"),
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
    heard = not script
    assert heard != ("not counted" in words), again  # an answer of the right form is kept, and asked for once


def test_a_run_in_bulk_says_that_it_may_take_a_day_and_hears_one_batch(
    ruled: Path, messages: MessagesServer, tmp_path: Path
) -> None:
    session = ClaudeSession(ruled)
    for number in range(120):
        session.person(f"Look at part {number}. " + "It is long and wide. " * 12).agent("Done.")
    messages.script = lambda _: tool({"wishes": []}, sent=10_000, received=10_000)
    path = str(session.save(tmp_path / "s.jsonl"))
    told = act(ruled, "ingest", path, "--backend", "anthropic", "--bulk")
    text = told.out + told.err
    prompts = len(messages.asked)
    assert prompts > 1
    assert "as a batch, within a day: stop with Ctrl-C, and the next run hears it" in text
    assert sum(call.path == "/v1/messages/batches" for call in messages.calls) == 1
    assert f"{prompts} requests, {prompts * 10_000:,} tokens sent" in text
    assert f"about ${prompts * 0.06:.2f}" in text  # half of the 12 cents that each would cost
