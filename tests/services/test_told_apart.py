"""What a run with a model says of itself: what was not read, what was read without it, what it asked in vain."""

from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest

from tests.support.messages_replies import Reply, broken, failed, limited, tool
from tests.support.messages_server import MessagesServer
from tests.support.session import ClaudeSession, pnpm
from tests.support.world import Said, act

Act = Callable[..., Said]
SAID = "keep every date in UTC!"


@pytest.fixture
def verb(ruled: Path) -> Act:
    """A verb in a repository with a rulebook, in this process."""
    return partial(act, ruled)


@pytest.fixture
def path(ruled: Path, tmp_path: Path) -> str:
    """A session of two human turns."""
    session = ClaudeSession(ruled).person("Add a date.").writes("a.py", "now()").person(SAID)
    return str(session.writes("a.py", "now(UTC)").save(tmp_path / "s.jsonl"))


IN_VAIN = {
    "a wrong key": (failed(401, "authentication_error", "invalid x-api-key"), "does not take the key"),
    "a limit": (limited(retry_after="900"), "no requests or tokens left"),
    "a fault of the API that stays": (broken(), "the API is broken (500)"),
}


@pytest.mark.parametrize("more", [("--yes",), (), ("--dry-run",)])
@pytest.mark.parametrize("fault", IN_VAIN.values(), ids=IN_VAIN)
def test_a_backend_that_was_named_and_gives_no_word_at_all_ends_the_run_with_2(
    verb: Act, messages: MessagesServer, path: str, fault: tuple[Reply, str], more: tuple[str, ...]
) -> None:
    reply, words = fault
    messages.script = lambda _: reply
    said = verb("ingest", path, "--backend", "anthropic", *more, code=2)
    assert said.err.splitlines()[-1].startswith("rulec: nothing was read, because anthropic ")
    assert words in said.err.splitlines()[-1]
    assert "human turns" not in said.out
    messages.script = lambda _: tool({"wishes": []})
    verb("ingest", path, "--backend", "anthropic", *more)


def test_a_backend_of_the_settings_that_gives_no_word_leaves_the_turns_for_the_next_run(
    ruled: Path, verb: Act, messages: MessagesServer, path: str
) -> None:
    with (ruled / ".rules/config.yaml").open("a") as file:
        file.write("models: {backend: anthropic}\n")
    messages.script = lambda _: IN_VAIN["a wrong key"][0]
    said = verb("ingest", path).out
    assert "nothing is decided yet: 2 turns wait for a model\n" in said
    assert "0 human turns" not in said


def test_what_was_read_without_the_model_that_failed_is_told(
    ruled: Path, verb: Act, messages: MessagesServer, path: str
) -> None:
    with (ruled / ".rules/config.yaml").open("a") as file:
        file.write("models: {backend: anthropic}\n")
    messages.script = lambda _: broken()
    said = verb("ingest", path).out
    assert "2 human turns" in said
    assert "the API is broken (500)" in said
    assert "; read offline instead; what is done is kept: run it again later" in said


def test_what_waits_in_files_is_not_said_to_be_read(ruled: Path, verb: Act, path: str) -> None:
    first = verb("ingest", path, "--backend", "exchange").out
    assert first.splitlines()[0] == "nothing is decided yet: 2 turns wait for a model"
    (prompt,) = (ruled / ".rulec/exchange").glob("*.prompt.md")
    prompt.with_name(prompt.name.replace(".prompt.md", ".answer.json")).write_text("{")
    broken_answer = verb("ingest", "--continue").out
    assert "is not JSON" in broken_answer
    assert "read offline" not in broken_answer


def test_a_model_that_cannot_be_asked_is_told_whole(verb: Act, path: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("ANTHROPIC_API_KEY", raising=False)
    said = verb("ingest", path, "--backend", "anthropic", code=2).err
    assert "ANTHROPIC_API_KEY is not set" in said
    assert "doctor" not in said


def test_questions_that_another_run_takes_back_are_told(ruled: Path, verb: Act, path: str, tmp_path: Path) -> None:
    other = str(pnpm(ruled).save(tmp_path / "other.jsonl"))
    assert "withdrawn" not in verb("ingest", path, "--backend", "exchange").out
    assert "withdrawn" not in verb("ingest", path, "--backend", "exchange").out
    said = verb("ingest", other, "--backend", "exchange").out
    assert f"1 question about {path} is withdrawn: " in said


def test_an_answer_that_was_heard_from_a_file_is_no_request(ruled: Path, verb: Act, path: str) -> None:
    said = verb("ingest", path, "--backend", "exchange").out
    assert "asked exchange: 1 awaited" in said
    (prompt,) = (ruled / ".rulec/exchange").glob("*.prompt.md")
    place = prompt.with_name(prompt.name.replace(".prompt.md", ".answer.json"))
    place.write_text("{")
    assert "asked exchange" not in verb("ingest", "--continue").out
    place.write_text('{"wishes": []}')
    said = verb("ingest", "--continue").out
    assert "asked exchange: 1 answered\n" in said + "\n"
    assert "request" not in said
