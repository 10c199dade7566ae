"""The hook on a person's message: a real process, and the real detector behind it."""

import json
import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from rulec.checkout import installation
from rulec.checkout.worktree import messages_folder
from rulec.hook.dispatch import respond
from rulec.hook.session import before_message, message_detection, user_prompt
from tests.hook.test_hook import bash, denied, hook, put, repository
from tests.support import guard_rules as rules
from tests.support.session import ClaudeSession

pytestmark = pytest.mark.e2e  # many real processes: CI runs these

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


def words(answer, event):
    code, out, error = answer
    assert (code, error) == (0, "")
    if not out:
        return ""
    assert set(out) == {"hookSpecificOutput"}
    said = out["hookSpecificOutput"]
    assert set(said) == {"hookEventName", "additionalContext"}
    assert said["hookEventName"] == event
    return said["additionalContext"]


def waiting(repo):
    """The files of messages that are being looked at."""
    return sorted(Path(messages_folder(str(repo))).glob("*"))


def called(repo, **more):
    """What the agent hears at its next tool call."""
    return words(hook(repo, {**bash(repo, "ls"), **more}), "PreToolUse")


def line(repo, message, **how):
    """What the agent hears of a message, at the first tool call after it is known; the message itself never waits."""
    assert words(hook(repo, message, **how), "UserPromptSubmit") == ""
    until = time.monotonic() + 30
    while not (told := words(hook(repo, bash(repo, "ls"), **how), "PreToolUse")) and waiting(repo):
        assert time.monotonic() < until
    assert waiting(repo) == []
    return told


def test_a_lasting_preference_asks_the_agent_to_propose_it(repo):
    told = line(repo, sent(repo, LASTING))
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
    assert line(repo, sent(repo, text)) == ""


def test_what_a_program_sends_is_nobodys_preference(repo):
    assert line(repo, sent(repo, LASTING, source="user"))
    assert line(repo, sent(repo, LASTING, source="system")) == ""


def test_before_the_first_rule_it_listens_already(repo):
    for path in (repo / ".rules/compiled/guard").iterdir():
        path.unlink()
    assert line(repo, sent(repo, LASTING))


def test_a_linked_work_tree_finds_the_same_rulec(repo, tmp_path):
    git = ["git", "-C", str(repo)]
    subprocess.run([*git, "add", "-A"], check=True)
    subprocess.run([*git, "commit", "-qm", "x"], check=True)
    subprocess.run([*git, "worktree", "add", "-q", str(tmp_path / "linked")], check=True)
    assert line(tmp_path / "linked", sent(tmp_path / "linked", LASTING))


def stand_in(tmp_path, text):
    """An interpreter that is not what its note says."""
    path = tmp_path / "python"
    path.write_text(f"#!/bin/sh\n{text}\n")
    path.chmod(0o755)
    return path


BROKEN = {
    "fails": "exit 1",
    "says nothing": "cat >/dev/null",
    "says no JSON": "echo auto",
    "says something else": "echo '[1]'",
    "reads nothing": "exec <&-; echo '{}'",
    "is killed": "kill -9 $$",
}


@pytest.mark.parametrize("text", BROKEN.values(), ids=BROKEN)
def test_a_detector_that_breaks_is_silent(repo, tmp_path, text):
    installed(repo, stand_in(tmp_path, text))
    assert line(repo, sent(repo, LASTING)) == ""


@pytest.mark.parametrize("python", ["", "python3", "/nowhere/python", "/", "\x00", "\u00e9" * 5_000])
def test_without_an_interpreter_that_is_there_it_is_silent(repo, python):
    assert line(installed(repo, python), sent(repo, LASTING)) == ""


def test_without_a_note_of_where_rulec_is_it_is_silent(repo):
    (repo / ".git/rulec/python").unlink()
    assert line(repo, sent(repo, LASTING)) == ""


def test_a_detector_that_hangs_is_waited_for_by_nobody_and_ended_by_the_system(repo, tmp_path, monkeypatch):
    installed(repo, stand_in(tmp_path, f"echo $$ >>{tmp_path}/pids; exec tail -f /dev/null"))
    monkeypatch.setattr(message_detection, "SECONDS", 1)
    monkeypatch.delenv("CLAUDE_PROJECT_DIR", raising=False)
    assert answered(repo, sent(repo, LASTING)) == {}
    assert message_detection.is_lasting(str(repo), "s1") is None
    until = time.monotonic() + 30
    while message_detection.is_lasting(str(repo), "s1") is None:
        assert time.monotonic() < until
    assert waiting(repo) == []
    pids = (tmp_path / "pids").read_text().split()
    assert len(pids) == 2, "it is tried once more"
    states = subprocess.run(["ps", "-o", "stat=", "-p", ",".join(pids)], capture_output=True, text=True, check=False)
    assert [state for state in states.stdout.split() if not state.startswith("Z")] == []


def answered(repo, payload):
    """What the hook says in this process."""
    return respond("claude-code", json.dumps(payload).encode(), str(repo)).out


REAL = f'exec {sys.executable} "$@"'
LOST = {
    "is killed": "kill -9 $$",
    "is killed while it answers": """printf '{"label": "du'; kill -9 $$""",
    "is killed by the agent's program": "kill -INT $$",
}


@pytest.mark.parametrize("end", LOST.values(), ids=LOST)
def test_nothing_is_lost_where_the_detector_ends_early(repo, tmp_path, end):
    first = f"[ -e {tmp_path}/again ] || {{ : >{tmp_path}/again; {end}; }}"
    installed(repo, stand_in(tmp_path, f"{first}\n{REAL}"))
    assert "propose" in line(repo, sent(repo, LASTING))


def test_of_two_messages_at_once_both_are_looked_at_one_process_at_a_time(repo, tmp_path):
    alone = f"mkdir {tmp_path}/runs || : >{tmp_path}/two; sleep .5; {REAL[5:]}; rmdir {tmp_path}/runs"
    for texts in ((LASTING, "Add a button to the page."), ("Add a button to the page.", LASTING)):
        installed(repo, stand_in(tmp_path, alone))
        assert words(hook(repo, sent(repo, texts[0])), "UserPromptSubmit") == ""
        assert "propose" in line(repo, sent(repo, texts[1]))
    assert not (tmp_path / "two").exists()


def ended(repo, **more):
    payload = {"hook_event_name": "Stop", "session_id": "s1", "cwd": str(repo), "stop_hook_active": False, **more}
    code, out, error = hook(repo, payload)
    assert (code, error) == (0, "")
    return out.get("systemMessage", "")


def test_without_a_tool_call_the_person_hears_it_at_the_end_and_the_agent_with_the_next_message(repo):
    hook(repo, sent(repo, LASTING))
    assert "rulec add" in ended(repo), "the end of the turn waits until it is known"
    assert waiting(repo) == []
    assert ended(repo) == ""
    assert "propose" in words(hook(repo, sent(repo, "Add a button to the page.")), "UserPromptSubmit")
    assert ended(repo) == ""
    assert line(repo, sent(repo, "Add another button to the page.")) == "", "it is told once"


def test_what_a_session_left_is_told_with_its_next_message_and_to_no_other_session(repo):
    hook(repo, sent(repo, LASTING))
    installed(repo, "/nowhere")
    rows, answers = waiting(repo)
    until = time.monotonic() + 30
    while b"band" not in answers.read_bytes():
        assert time.monotonic() < until
    other = [called(repo, **more) for more in ({"session_id": "s2"}, {"agent_id": "a1"})]
    assert other == ["", ""]
    assert denied(hook(repo, bash(repo, "npm ci"))), "a denial stays as it is"
    assert "propose" in words(hook(repo, sent(repo, "Add it.")), "UserPromptSubmit")
    assert waiting(repo) == []
    assert not rows.exists()


def test_messages_of_a_session_that_came_to_no_end_do_not_stay(repo, tmp_path):
    python = (repo / ".git/rulec/python").read_text().strip()
    hook(installed(repo, stand_in(tmp_path, "exit 1")), sent(repo, LASTING, session_id="s0"))
    for path in waiting(repo):
        os.utime(path, (0, 0))
    installed(repo, python)
    assert line(repo, sent(repo, "Add a button to the page.")) == ""


@pytest.mark.parametrize("garbage", [b"", b"\xff\x00", b"x" * 40, b"{}\n" * 9, b"[1]\n\n", b'x\n{"band": []}\n'])
@pytest.mark.parametrize("which", [0, 1])
def test_garbage_in_what_waits_costs_only_the_message(repo, garbage, which):
    hook(repo, sent(repo, LASTING))
    path = waiting(repo)[which]
    path.unlink()
    path.write_bytes(garbage)
    assert denied(hook(repo, bash(repo, "npm ci")))
    assert called(repo) in ("", user_prompt.LINE % user_prompt.LAUNCHER, user_prompt.LINE % "rulec")
    ended(repo)
    assert ended(repo) == ""
    assert waiting(repo) == []


def test_from_a_folder_below_the_message_is_found_again(repo):
    (repo / "src/deep").mkdir(parents=True)
    hook(repo, sent(repo, LASTING), cwd=repo / "src/deep")
    assert ended(repo, cwd=str(repo / "src"))


def test_where_no_process_can_be_started_the_message_passes(repo, monkeypatch):
    def full():
        raise BlockingIOError

    monkeypatch.delenv("CLAUDE_PROJECT_DIR", raising=False)
    monkeypatch.setattr(installation.os, "fork", full)
    assert answered(repo, sent(repo, LASTING)) == {}


def seen(repo, tmp_path, text, transcript):
    """What the detector is given."""
    installed(repo, stand_in(tmp_path, f"cat >{tmp_path}/row; echo '{{}}'"))
    assert line(repo, sent(repo, text, transcript_path=str(transcript))) == ""
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


def test_of_the_record_only_what_stood_before_the_message_is_read(repo, tmp_path):
    session = ClaudeSession(repo).person("Go.").runs("npm ci").agent("Done.")
    path = session.save(tmp_path / "t.jsonl")
    row = {"text": "pnpm!", "transcript": str(path), "size": path.stat().st_size}
    known = before_message.with_context(str(repo), row)
    session.person("pnpm!").runs("pnpm install").agent("Sorry.").save(path)
    assert before_message.with_context(str(repo), row) == known
    assert known["prev_text"] == "Done."


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
    assert line(repo, sent(repo, LASTING, transcript_path=str(path)))


@pytest.mark.parametrize("path", ["/nowhere", "/", "/dev/zero", None, 3])
def test_without_a_record_the_message_speaks_for_itself(repo, path):
    assert line(repo, sent(repo, LASTING, transcript_path=path))


def test_nothing_in_the_repository_stands_in_for_rulec(repo):
    (repo / "rulec").mkdir()
    (repo / "rulec/__init__.py").write_text("open('owned', 'w')\n")
    (repo / "json.py").write_text("open('owned', 'w')\n")
    assert line(repo, sent(repo, LASTING), env={"PYTHONPATH": str(repo)})
    assert not (repo / "owned").exists()


@pytest.mark.parametrize("broken", ["hook.session.user_prompt", "transcripts.recent_history"])
def test_a_broken_module_keeps_no_message_from_the_agent(repo, broken):
    strict = rules.command("strict", "npm")
    strict["facts"]["on_error"] = "block"
    put(repo, "strict", json.dumps(strict))
    assert hook(repo, sent(repo, LASTING), broken=f"rulec.{broken}")[0] == 0


def test_the_line_names_a_rulec_that_the_agent_can_start(repo, tmp_path):
    stand_in(tmp_path, "exit 0").rename(tmp_path / "rulec")
    assert "`rulec propose`" in line(repo, sent(repo, LASTING), env={"PATH": f"{tmp_path}:{os.environ['PATH']}"})
    bare = {"PATH": "/nowhere"}
    assert f"`{user_prompt.LAUNCHER} propose`" in line(repo, sent(repo, LASTING), env=bare)
    assert Path(user_prompt.LAUNCHER.split()[1]).name == "hook"
