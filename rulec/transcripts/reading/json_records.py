"""Lines of bytes to the JSON objects on them; what cannot be read becomes Damage and the rest still counts."""

import json
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from rulec.domain.transcript import UnreadableLine

Record = dict[str, Any]

_SUMMARY = 500
LONGEST_ARGUMENTS = 2_000  # characters of a tool's arguments that an action keeps
_DECODER = json.JSONDecoder()


def read_records(
    lines: Iterable[bytes], skip: Callable[[int, bytes], bool]
) -> Iterator[tuple[int, Record] | UnreadableLine]:
    """Number and object of every record; ``skip`` may drop a whole line by its bytes, before it is parsed."""
    for number, line in enumerate(lines, 1):
        if line.endswith(b"}\n") and b'}{"' not in line and skip(number, line):
            continue
        for found in parse_objects(line):
            yield (number, found) if isinstance(found, dict) else UnreadableLine(number, found)


def parse_objects(line: bytes) -> Iterator[Record | str]:
    """Every object on a line, or what is wrong with it; two records glued together are two objects."""
    text = line.decode("utf-8", "replace").strip("\ufeff \t\r\n\0")
    start, end = 0, len(text)
    while start < end:
        try:
            found, start = _DECODER.raw_decode(text, start)
        except RecursionError:
            yield "nested too deeply"
            return
        except ValueError as error:  # nothing inside a broken record is looked for: it could be somebody's quoted text
            yield "cut off" if not text.endswith("}") else f"no JSON: {str(error)[:80]}"
            return
        yield found if isinstance(found, dict) else "not an object"
        while start < end and text[start] in " \t\r\n\0":
            start += 1


def first_records(head: bytes) -> Iterator[Record]:
    """The whole records in the first bytes of a file, for recognising a format."""
    whole, _, rest = head.rpartition(b"\n")
    for line in [*whole.split(b"\n"), rest][:64]:
        for found in parse_objects(line):
            if isinstance(found, dict):
                yield found


def as_string(value: object) -> str:
    """The value where it is a string, else ""; halves of surrogate pairs, which no file can take, become "?"."""
    if not isinstance(value, str):
        return ""
    return value if value.isascii() else value.encode("utf-8", "replace").decode()


def as_object(value: object) -> Record:
    """The value where it is an object, else an empty one."""
    return value if isinstance(value, dict) else {}


def content_blocks(value: object) -> list[Record]:
    """Content blocks; a plain string is one text block."""
    if isinstance(value, str):
        return [{"type": "text", "text": value}]
    return [item for item in value if isinstance(item, dict)] if isinstance(value, list) else []


def content_text(value: object) -> str:
    """The text of content that is a string or a list of blocks."""
    if isinstance(value, str):
        return as_string(value)
    return "\n".join(as_string(block.get("text")) for block in content_blocks(value) if block.get("text"))


def arguments_json(given: Record) -> str:
    """The arguments of a tool as JSON that can be read back; "" where there are none, or too many to keep."""
    try:
        text = json.dumps(given, ensure_ascii=False, sort_keys=True) if given else ""
    except (RecursionError, TypeError, ValueError):
        return ""
    return text if len(text) <= LONGEST_ARGUMENTS else ""


def summary(value: object) -> str:
    """The first characters of a value as JSON."""
    try:
        return as_string(json.dumps(value, ensure_ascii=False))[:_SUMMARY]
    except RecursionError:  # parsed just below the limit
        return ""
