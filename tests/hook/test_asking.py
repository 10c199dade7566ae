"""What an agent has to ask a person about: the table of tests/cases/asking.yaml, played in the agents that it names."""

import json
import stat
from pathlib import Path

import pytest
import yaml

from rulec.agents.protocol import agent_spec
from rulec.hook.dispatch import respond
from tests.hook.test_hook import repository
from tests.support import guard_rules as rules
from tests.support import payloads
from tests.support.session import ClaudeSession

ROWS = yaml.safe_load((Path(__file__).parents[1] / "cases/asking.yaml").read_text())
PLAYED = [(row, agent) for row in ROWS for agent in row.get("agents", payloads.NAMES)]
ASKING = [
    rules.session("push-rule", asks=True, before_commands=["git push"]),
    rules.session("apply-rule", asks=True, before_commands=["terraform apply"]),
    rules.session("schema-rule", asks=True, before_edits=["schema/"], how=["create", "change"]),
    rules.session("test-rule", before_commands=["npm publish"], first_commands=["npm test"]),
    rules.command("pnpm", "npm ci"),
]
SENT = {"mode": "permission_mode", "source": "source"}
SUBAGENT = {
    "claude-code": {"agent_id": "a1"}, "codex": {"agent_id": "a1"}, "cursor": {"subagent_id": "a1"},
    "copilot": {"agentName": "a1"}, "opencode": {"subagent": True, "session": "s2", "parent": "s1"},
}  # fmt: skip
SESSION = {"cursor": "conversation_id", "copilot": "sessionId", "opencode": "session"}


@pytest.fixture
def repo(tmp_path):
    repo = repository(tmp_path / "repo", *ASKING)
    for old in repo.glob(".rules/compiled/guard/*.json"):
        if old.stem not in {rule["facts"]["slug"] for rule in ASKING}:
            old.unlink()
    (repo / "schema").mkdir()
    return repo


def sent(repo, agent, step):
    top = str(repo)
    if "says" in step:
        payload = payloads.says(agent, top, step["says"])
    elif "run" in step:
        payload = payloads.runs(agent, top, step["run"])
    else:
        payload = payloads.writes(agent, top, step["write"], "x\n")
    if agent == "claude-code":
        payload["permission_mode"] = "auto"
        transcript = ClaudeSession(repo).person(step.get("transcript", "go on")).save(repo.parent / "t.jsonl")
        payload["transcript_path"] = str(transcript)
    payload.update({SENT[key]: value for key, value in step.items() if key in SENT})
    if step.get("session"):
        payload[SESSION.get(agent, "session_id")] = step["session"]
    return {**payload, **(SUBAGENT[agent] if step.get("subagent") else {})}


def answered(repo, agent, step):
    """What came of it: asked, denied, or passes; and the answer's own words."""
    answer = respond(agent, json.dumps(sent(repo, agent, step)).encode(), str(repo))
    told = json.dumps(answer.out)
    assert '"allow"' not in told
    moment = "" if "says" in step else agent_spec.find_agent(agent).read(sent(repo, agent, step)).event
    assert not moment or payloads.refused(agent, moment, answer.out) == ""
    known = {**answer.out, **answer.out.get("hookSpecificOutput", {})}
    word = known.get("permissionDecision") or known.get("permission") or known.get("decision")
    refused = word == "deny" or "deny" in answer.out
    return "asked" if word == "ask" else "denied" if refused else "passes", told


@pytest.mark.parametrize(("row", "agent"), PLAYED, ids=[f"{row['name']}: {agent}" for row, agent in PLAYED])
def test_only_a_persons_own_word_lets_an_agent_do_it_and_once(repo, row, agent):
    for number, step in enumerate(row["steps"], 1):
        got, told = answered(repo, agent, step)
        assert got == step.get("gets", "passes"), (number, step, told)


@pytest.mark.parametrize("agent", payloads.NAMES)
def test_a_denial_says_how_a_person_allows_it(repo, agent):
    got, told = answered(repo, agent, {"run": "git push"})
    assert got == "denied"
    assert "they send `allow push-rule`, and nothing else, as their message" in told
    assert "allow" not in answered(repo, agent, {"run": "npm ci"})[1]


def test_the_question_shows_what_is_to_be_done_and_why(repo):
    told = answered(repo, "claude-code", {"run": "git push --tags", "mode": "default"})[1]
    assert "rulec rule push-rule: Keep to push-rule." in told
    assert "Seen: git push --tags" in told
    assert "allow push-rule" not in told


def test_what_was_allowed_is_kept_privately_and_nowhere_else(repo):
    answered(repo, "codex", {"run": "git push"})
    (kept,) = repo.glob(".git/rulec/sessions/*.json")
    assert stat.S_IMODE(kept.stat().st_mode) == 0o600
    assert "git push" not in kept.read_text()
    kept.write_text("{broken")
    assert answered(repo, "codex", {"says": "allow push-rule"})[0] == "passes"
    assert answered(repo, "codex", {"run": "git push"})[0] == "denied"


def test_the_agent_hears_what_the_person_allowed(repo):
    answered(repo, "claude-code", {"run": "git push"})
    assert "the person allows" in answered(repo, "claude-code", {"says": "allow push-rule"})[1]
    assert "the person allows" not in answered(repo, "claude-code", {"says": "allow apply-rule"})[1]
