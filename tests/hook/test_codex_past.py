"""Rules on what came before, asked by Codex: its own record tells, and where it does not, nobody is held up."""

import json
import subprocess

import pytest

from rulec.hook.dispatch import respond
from tests.hook.test_hook import repository
from tests.support import guard_rules as rules
from tests.support import payloads

ORDER = rules.session(
    "tests-first", before_commands=["git commit"], first_commands=["pytest"], since=["*.py"], first="run pytest"
)
DONE = rules.session("commit-it", before_stop=True, before_claims=["done"], first_commands=["git commit"], since=["**"])
FINE, FAILED = "Exit code: 0\nOutput:\n5 passed", "Exit code: 1\nOutput:\nExit code: 0"


@pytest.fixture
def repo(tmp_path):
    repo = repository(tmp_path / "repo", ORDER, DONE)
    for arguments in (["add", "-A"], ["commit", "-qm", "x"]):
        subprocess.run(["git", "-C", str(repo), *arguments], check=True)
    return repo


def item(**payload):
    return {"timestamp": "t", "type": "response_item", "payload": payload}


def ran(command, output=FINE, call="c", **more):
    given = json.dumps({"cmd": command, **more})
    return [
        item(type="function_call", name="exec_command", arguments=given, call_id=call),
        item(type="function_call_output", call_id=call, output=output),
    ]


def polled(session, output):
    given = json.dumps({"session_id": session, "chars": ""})
    return [
        item(type="function_call", name="write_stdin", arguments=given, call_id="w"),
        item(type="function_call_output", call_id="w", output=output),
    ]


def patched(path, output="Success. Updated the following files:\nM x", call="p"):
    patch = f"*** Begin Patch\n*** Update File: {path}\n@@\n-x\n+y\n*** End Patch"
    return [
        item(type="custom_tool_call", name="apply_patch", input=patch, call_id=call),
        item(type="custom_tool_call_output", call_id=call, output=output),
    ]


def said(text):
    return [{"timestamp": "t", "type": "event_msg", "payload": {"type": "user_message", "message": text}}]


def told(text):
    return [item(type="message", role="assistant", content=[{"type": "output_text", "text": text}])]


def meta(repo, **more):
    return [{"timestamp": "t", "type": "session_meta", "payload": {"id": "s1", "cwd": str(repo), **more}}]


def asked(repo, command, *records, **more):
    rollout = repo.parent / "rollout.jsonl"
    rollout.write_text("".join(json.dumps(one) + "\n" for part in [meta(repo, **more), *records] for one in part))
    payload = payloads.runs("codex", str(repo), command)
    raw = json.dumps({**payload, "transcript_path": str(rollout)}).encode()
    answer = respond("codex", raw, str(repo))
    assert payloads.refused("codex", "PreToolUse", answer.out) == ""
    return answer.out.get("hookSpecificOutput", {}).get("permissionDecisionReason", "")


EDIT = patched("src/a.py")
CASES = [
    ([EDIT], True),
    ([EDIT, ran("pytest -q")], False),
    ([EDIT, ran("pytest -q", FAILED)], True),
    ([ran("pytest -q"), EDIT], True),
    ([EDIT, ran("cd src && pytest")], False),
    ([EDIT, ran("pytest", "command blocked by a hook")], True),
    ([EDIT, ran("pytest", "Process running with session ID 3")], True),
    ([EDIT, ran("pytest", "Process running with session ID 3"), polled(3, FINE)], False),
    ([EDIT, ran("pytest", "Process running with session ID 3"), polled(3, FAILED)], True),
    ([EDIT, ran("pytest", "Process running with session ID 3"), polled(3, "Process running with session ID 3")], True),
    ([EDIT, ran("pytest", "Process running with session ID 3"), polled(4, FINE)], True),
    ([patched("src/a.py", "patch rejected by user")], False),
    ([patched("docs/a.md")], False),
    ([EDIT, [item(type="function_call", name="spawn_agent", arguments="{}", call_id="x")]], True),
    ([EDIT, [item(type="function_call", name="update_plan", arguments="{}", call_id="x")]], True),
    ([EDIT, ran(["bash", "-lc", "pytest -q"])], False),
    ([ran("apply_patch <<'E'\n*** Begin Patch\n*** Update File: src/a.py\n@@\n-x\n+y\n*** End Patch\nE")], True),
    ([], False),
]


@pytest.mark.parametrize(("records", "held"), CASES, ids=range(len(CASES)))
def test_a_commit_without_the_tests_is_denied_and_with_them_passes(repo, records, held):
    assert ("rule tests-first:" in asked(repo, "git commit -m x", *records)) is held


@pytest.mark.parametrize("path", [None, "", "/nowhere/x.jsonl", 3])
def test_where_the_record_cannot_be_seen_that_is_said(repo, path):
    payload = {**payloads.runs("codex", str(repo), "git commit -m x"), "transcript_path": path}
    out = json.dumps(respond("codex", json.dumps(payload).encode(), str(repo)).out)
    assert "tests-first" in out
    assert ("permissionDecision" in out) == (path == "/nowhere/x.jsonl")


def test_a_sub_agents_past_is_not_guessed(repo):
    assert asked(repo, "git commit -m x", EDIT)
    payload = payloads.runs("codex", str(repo), "git commit -m x")
    payload.update(transcript_path=str(repo.parent / "rollout.jsonl"), agent_id="a1")
    out = json.dumps(respond("codex", json.dumps(payload).encode(), str(repo)).out)
    assert "tests-first" in out
    assert "permissionDecision" not in out


JUNK = [b"{", b"[]", b'{"type": "response_item"}', b'{"type": "response_item", "payload": {"type": "function_call"}}',
        b'{"type": "event_msg", "payload": {"type": "user_message", "message": 3}}',
        b'{"type": "response_item", "payload": {"type": "message", "role": "assistant", "content": [3, {"text": []}]}}',
        b'{"type": "response_item", "payload": {"type": "function_call_output", "call_id": [], "output": {"x": 1}}}',
        b'{"type": "response_item", "payload": {"type": "x_call", "name": "apply_patch", "input": {"patch": 3}}}',
        b"\xff" * 100, b"[" * 100_000]  # fmt: skip


@pytest.mark.parametrize("junk", JUNK, ids=range(len(JUNK)))
def test_junk_in_the_record_is_passed_over(repo, junk):
    rollout = repo.parent / "rollout.jsonl"
    lines = [json.dumps(one).encode() for one in [*meta(repo), *EDIT]]
    rollout.write_bytes(b"\n".join([junk, *lines, junk, b""]))
    payload = {**payloads.runs("codex", str(repo), "git commit -m x"), "transcript_path": str(rollout)}
    answer = respond("codex", json.dumps(payload).encode(), str(repo))
    assert answer.error == ""
    assert "not checked" not in json.dumps(answer.out)


def test_the_end_of_the_turn_lacks_what_was_not_done(repo):
    rollout = repo.parent / "rollout.jsonl"
    (repo / "notes.txt").write_text("x\n")
    rollout.write_text("".join(json.dumps(one) + "\n" for one in [*meta(repo), *patched("notes.txt")]))
    payload = payloads.stops("codex", str(repo))
    payload.update(transcript_path=str(rollout), last_assistant_message="All done.")
    answer = respond("codex", json.dumps(payload).encode(), str(repo))
    assert "rule commit-it:" in answer.out["reason"]
