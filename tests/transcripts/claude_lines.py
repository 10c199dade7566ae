"""Records as Claude Code writes them, for tests."""

import json

from rulec.domain.transcript import UnreadableLine
from rulec.transcripts.formats.claude_code import PLUG

ENVELOPE = {
    "parentUuid": None, "isSidechain": False, "userType": "external", "cwd": "/w/app", "sessionId": "s1",
    "version": "2.1.0", "gitBranch": "main",
}  # fmt: skip
STAMP = {"uuid": "u1", "timestamp": "2026-01-02T03:04:05.000Z"}
REFUSED = "The user doesn't want to proceed with this tool use. The tool use was rejected (eg. if it was a file edit"
REASON = REFUSED + "). To tell you how to proceed, the user said:\n"
BARE = REFUSED + "). STOP what you are doing and wait for the user to tell you how to proceed."


def user(content, **more):
    return {**ENVELOPE, "type": "user", "message": {"role": "user", "content": content}, **STAMP, **more}


def agent(*blocks, message="m1", **more):
    said = [{"type": "text", "text": block} if isinstance(block, str) else block for block in blocks]
    return {
        **ENVELOPE,
        "type": "assistant",
        "message": {"id": message, "role": "assistant", "content": said},
        **STAMP,
        **more,
    }


def call(name, ref="t1", **given):
    return {"type": "tool_use", "id": ref, "name": name, "input": given}


def result(text, ref="t1", **more):
    return user([{"type": "tool_result", "tool_use_id": ref, "content": text, **more}])


def text(words):
    return {"type": "text", "text": words}


def queue(operation, content=None):
    return {"type": "queue-operation", "operation": operation, "timestamp": "x", "sessionId": "s1", "content": content}


def attachment(prompt, **more):
    attached = {"type": "queued_command", "prompt": prompt, "commandMode": "prompt", **more}
    return {**ENVELOPE, "type": "attachment", "attachment": attached, **STAMP}


def lines(*entries):
    return [
        entry if isinstance(entry, bytes) else json.dumps(entry, separators=(",", ":")).encode() + b"\n"
        for entry in entries
    ]


def read(*entries):
    return list(PLUG.read(lines(*entries)))


def human(*entries):
    return [(t.kind, t.text) for t in read(*entries) if not isinstance(t, UnreadableLine) and t.role == "human"]


def actions(*blocks):
    return [action for turn in read(agent(*blocks)) for action in turn.actions]
