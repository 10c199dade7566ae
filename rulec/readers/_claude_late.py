"""Claude Code's calls and results told by their first bytes, so that most records need no parsing.

Within a JSON string every quote is escaped, so that the byte patterns here only ever meet the record's own keys. A
record that is the least bit unusual is left to be parsed.
"""

import re
from collections.abc import Callable
from functools import partial

from rulec.model.transcript import Action
from rulec.readers import _jsonl
from rulec.readers._claude_actions import actions
from rulec.readers._jsonl import blocks, mapping, string
from rulec.readers._session import Session

_LONGEST = 32_768  # bytes of a record that may be kept unread
_EARLY = 1_500  # bytes in which a record of the usual form has said what it is
_CONTENT = re.compile(
    rb'"content":\[\{(?:"type":"tool_use","id":"(?P<call>[\w-]+)",|"tool_use_id":"(?P<done>[\w-]+)","type":"tool_result",'
    rb'|"type":"tool_result","tool_use_id":"(?P<also>[\w-]+)",|"type":"(?P<mind>thinking|redacted_thinking)",)'
)
_UNUSUAL = re.compile(
    rb'"isSidechain":true|"entrypoint":"sdk|"origin":|"isApiErrorMessage"|"name":"(?:AskUserQuestion|ExitPlanMode)"'
)
_SPEAKS, _CALLS = b'"type":"text"', b'"type":"tool_use"'
_COPY = b',"toolUseResult":'
# What stands between the end of a message and the copy, where the copy is the record's own.
_SIMPLE = re.compile(rb'\}\]\}(?:,"\w+":(?:null|true|false|\d+|"[^"\\]*"))*\Z')


def take(session: Session, line: bytes, number: int) -> bool:
    """Add a call or a result in the midst of the agent's work to the session; False where the record must be parsed.

    What the agent only thought adds nothing.
    """
    found = _CONTENT.search(line, 0, _EARLY)
    if not found or _UNUSUAL.search(line, 0, _EARLY):
        return False
    if found["mind"]:
        return bool(session.id and session.cwd) and _SPEAKS not in line and _CALLS not in line
    if not session.working:
        return False
    if len(line) > _LONGEST:
        line = _without_copy(line)
    if len(line) > _LONGEST:
        return False
    if call := found["call"]:
        if line.count(_CALLS) > 1 or _SPEAKS in line:
            return False
        session.call(call.decode(), partial(_called, line, session.path), number, "")
        return True
    end = _end(line)
    if line.count(b'"tool_use_id":', 0, end) > 1 or line.find(_SPEAKS, 0, end) >= 0 or b'"is_error":true' in line:
        return False
    session.result((found["done"] or found["also"]).decode(), partial(_output, line), ok=True)
    return True


def _end(line: bytes) -> int:
    """Where the second copy of a tool's result begins, or the line ends."""
    copy = line.find(_COPY)
    return copy if copy >= 0 else len(line)


def _without_copy(line: bytes) -> bytes:
    """The record without the second copy of a tool's result and what stands behind it, where it can be cut off."""
    end = _end(line)
    return line[:end] + b"}" if end < len(line) and _SIMPLE.search(line, max(0, end - _EARLY), end) else line


def message(line: bytes) -> str:
    """The id of the message that a record belongs to."""
    record = next(_jsonl.objects(line), None)
    return string(mapping(record.get("message")).get("id")) if isinstance(record, dict) else ""


def _called(line: bytes, path: Callable[[str, str], str]) -> list[Action]:
    record = next(_jsonl.objects(line), None)
    if not isinstance(record, dict):
        return []
    folder = string(record.get("cwd"))
    content = blocks(mapping(record.get("message")).get("content"))
    return [action for block in content for action in actions(block, lambda name: path(name, folder))]


def _output(line: bytes) -> str:
    record = next(_jsonl.objects(line[: _end(line)] + b"}"), "")
    if not isinstance(record, dict):  # the copy stands elsewhere than usual
        record = next(_jsonl.objects(line), "")
    content = blocks(mapping(record.get("message")).get("content")) if isinstance(record, dict) else []
    return _jsonl.text_of(content[0].get("content")) if content else ""
