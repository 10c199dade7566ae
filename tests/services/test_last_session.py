"""What the last session left to learn is told once at the next one; with `learn: auto` a model reads it first."""

import json
import os
import time
from pathlib import Path

import pytest

from rulec.checkout.rules_layout import BELOW_MODEL
from rulec.services.mining import last_session
from tests.conftest import Run
from tests.support.asking import ask_hook
from tests.support.messages_server import MessagesServer
from tests.support.session import logger, pnpm

STATE = ".git/rulec/last-session.json"


@pytest.fixture
def sessions(repo: Path, rulec: Run, tmp_path: Path) -> Path:
    """A guarded repository, and a folder with the transcript of one session with a correction."""
    rulec("init", "--yes", "--agent", "claude-code")
    pnpm(repo).save(tmp_path / "one.jsonl")
    (tmp_path / "two.jsonl").write_text("{}\n")
    return tmp_path


def told(repo: Path, sessions: Path, name: str, event: str = "SessionStart", **environment: str) -> str:
    """What the person is told at an event of a session."""
    asked = {
        "hook_event_name": event, "session_id": name, "cwd": str(repo), "prompt": "Hello there",
        "transcript_path": str(sessions / f"{name}.jsonl"),
    }  # fmt: skip
    out = ask_hook(repo, asked, **environment).stdout
    return str(json.loads(out).get("systemMessage", "")) if out else ""


def looked_at(repo: Path) -> dict[str, object]:
    """What the count in the background leaves, once it is there."""
    end = time.monotonic() + 60
    while time.monotonic() < end:
        known: dict[str, object] = json.loads((repo / STATE).read_text())
        if "words" in known:
            return known
    raise AssertionError("nothing came of it")


def test_the_next_session_says_once_how_many_corrections_the_last_one_had(repo: Path, sessions: Path) -> None:
    assert told(repo, sessions, "one") == ""
    told(repo, sessions, "two")
    looked_at(repo)
    said = told(repo, sessions, "two", "UserPromptSubmit")
    assert said == (
        "rulec: you gave the agent 1 correction in your last session here; to make a rule of it, run: "
        f"rulec ingest {sessions / 'one.jsonl'}"
    )
    assert told(repo, sessions, "two", "UserPromptSubmit") == ""
    assert told(repo, sessions, "two") == "", "what was counted is counted once"


def test_nothing_is_told_of_what_was_read_or_is_a_rule(repo: Path, rulec: Run, sessions: Path) -> None:
    assert last_session.count_corrections(repo, sessions / "one.jsonl") == 1
    rulec("ingest", str(sessions / "one.jsonl"), "--yes")
    assert last_session.count_corrections(repo, sessions / "one.jsonl") == 0
    last_session.look_at_session(repo, sessions / "one.jsonl")
    assert not (repo / STATE).exists()


def test_a_session_of_a_model_that_rulec_asked_counts_nothing(repo: Path, sessions: Path) -> None:
    told(repo, sessions, "one")
    told(repo, sessions, "two", **{BELOW_MODEL: "1"})
    assert not (repo / STATE).exists()


@pytest.fixture
def own() -> Path:
    """The person's own settings."""
    place = Path(os.environ["XDG_CONFIG_HOME"]) / "rulec/rules/.rules/config.yaml"
    place.parent.mkdir(parents=True)
    return place


def test_what_a_person_wants_read_at_once_waits_for_them(
    repo: Path, sessions: Path, own: Path, messages: MessagesServer
) -> None:
    own.write_text("schema: 1\nlearn: auto\nmodels: {backend: anthropic}\n")
    logger(repo).save(sessions / "one.jsonl")
    rules = sorted((repo / ".rules").glob("*.yaml"))
    last_session.look_at_session(repo, sessions / "one.jsonl")
    assert messages.asked, "the model at hand reads it"
    assert json.loads((repo / STATE).read_text())["words"].endswith(
        "from your last session here waits for you: rulec review"
    )
    assert sorted((repo / ".rules").glob("*.yaml")) == rules, "nothing acts before a person accepts"


def test_a_person_may_want_to_hear_nothing_of_it(repo: Path, sessions: Path, own: Path) -> None:
    own.write_text("schema: 1\nlearn: off\n")
    last_session.look_at_session(repo, sessions / "one.jsonl")
    assert not (repo / STATE).exists()


def test_no_repository_says_that_a_persons_sessions_are_read(repo: Path, rulec: Run, sessions: Path) -> None:
    config = repo / ".rules/config.yaml"
    config.write_text(f"{config.read_text()}learn: auto\n")
    assert "learn may not stand in a repository" in rulec("rules", code=2).stderr
