"""rulec mine-corpus --backend: a model is asked about every transcript once, and its answers are not paid for twice."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.support.corpora import KEY
from tests.support.messages_server import Asked, MessagesServer
from tests.support.session import ClaudeSession
from tests.support.talks import NO_CHALLENGE
from tests.support.world import Said, act

pytestmark = pytest.mark.e2e  # many real processes: CI runs these

QUOTE = "hm, that lockfile is odd"
WISH = {"turn": 2, "quote": QUOTE, "holds": "next time", "sure": "high", "statement": "Use pnpm instead of npm."}


@pytest.fixture
def quiet(tmp_path: Path) -> Path:
    """A corpus of three sessions in which a model alone hears a wish."""
    for number in range(3):
        session = ClaudeSession(Path(f"/srv/shop-{number}"), f"5e55-002{number}")
        session.person(f"Add left-pad {number}.").runs(f"npm install left-pad --token {KEY}")
        session.person(QUOTE).runs("pnpm add left-pad").save(tmp_path / f"{number}.jsonl")
    return tmp_path


def _mine(folder: Path, *more: str, code: int = 0) -> Said:
    out = folder.with_name(f"{folder.name}-out")
    return act(folder, "mine-corpus", ".", "--out", str(out), "--workers", "1", *more, code=code)


def _report(folder: Path) -> dict[str, Any]:
    path = folder.with_name(f"{folder.name}-out") / "results/report.json"
    found: dict[str, Any] = json.loads(path.read_text())
    return found


def _answer(asked: Asked) -> dict[str, Any]:
    return {"wishes": [WISH] if QUOTE in asked.text else []}


def test_a_model_is_asked_about_every_transcript_once(quiet: Path, messages: MessagesServer) -> None:
    messages.script = _answer
    assert "0 candidates in 0 queues" in _mine(quiet).out  # offline nothing is heard
    told = _mine(quiet, "--backend", "anthropic").out
    assert "3 read now" in told
    assert "asked anthropic" in told
    assert "3 candidates in 3 queues" in told
    assert len(messages.asked) == 3
    assert [one for one in messages.asked if KEY in one.text] == []
    assert _report(quiet)["recurring"][0]["repositories"] == 3
    assert "0 read now" in _mine(quiet, "--backend", "anthropic").out
    assert "0 read now" in _mine(quiet).out  # who asks no model does not read worse than before
    assert len(messages.asked) == 3


def test_what_is_not_answered_is_read_offline_and_asked_next_time(quiet: Path, messages: MessagesServer) -> None:
    messages.script = lambda asked: [_answer(asked), {"wishes": [{"turn": "none"}]}][len(messages.asked) % 2]
    _mine(quiet, "--backend", "anthropic")
    before = _report(quiet)["waiting"]
    messages.script = _answer
    told = _mine(quiet, "--backend", "anthropic").out
    assert "0 read now" not in told
    assert before < _report(quiet)["waiting"] == 3


def test_a_model_that_cannot_be_asked_is_refused_before_anything_is_written(
    quiet: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("ANTHROPIC_API_KEY", raising=False)
    told = _mine(quiet, "--backend", "anthropic", code=2)
    assert "ANTHROPIC_API_KEY is not set" in told.err
    assert "waits for answers in files" in _mine(quiet, "--backend", "exchange", code=2).err
    assert not quiet.with_name(f"{quiet.name}-out").exists()


def test_a_model_writes_the_check_where_a_repository_takes_its_queue(
    quiet: Path, messages: MessagesServer, gated: Path
) -> None:
    messages.script = _answer
    _mine(quiet, "--backend", "anthropic")
    queue = next((quiet.with_name(f"{quiet.name}-out") / "results/queues").glob("*.json"))
    check = {"template": "forbid-command", "with": {"commands": ["npm"], "instead": "pnpm"}}
    examples = {"invalid": [{"command": "npm ci"}], "valid": [{"command": "pnpm test"}]}
    drafted = {"wish": 1, "examples": examples, "alternatives": [{"checks": [check]}], **NO_CHALLENGE}
    messages.script = lambda _: {"wishes": [drafted]}  # whether it is asked for a challenge or a check
    told = act(gated, "ingest", "--queue", str(queue), "--backend", "anthropic").out
    assert "1 taken, 0 known already" in told
    (waiting,) = json.loads(act(gated, "review", "--format", "json").out)
    assert (waiting["statement"], waiting["proved"]) == ("Use pnpm instead of npm.", True)
    assert len(messages.asked) == 5
