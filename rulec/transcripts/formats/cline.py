"""Cline and Roo Code: ``tasks/TASK/ui_messages.json`` and ``api_conversation_history.json``, each one JSON list."""

import re
from collections.abc import Iterable, Iterator

from rulec.domain.transcript import Turn, UnreadableLine
from rulec.domain.transcript_format import TranscriptFormat
from rulec.transcripts.formats._cline_history import ClineHistory
from rulec.transcripts.formats._cline_messages import ClineMessages
from rulec.transcripts.reading import json_documents
from rulec.transcripts.reading.json_records import as_object

_SHOWN = re.compile(
    rb'(?:\xef\xbb\xbf)?\s*\[\s*\{\s*"ts"\s*:\s*\d+\s*,\s*"type"\s*:\s*"(?:say|ask)"\s*,\s*"(?:say|ask)"'
)
_HISTORY = re.compile(
    rb'(?:\xef\xbb\xbf)?\s*\[\s*\{\s*"role"\s*:\s*"user"\s*,\s*"content"\s*:\s*(?:"|\[\s*\{\s*"type"\s*:\s*"text"\s*,'
    rb'\s*"text"\s*:\s*")(?:\\n)*<(?:task|user_message|explicit_instructions type=[^>]{1,80})>'
)


def recognises(head: bytes) -> bool:
    """Whether the file opens as one of the two lists."""
    return bool(_SHOWN.match(head) or _HISTORY.match(head))


def read(lines: Iterable[bytes]) -> Iterator[Turn | UnreadableLine]:
    """Turns in file order; the file is gathered whole, and refused where it is larger than ``_whole.LIMIT``."""
    text = json_documents.gather_text(lines)
    reading: ClineMessages | ClineHistory | None = None
    for found in json_documents.document_members(text) if isinstance(text, str) else (text,):
        if isinstance(found, UnreadableLine):
            yield found
            continue
        message = as_object(found.value)
        if reading is None:
            reading = ClineHistory() if "role" in message else ClineMessages()
        yield from reading.take(found.line, message)
    if reading:
        yield from reading.end()


_STORES = (".config/Code/User/globalStorage", "Library/Application Support/Code/User/globalStorage")
_EXTENSIONS = ("saoudrizwan.claude-dev", "rooveterinaryinc.roo-cline")

# Not api_conversation_history.json: it repeats what the person said and saw.
PLUG = TranscriptFormat(
    name="cline",
    recognises=recognises,
    read=read,
    roots=(
        *(f"{store}/{name}/tasks/*/ui_messages.json" for store in _STORES for name in _EXTENSIONS),
        ".cline/data/tasks/*/ui_messages.json",
    ),
)
