"""With a model: from a transcript through prompts and answers to a rule that blocks the repeat, and what that costs."""

import json
import os
import subprocess
from pathlib import Path
from typing import Any

import pytest

from evaluation.bench._careful import blocks
from rulec.domain.prompt import estimate_tokens
from rulec.rulebook.yaml_text import load_yaml
from tests.support.messages_server import Asked, MessagesServer
from tests.support.session import ClaudeSession
from tests.support.talks import through
from tests.support.world import act

CASES = sorted((Path(__file__).parents[1] / "cases" / "mine").glob("*.yaml"))
EXCHANGE = ".rulec/exchange"


def _case(path: Path) -> dict[str, Any]:
    found = load_yaml(path.read_text(), str(path))
    assert isinstance(found, dict)
    return found


def _session(cwd: Path, steps: list[dict[str, str]]) -> ClaudeSession:
    session = ClaudeSession(cwd)
    for step in steps:
        ((verb, what),) = step.items()
        getattr(session, verb)(what)
    return session


def _refused(top: Path, example: dict[str, str]) -> bool:
    settings = json.loads((top / ".claude/settings.json").read_text())
    line = settings["hooks"]["PreToolUse"][0]["hooks"][0]["command"]
    if "command" in example:
        tool, given = "Bash", {"command": example["command"]}
    else:
        given = {"file_path": str(top / example["edit"]), "old_string": "x", "new_string": "y"}
        tool = "Edit"
    event = {"session_id": "s", "cwd": str(top), "hook_event_name": "PreToolUse", "tool_name": tool}
    done = subprocess.run(
        ["sh", "-c", line], cwd=top, env={**os.environ, "CLAUDE_PROJECT_DIR": str(top)},
        input=json.dumps({**event, "tool_input": given}), capture_output=True, text=True, check=True,
    )  # fmt: skip
    return '"deny"' in done.stdout


@pytest.mark.parametrize("path", CASES, ids=lambda path: path.stem)
def test_what_a_model_reads_becomes_a_proved_rule_that_blocks_the_repeat(
    path: Path, gated: Path, tmp_path: Path
) -> None:
    case = _case(path)
    transcript = str(_session(gated, case["session"]).save(tmp_path / "s.jsonl"))
    offline = act(gated, "ingest", transcript, "--dry-run", "--format", "json").out.splitlines()
    assert {json.loads(line)["band"] for line in offline} == {"none", case["offline"]}

    waits = act(gated, "ingest", transcript, "--backend", "exchange").out
    assert "1 prompt waits in .rulec/exchange" in waits
    assert "nothing is decided yet: " in waits
    (wish,) = case["answer"]["wishes"]
    said = through(gated, wish, draft=case["draft"], options=("--yes", "--enforcement", "block"))
    assert f'said:     "{wish["quote"]}' in said
    assert "refuses: " in said
    assert not (gated / EXCHANGE).exists()
    (rule,) = (one for one in (gated / ".rules").glob("*.yaml") if one.name != "config.yaml")
    assert rule.stem == case["slug"]
    assert [_refused(gated, one) for one in case["refused"]] == [True] * len(case["refused"])
    assert [_refused(gated, one) for one in case["passes"]] == [False] * len(case["passes"])

    again = act(gated, "ingest", transcript, "--backend", "exchange", "--yes").out
    assert "1 known already" in again
    assert "waits in" not in again


LIGHT = ("say what you think of it.", 1)
HEAVY = ("it should handle the rows that come in late, and say at the end what was left out of them and why. " * 3, 10)


def _thousand(cwd: Path, more: str, commands: int) -> ClaudeSession:
    """A session of 1,000 human turns, ten of which voice a wish; with so many words and commands a turn."""
    session = ClaudeSession(cwd)
    for number in range(1_000):
        lasting = number % 100 == 50
        wish = f"the report of part {number} is signed off by the owner of part {number}, that is how we do it here"
        session.person(wish if lasting else f"Now look at part {number} of the list, {more}")
        for line in range(number, number + commands):
            session.runs(f"sed -n {line},{line + 9}p src/part_{number}.py | sort --unique")
        session.edits(f"src/part_{number}.py").agent(
            f"Part {number} is done, and the tests of that part pass. Shall I go on with the next one?"
        )
    return session


def _wishes(asked: Asked) -> dict[str, Any]:
    found = [block for block in blocks(f"{asked.text}\n") if "how we do it here" in block.words]
    quoted = [(block.turn, block.words) for block in found]
    return {
        "wishes": [
            {
                "turn": number,
                "quote": words,
                "holds": "next time",
                "sure": "high",
                "statement": f"Ask an owner: {words[:60]}.",
            }
            for number, words in quoted
        ]
    }


@pytest.mark.parametrize("session", [LIGHT, HEAVY], ids=["light", "heavy"])
def test_a_thousand_turns_cost_thirty_requests_and_nothing_when_read_again(
    gated: Path, tmp_path: Path, messages: MessagesServer, session: tuple[str, int]
) -> None:
    messages.script = _wishes
    transcript = str(_thousand(gated, *session).save(tmp_path / "s.jsonl"))
    command = ("ingest", transcript, "--backend", "anthropic", "--dry-run", "--format", "json")
    labels = [json.loads(line)["label"] for line in act(gated, *command).out.splitlines()]
    assert (len(labels), labels.count("durable")) == (1_000, 10)
    requests = len(messages.asked)
    assert requests <= 30
    kept = sum(estimate_tokens(block.kept) for asked in messages.asked for block in blocks(f"{asked.text}\n"))
    assert sum(asked.tokens for asked in messages.asked) <= 3 * kept
    again = [json.loads(line)["label"] for line in act(gated, *command).out.splitlines()]
    assert again == labels
    assert len(messages.asked) == requests
