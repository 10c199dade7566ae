"""Checks on tools: which tool an agent calls, by its name and arguments.

Agents write the same name in their own ways (``WebFetch`` and ``web_fetch``, ``mcp__github__get_issue`` and
``github_get_issue``), so names are compared without capitals, and with every sign between words as one.
"""

from __future__ import annotations

import json
import re

from rulec.domain.compiled_rule import EventFinding
from rulec.shell.action_events import LONGEST_SHOWN

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from rulec.domain.compiled_rule import Facts, ToolCheck
    from rulec.shell.action_events import Event


RENAMED_TOOLS = {"task": "agent"}  # Claude Code has called its sub-agents by both names
MCP_PREFIX = "mcp_"
LONGEST_VALUE = 20_000  # characters of one argument that are looked at
_HUMP = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")
_BETWEEN = re.compile(r"[^a-z0-9*?]+")
_known: dict[str, re.Pattern[str]] = {}


def check_tool(facts: Facts, check: ToolCheck, event: Event) -> list[EventFinding]:
    """A finding where the tool that is called is one that the rule names."""
    name, given = event.tool, event.args
    if not name or not is_named(check.tools, name) or is_named(check.unless, name):
        return []
    if not all(re.search(wanted, argument_text(given, key)) for key, wanted in check.arguments.items()):
        return []
    instead = check.instead
    cure = f"use {instead} instead of {name}" if instead else ""
    return [EventFinding(facts=facts, text=call_line(name, given), program=name, cure=cure)]


def is_named(wanted: list[str] | tuple[str, ...], name: str) -> bool:
    """Whether one of the patterns, in which ``*`` is any text, names the tool."""
    return any(_fits(pattern, name) for pattern in wanted)


def _fits(pattern: str, name: str) -> bool:
    asked, own = name_words(pattern), name_words(name)
    if _globbed(asked).fullmatch(own):
        return True
    if asked.startswith(MCP_PREFIX):  # an agent that does not say where a tool of a server comes from
        return not own.startswith(MCP_PREFIX) and bool(_globbed(asked[len(MCP_PREFIX) :]).fullmatch(own))
    return not own.startswith(MCP_PREFIX) and bool(_globbed(asked.replace("_", "")).fullmatch(own.replace("_", "")))


def name_words(name: str) -> str:
    """The name in small letters, with one sign between its words."""
    plain = _BETWEEN.sub("_", _HUMP.sub("_", name).lower()).strip("_")
    return RENAMED_TOOLS.get(plain, plain)


def _globbed(pattern: str) -> re.Pattern[str]:
    if pattern not in _known:
        _known[pattern] = re.compile("".join({"*": ".*", "?": "."}.get(sign, re.escape(sign)) for sign in pattern))
    return _known[pattern]


def argument_text(given: Mapping[str, object], key: str) -> str:
    """An argument as text; ``a.b`` is b within a, and what is no text is JSON."""
    found: object = given
    for part in [key] if key in given else key.split("."):
        found = found.get(part) if isinstance(found, dict) else None
    if found is None:
        return ""
    return (found if isinstance(found, str) else json.dumps(found, ensure_ascii=False))[:LONGEST_VALUE]


def call_line(name: str, given: Mapping[str, object]) -> str:
    """The call in one line."""
    told = ", ".join(f"{key}={' '.join(argument_text(given, key).split())[:60]}" for key in list(given)[:4])
    return (f"{name}({told})" if told else name)[:LONGEST_SHOWN]
