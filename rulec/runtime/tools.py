"""The guard check on tools: which tool an agent calls, by its name and its arguments.

Agents write the same name in their own ways (``WebFetch`` and ``web_fetch``, ``mcp__github__get_issue`` and
``github_get_issue``), so names are compared without capitals, and with every sign between words as one.
"""

import json
import re

from rulec.runtime.events import LONGEST_TEXT, finding_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

SAME = {"task": "agent"}  # Claude Code has called its sub-agents by both names
OF_SERVERS = "mcp_"
LONGEST_VALUE = 20_000  # characters of one argument that are looked at
_HUMP = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")
_BETWEEN = re.compile(r"[^a-z0-9*?]+")
_known: "dict[str, re.Pattern[str]]" = {}


def on_tool(rule: "dict[str, Any]", event: "dict[str, Any]") -> "list[dict[str, Any]]":
    """A finding where the tool that is called is one that the rule names."""
    check, name = rule["check"], str(event.get("tool") or "")
    if not name or not named(check["tools"], name) or named(check.get("unless", ()), name):
        return []
    given = event.get("args")
    given = given if isinstance(given, dict) else {}
    if not all(re.search(wanted, value(given, key)) for key, wanted in check.get("arguments", {}).items()):
        return []
    instead = check.get("instead", "")
    cure = f"use {instead} instead of {name}" if instead else ""
    return [finding_of(rule["facts"]["slug"], text=shown(name, given), program=name, cure=cure)]


def named(wanted: "list[str] | tuple[str, ...]", name: str) -> bool:
    """Whether one of the patterns, in which ``*`` is any text, names the tool."""
    return any(_fits(pattern, name) for pattern in wanted)


def _fits(pattern: str, name: str) -> bool:
    asked, own = words(pattern), words(name)
    if _globbed(asked).fullmatch(own):
        return True
    if asked.startswith(OF_SERVERS):  # an agent that does not say where a tool of a server comes from
        return not own.startswith(OF_SERVERS) and bool(_globbed(asked[len(OF_SERVERS) :]).fullmatch(own))
    return not own.startswith(OF_SERVERS) and bool(_globbed(asked.replace("_", "")).fullmatch(own.replace("_", "")))


def words(name: str) -> str:
    """The name in small letters, with one sign between its words."""
    plain = _BETWEEN.sub("_", _HUMP.sub("_", name).lower()).strip("_")
    return SAME.get(plain, plain)


def _globbed(pattern: str) -> "re.Pattern[str]":
    if pattern not in _known:
        _known[pattern] = re.compile("".join({"*": ".*", "?": "."}.get(sign, re.escape(sign)) for sign in pattern))
    return _known[pattern]


def value(given: "dict[str, Any]", key: str) -> str:
    """An argument as text; ``a.b`` is b within a, and what is no text is JSON."""
    found: object = given
    for part in [key] if key in given else key.split("."):
        found = found.get(part) if isinstance(found, dict) else None
    if found is None:
        return ""
    return (found if isinstance(found, str) else json.dumps(found, ensure_ascii=False))[:LONGEST_VALUE]


def shown(name: str, given: "dict[str, Any]") -> str:
    """The call in one line."""
    told = ", ".join(f"{key}={' '.join(value(given, key).split())[:60]}" for key in list(given)[:4])
    return (f"{name}({told})" if told else name)[:LONGEST_TEXT]
