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
_UNUSUAL = re.compile(rb'"isSidechain":true|"entrypoint":"sdk|"origin":|"isApiErrorMessage"')
_SPEAKS = b'"type":"text"'


def take(session: Session, line: bytes, number: int) -> bool:
    """Add a call or a result in the midst of the agent's work to the session; False where the record must be parsed.

    What the agent only thought adds nothing.
    """
    found = _CONTENT.search(line, 0, _EARLY)
    if not found or len(line) > _LONGEST or _UNUSUAL.search(line, 0, _EARLY):
        return False
    if found["mind"]:
        return _SPEAKS not in line and b'"type":"tool_use"' not in line
    if call := found["call"]:
        if line.count(b'"type":"tool_use"') > 1 or _SPEAKS in line:
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
    copy = line.find(b',"toolUseResult":')
    return copy if copy >= 0 else len(line)


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
