"""The exact bytes in which each agent is answered at each of its events; what it does not take stands beside it."""

import json

import pytest

from rulec.agents.protocol import agent_spec
from rulec.agents.protocol.agent_spec import ToolAction, find_agent
from rulec.hook import dispatch
from tests.support import payloads
from tests.support.payloads import NAMES

TOP = "/nowhere"
ASKED = {
    "ask": lambda agent: payloads.runs(agent, TOP, "ls"),
    "done": lambda agent: payloads.edits(agent, TOP, "a", "x", "y", done=True),
    "stop": lambda agent: payloads.stops(agent, TOP),
    "prompt": lambda agent: payloads.says(agent, TOP, "hello"),
    "start": lambda agent: payloads.begins(agent, TOP),
}


def _nested(event, **parts):
    return {"hookSpecificOutput": {"hookEventName": event, **parts}}


def _adds(event):
    return _nested(event, additionalContext="W")


BLOCK, SAY = {"decision": "block", "reason": "W"}, {"systemMessage": "W"}
DENY = _nested("PreToolUse", permissionDecision="deny", permissionDecisionReason="W")
BESIDE = "W"  # on standard error
CLAUDE = {
    "deny": {"ask": DENY, "done": BLOCK, "stop": BLOCK},
    "tell": {
        "ask": _adds("PreToolUse"), "done": _adds("PostToolUse"), "prompt": _adds("UserPromptSubmit"),
        "start": _adds("SessionStart"),
    },
    "say": dict.fromkeys(ASKED, SAY),
}  # fmt: skip
FORMS = {
    "claude-code": CLAUDE,
    "codex": CLAUDE,
    "cursor": {
        "deny": {
            "ask": {"permission": "deny", "user_message": "W", "agent_message": "W"},
            "done": {"additional_context": "W"}, "stop": {"followup_message": "W"},
        },
        "tell": {"ask": BESIDE, "done": {"additional_context": "W"}, "start": {"additional_context": "W"}},
        "say": dict.fromkeys(ASKED, BESIDE),
    },
    "gemini": {
        "deny": {
            "ask": {"decision": "deny", "reason": "W"}, "done": _adds("AfterTool"),
            "stop": {"decision": "deny", "reason": "W"},
        },
        "tell": {
            "ask": SAY, "done": _adds("AfterTool"), "prompt": _adds("BeforeAgent"), "start": _adds("SessionStart"),
        },
        "say": dict.fromkeys(ASKED, SAY),
    },
    "copilot": {
        "deny": {
            "ask": {"permissionDecision": "deny", "permissionDecisionReason": "W"}, "done": {"additionalContext": "W"},
            "stop": BLOCK,
        },
        "tell": {"ask": BESIDE, "done": {"additionalContext": "W"}, "start": {"additionalContext": "W"}},
        "say": dict.fromkeys(ASKED, BESIDE),
    },
    "opencode": {
        "deny": {key: {"deny": "W"} for key in ("ask", "done", "stop")},
        "tell": {key: {"tell": "W"} for key in ("ask", "done", "prompt", "start")},
        "say": {key: {"say": "W"} for key in ASKED},
    },
}  # fmt: skip
CELLS = [(agent, verb, moment) for agent in NAMES for verb, row in FORMS[agent].items() for moment in row]


@pytest.mark.parametrize(("agent", "verb", "moment"), CELLS)
def test_each_word_has_one_form_for_each_agent_and_event(agent, verb, moment):
    known = agent_spec.find_agent(agent)
    asked = known.read(ASKED[moment](agent))
    assert asked.moment == moment
    answer, wanted = getattr(known, verb)(asked, "W"), FORMS[agent][verb][moment]
    assert (answer.out, answer.error) == (({}, "W") if wanted == BESIDE else (wanted, ""))
    assert answer.code == 0
    assert payloads.refused(agent, asked.event, json.loads(json.dumps(answer.out))) == ""


@pytest.mark.parametrize("agent", NAMES)
def test_an_event_that_nobody_knows_gets_no_json_that_could_be_taken_amiss(agent):
    known = agent_spec.find_agent(agent)
    asked = known.read({"hook_event_name": "Tomorrow", "event": "tomorrow"})
    assert (asked.moment, asked.actions) == ("", [])
    assert set(known.say(asked, "W").out) <= {"systemMessage", "say"}


RUNNING = [  # agent, tool, arguments -> the command
    ("codex", "write_stdin", {"session_id": 1, "chars": "npm ci\n"}, "npm ci"),
    ("codex", "write_stdin", {"session_id": 1, "chars": "\x03"}, None),
    ("copilot", "write_bash", {"sessionId": "1", "input": "{up}npm ci{enter}"}, "npm ci"),
    ("copilot", "write_powershell", {"sessionId": "1", "input": "npm ci\r"}, "npm ci"),
    ("copilot", "write_bash", {"sessionId": "1", "input": "{enter}"}, None),
    ("copilot", "run_in_terminal", {"command": "npm ci"}, "npm ci"),
    (
        "copilot",
        "create_and_run_task",  # of Visual Studio Code, as its package.json declares it
        {"workspaceFolder": "/w", "task": {"label": "b", "type": "shell", "command": "npm", "args": ["ci", "a b"]}},
        "npm ci 'a b'",
    ),
    ("copilot", "create_and_run_task", {"task": {"type": "shell", "command": "npm ci"}}, "npm ci"),
    ("claude-code", "PowerShell", {"command": "npm ci"}, "npm ci"),
    ("claude-code", "Monitor", {"command": "npm ci"}, "npm ci"),
]


def test_what_is_typed_into_a_running_shell_is_a_command() -> None:
    wrong = []
    for name, tool, given, command in RUNNING:
        event = "PreToolUse" if name != "copilot" else "preToolUse"
        asked = find_agent(name).read({"hook_event_name": event, "tool_name": tool, "tool_input": given})
        told = asked.action.command or None
        wrong += [(name, tool, told)] * (told != command)
    assert not wrong


def _edited(path: str, *edits: tuple[str, str, bool], new: str | None = None) -> ToolAction:
    return ToolAction(kind="edit", path=path, edits=[*edits], new=new)


EDITING = [  # tool of Visual Studio Code, arguments -> what is done
    (
        "multi_replace_string_in_file",
        {
            "explanation": "x",
            "replacements": [
                {"filePath": "/w/a.py", "oldString": "a", "newString": "b"},
                {"filePath": "/w/c.py", "oldString": "c", "newString": "d"},
            ],
        },
        [_edited("/w/a.py", ("a", "b", False)), _edited("/w/c.py", ("c", "d", False))],
    ),
    (
        "insert_edit_into_file",
        {"explanation": "x", "filePath": "/w/a.py", "code": "print(1)"},
        [_edited("/w/a.py", new="print(1)")],
    ),
    (
        "edit_notebook_file",
        {"filePath": "/w/a.ipynb", "editType": "insert", "cellId": "TOP", "newCode": ["import os", "os"]},
        [_edited("/w/a.ipynb", new="import os\nos")],
    ),
    ("edit_notebook_file", {"filePath": "/w/a.ipynb", "newCode": "x"}, [_edited("/w/a.ipynb", new="x")]),
    (
        "create_file",
        {"filePath": "/w/a.py", "content": "x"},
        [ToolAction(kind="write", path="/w/a.py", new="x", content="x")],
    ),
]


@pytest.mark.parametrize(("tool", "given", "done"), EDITING)
def test_what_visual_studio_codes_tools_do_to_files_is_seen(tool, given, done):
    asked = {"hook_event_name": "PreToolUse", "session_id": "s", "cwd": "/w", "tool_name": tool, "tool_input": given}
    seen = find_agent("copilot").read(asked).actions
    assert [(one.kind, one.path, one.new, [*one.edits]) for one in seen] == [
        (one.kind, one.path, one.new, [*one.edits]) for one in done
    ]


# Events of 2026-11 that are no moment of rulec's: a sub-agent's end, for the turn's end judges what it changed; what
# changes settings or folders, for each call names its own; what asks for a permission, for the call was judged before.
LATEST = {
    "claude-code": (
        "SubagentStop", "SubagentStart", "WorktreeCreate", "WorktreeRemove", "CwdChanged", "ConfigChange",
        "PostToolBatch", "PostToolUseFailure", "PermissionRequest", "PreCompact", "PostCompact", "SessionEnd",
    ),
    "codex": (
        "PermissionRequest", "SubagentStart", "SubagentStop", "PreCompact", "PostCompact", "Interrupt", "SessionEnd",
    ),
    "copilot": (
        "permissionRequest", "subagentStart", "subagentStop", "preCompact", "sessionEnd", "errorOccurred",
        "notification", "userPromptTransformed", "postToolUseFailure",
    ),
    "gemini": ("BeforeModel", "AfterModel", "BeforeToolSelection", "Notification", "PreCompress", "SessionEnd"),
}  # fmt: skip


@pytest.mark.parametrize(("name", "event"), [(name, event) for name, events in LATEST.items() for event in events])
def test_the_latest_events_are_understood_and_get_no_answer(name, event, ruled, monkeypatch):
    monkeypatch.chdir(ruled)
    told = {"tool_name": "Bash", "tool_input": {"command": "git commit --no-verify -m x"}}
    asked = {"hook_event_name": event, "session_id": "s1", "cwd": str(ruled), "stop_hook_active": False, **told}
    answer = dispatch.respond(name, json.dumps(asked).encode(), str(ruled))
    assert (answer.out, answer.error, answer.code) == ({}, "", 0)
