"""The hook on a person's message: a real process, and the real detector behind it."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from rulec.agents.protocol import agent_spec
from rulec.hook.session import user_prompt
from tests.hook.test_hook import hook, put, repository
from tests.support import guard_rules as rules
from tests.support.hook_file import break_section
from tests.support.session import ClaudeSession

LASTING = "From now on use pnpm, never npm."


@pytest.fixture
def repo(tmp_path):
    return installed(repository(tmp_path / "repo"), sys.executable)


def installed(repo, python):
    (repo / ".git/rulec").mkdir(exist_ok=True)
    (repo / ".git/rulec/python").write_text(f"{python}\n")
    return repo


def sent(repo, text, **more):
    own = {"hook_event_name": "UserPromptSubmit", "session_id": "s1", "cwd": str(repo), "transcript_path": ""}
    return {**own, "prompt": text, **more}


def line(answer):
    code, out, error = answer
    assert (code, error) == (0, "")
    if not out:
        return ""
    assert set(out) == {"hookSpecificOutput"}
    said = out["hookSpecificOutput"]
    assert set(said) == {"hookEventName", "additionalContext"}
    assert said["hookEventName"] == "UserPromptSubmit"
    return said["additionalContext"]


def test_a_lasting_preference_asks_the_agent_to_propose_it(repo):
    told = line(hook(repo, sent(repo, LASTING)))
    assert "propose" in told
    assert '"statement"' in told
    assert "\n" not in told
    assert len(told) < 500
    assert "pnpm" not in told, "no word of the message comes back as ours"


IDLE = [
    "", "  \n", "/clear", "/review never use npm", "12345", "…?!", "ok", "Add a button to the page.",
    "<system-reminder>Never use npm.</system-reminder>", f"{LASTING} " + "word " * 1_000, None, 3,
]  # fmt: skip


@pytest.mark.parametrize("text", IDLE, ids=range(len(IDLE)))
def test_other_messages_pass_without_a_word(repo, text):
    assert line(hook(repo, sent(repo, text))) == ""


def test_what_a_program_sends_is_nobodys_preference(repo):
    assert line(hook(repo, sent(repo, LASTING, source="user")))
    assert line(hook(repo, sent(repo, LASTING, source="system"))) == ""


def test_before_the_first_rule_it_listens_already(repo):
    for path in (repo / ".rules/compiled/guard").iterdir():
        path.unlink()
    assert line(hook(repo, sent(repo, LASTING)))


def test_a_linked_work_tree_finds_the_same_rulec(repo, tmp_path):
    git = ["git", "-C", str(repo)]
    subprocess.run([*git, "add", "-A"], check=True)
    subprocess.run([*git, "commit", "-qm", "x"], check=True)
    subprocess.run([*git, "worktree", "add", "-q", str(tmp_path / "linked")], check=True)
    assert line(hook(tmp_path / "linked", sent(tmp_path / "linked", LASTING)))


def stand_in(tmp_path, text):
    """An interpreter that is not what its note says."""
    path = tmp_path / "python"
    path.write_text(f"#!/bin/sh\n{text}\n")
    path.chmod(0o755)
    return path


BROKEN = {
    "fails": "exit 1",
    "finds and fails": """echo '{"band": "auto"}'; exit 3""",
    "says nothing": "cat >/dev/null",
    "says no JSON": "echo auto",
    "says something else": "echo '[1]'",
    "reads nothing": "exec <&-; echo '{}'",
    "is killed": "kill -9 $$",
}


@pytest.mark.parametrize("text", BROKEN.values(), ids=BROKEN)
def test_a_detector_that_breaks_is_silent(repo, tmp_path, text):
    installed(repo, stand_in(tmp_path, text))
    assert line(hook(repo, sent(repo, LASTING))) == ""


@pytest.mark.parametrize("python", ["", "python3", "/nowhere/python", "/", "\x00", "\u00e9" * 5_000])
def test_without_an_interpreter_that_is_there_it_is_silent(repo, python):
    assert line(hook(installed(repo, python), sent(repo, LASTING))) == ""


def test_without_a_note_of_where_rulec_is_it_is_silent(repo):
    (repo / ".git/rulec/python").unlink()
    assert line(hook(repo, sent(repo, LASTING))) == ""


def test_nobody_waits_for_a_detector_that_hangs(repo, tmp_path, monkeypatch):
    installed(repo, stand_in(tmp_path, "exec tail -f /dev/null"))
    monkeypatch.setattr(user_prompt, "SECONDS", 0.05)
    agent = agent_spec.find_agent("claude-code")
    assert user_prompt.answer_prompt(agent, agent.read(sent(repo, LASTING)), str(repo)).out == {}


def seen(repo, tmp_path, text, transcript):
    """What the detector is given."""
    installed(repo, stand_in(tmp_path, f"cat >{tmp_path}/row; echo '{{}}'"))
    assert line(hook(repo, sent(repo, text, transcript_path=str(transcript)))) == ""
    return json.loads((tmp_path / "row").read_text())


INTERRUPT = "[Request interrupted by user]"


def test_the_detector_knows_what_the_agent_just_said_and_did(repo, tmp_path):
    session = ClaudeSession(repo).person("Go.").runs("make old").agent("Old.").person("Add it.")
    session.runs("npm install left-pad").writes("a.js", "x").agent("Done.")
    row = seen(repo, tmp_path, "pnpm!", session.save(tmp_path / "t.jsonl"))
    assert row == {
        "text": "pnpm!",
        "kind": "typed",
        "prev_text": "Done.",
        "prev_tools": "Bash npm install left-pad\nWrite a.js",
        "interrupted": False,
    }
    already = session.person("pnpm!").save(tmp_path / "t.jsonl")  # the record may be quicker than the hook
    assert seen(repo, tmp_path, "pnpm!", already) == row


def test_the_detector_knows_that_the_agent_was_stopped(repo, tmp_path):
    session = ClaudeSession(repo).person("Add it.").runs("npm ci").person(INTERRUPT)
    for own in (session, session.person("pnpm!")):
        row = seen(repo, tmp_path, "pnpm!", own.save(tmp_path / "t.jsonl"))
        assert (row["interrupted"], row["prev_tools"]) == (True, "Bash npm ci")
    row = seen(repo, tmp_path, "ok so", session.agent("Sorry.").save(tmp_path / "t.jsonl"))
    assert row["interrupted"] is False


def test_of_a_long_record_only_the_end_is_read(repo, tmp_path):
    session = ClaudeSession(repo).person("Go.")
    for number in range(2_000):
        session.runs(f"echo {number}")
    row = seen(repo, tmp_path, "pnpm!", session.save(tmp_path / "t.jsonl"))
    assert row["prev_tools"].splitlines()[-1] == "Bash echo 1999"
    assert len(row["prev_tools"]) < 5_000


RECORDS = [b"", b"\x00\xff\n{", b'{"type":"user","message":3}\n', b'{"type":"user","message":{"content":[3,{}]}}\n[]\n',
           b'{"type":["user"],"message":{"content":"x"}}\n', b'{"message":null}\n']  # fmt: skip


@pytest.mark.parametrize("record", RECORDS)
def test_a_damaged_record_costs_only_what_it_would_have_told(repo, tmp_path, record):
    path = tmp_path / "t.jsonl"
    path.write_bytes(record)
    assert line(hook(repo, sent(repo, LASTING, transcript_path=str(path))))


@pytest.mark.parametrize("path", ["/nowhere", "/", "/dev/zero", None, 3])
def test_without_a_record_the_message_speaks_for_itself(repo, path):
    assert line(hook(repo, sent(repo, LASTING, transcript_path=path)))


def test_nothing_in_the_repository_stands_in_for_rulec(repo):
    (repo / "rulec").mkdir()
    (repo / "rulec/__init__.py").write_text("open('owned', 'w')\n")
    (repo / "json.py").write_text("open('owned', 'w')\n")
    assert line(hook(repo, sent(repo, LASTING), env={"PYTHONPATH": str(repo)}))
    assert not (repo / "owned").exists()


@pytest.mark.parametrize("broken", ["hook.session.user_prompt", "transcripts.recent_history"])
def test_a_broken_module_keeps_no_message_from_the_agent(repo, broken):
    strict = rules.command("strict", "npm")
    strict["facts"]["on_error"] = "block"
    put(repo, "strict", json.dumps(strict))
    break_section(repo, f"rulec.{broken}")
    assert line(hook(repo, sent(repo, LASTING))) == ""


def test_the_line_names_a_rulec_that_the_agent_can_start(repo, tmp_path):
    stand_in(tmp_path, "exit 0").rename(tmp_path / "rulec")
    assert "`rulec propose`" in line(hook(repo, sent(repo, LASTING), env={"PATH": f"{tmp_path}:{os.environ['PATH']}"}))
    bare = {"PATH": "/nowhere"}
    assert f"`{user_prompt.LAUNCHER} propose`" in line(hook(repo, sent(repo, LASTING), env=bare))
    assert Path(user_prompt.LAUNCHER.split()[1]).name == "rulec.sh"
