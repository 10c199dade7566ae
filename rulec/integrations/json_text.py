"""Members and elements in other people's JSON text: put in, found again, taken out to the byte."""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from rulec.errors import RulecError

_SPACE = " \t\r\n"
_DECODER = json.JSONDecoder()


@dataclass(frozen=True, slots=True, kw_only=True)
class JsonPart:
    """A member or element with its place in the text; ``start`` is that of the key where there is one."""

    key: str
    start: int
    value: int
    end: int
    data: Any


@dataclass(frozen=True, slots=True, kw_only=True)
class JsonStyle:
    """How the file is laid out: its line end and one step of indentation; both a space where it is one line."""

    newline: str
    step: str


_ONE_LINE = JsonStyle(newline=" ", step="")


def load_object(text: str, path: str) -> dict[str, Any]:
    """The whole file as data; RulecError with file:line where it is no JSON object."""
    try:
        data = json.loads(text)
    except (ValueError, RecursionError) as error:
        at, what = (error.lineno, error.msg) if isinstance(error, json.JSONDecodeError) else (1, "it cannot be read")
        raise RulecError(f"not valid JSON: {what}", where=f"{path}:{at}", hint="mend that line") from None
    if odd := re.search(r"\r(?!\n)", text):
        line = line_of(text, odd.start())
        raise RulecError("a line ends neither in LF nor CRLF", where=f"{path}:{line}", hint="convert the file first")
    if not isinstance(data, dict):
        raise RulecError("is no JSON object", where=f"{path}:1", hint="it must begin with { and end with }")
    return data


def root_start(text: str) -> int:
    """Where the outermost value begins."""
    return _skip(text, 0)


def parts_of(text: str, start: int) -> list[JsonPart]:
    """The members or elements of the container that begins at ``start``; the text must be valid JSON."""
    found: list[JsonPart] = []
    at = _skip(text, start + 1)
    while text[at] not in "}]":
        key, begin = "", at
        if text[start] == "{":
            key, at = _DECODER.raw_decode(text, at)
            at = _skip(text, _skip(text, at) + 1)
        data, end = _DECODER.raw_decode(text, at)
        found.append(JsonPart(key=key, start=begin, value=at, end=end, data=data))
        at = _skip(text, end)
        at = _skip(text, at + 1) if text[at] == "," else at
    return found


def find_member(text: str, start: int, key: str) -> JsonPart | None:
    """The member of that key."""
    return next((part for part in parts_of(text, start) if part.key == key), None)


def line_of(text: str, at: int) -> int:
    """The line of a place, from 1."""
    return text.count("\n", 0, at) + 1


def style_of(text: str) -> JsonStyle:
    """The layout by the first member of the file; two spaces where there is none."""
    first = root_start(text) + 1
    lead = text[first : _skip(text, first)]
    if not parts_of(text, first - 1):
        return JsonStyle(newline="\r\n" if "\r\n" in text else "\n", step="  ")
    if "\n" not in lead:
        return _ONE_LINE
    return JsonStyle(newline="\r\n" if "\r\n" in lead else "\n", step=lead.rpartition("\n")[2] or "  ")


def write_value(value: Any, style: JsonStyle, indent: str = "") -> str:
    """The value in the layout of the file, at this indentation."""
    if not value or not isinstance(value, Mapping | list):
        return json.dumps(value, ensure_ascii=False)
    inner = indent + style.step
    if isinstance(value, Mapping):
        items = [
            f"{json.dumps(key, ensure_ascii=False)}: {write_value(item, style, inner)}" for key, item in value.items()
        ]
    else:
        items = [write_value(item, style, inner) for item in value]
    opening, closing = "{}" if isinstance(value, Mapping) else "[]"
    lead = style.newline + inner
    return opening + lead + ("," + lead).join(items) + style.newline + indent + closing


def add_part(text: str, start: int, value: Any, key: str = "") -> str:
    """The text with a member or element at the end of the container that begins at ``start``."""
    style, there = style_of(text), parts_of(text, start)
    name = f"{json.dumps(key, ensure_ascii=False)}: " if key else ""
    if there:
        lead = text[_lead(text, there[-1].start) : there[-1].start]
        style = style if "\n" in lead else _ONE_LINE
        indent = lead.rpartition("\n")[2] if style.step else ""
        ours = style.newline + indent + name + write_value(value, style, indent)
        return f"{text[: there[-1].end]},{ours}{text[there[-1].end :]}"
    close = _skip(text, start + 1)
    outer = _indent(text, start) if style.step else ""
    lead = style.newline * 2 + outer + style.step
    ours = lead + name + write_value(value, style, outer + style.step) + style.newline + outer
    return text[:close] + ours + text[close:]


def replace_part(text: str, part: JsonPart, value: Any) -> str:
    """The text with another value in the place of one."""
    one_line = "\n" not in text[part.value : part.end]
    style = _ONE_LINE if one_line else style_of(text)
    indent = "" if one_line else _indent(text, part.start)
    return text[: part.value] + write_value(value, style, indent) + text[part.end :]


def cut_part(text: str, start: int, part: JsonPart) -> tuple[str, bool]:
    """The text without a part of the container that begins at ``start``, and whether the container is empty then."""
    there = parts_of(text, start)
    index = there.index(part)
    if index + 1 < len(there):
        return text[: part.start] + text[there[index + 1].start :], False
    if index:
        return text[: there[index - 1].end] + text[part.end :], False
    lead, newline = text[start + 1 : part.start], style_of(text).newline
    blank = lead if newline == " " else lead.rstrip(" \t")
    stood_empty = blank.endswith(newline * 2)
    before = blank.removesuffix(newline * 2) if stood_empty else ""
    return text[: start + 1] + before + text[_skip(text, part.end) :], not stood_empty


def cut_member(text: str, start: int, key: str) -> tuple[str, bool]:
    """As cut, for the member of that key."""
    return cut_part(text, start, next(part for part in parts_of(text, start) if part.key == key))


def _skip(text: str, at: int) -> int:
    while at < len(text) and text[at] in _SPACE:
        at += 1
    return at


def _lead(text: str, at: int) -> int:
    while text[at - 1] in _SPACE:
        at -= 1
    return at


def _indent(text: str, at: int) -> str:
    line = text[text.rfind("\n", 0, at) + 1 : at]
    return line[: len(line) - len(line.lstrip(" \t"))]
