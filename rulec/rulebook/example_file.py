"""YAML nodes to examples and back: one action with a known verdict, as rule files and drafts write it."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, cast

from rulec.domain.rule import EXAMPLE_SOURCES, Example, ExampleKind
from rulec.rulebook.yaml_text import YamlNode

_EXAMPLE_KEYS = {
    "command": ("command",),
    "file": ("file", "content"),
    "edit": ("edit", "old", "new"),
    "message": ("message",),
    "commit": ("commit", "files", "deleted", "renamed"),
    "reply": ("reply",),
    "tool": ("tool", "args"),
    "delete": ("delete",),
    "rename": ("rename", "to"),
    "session": ("session",),
}
_STEP_KEYS = {
    "command": ("command", "failed"),
    "file": _EXAMPLE_KEYS["file"],
    "edit": _EXAMPLE_KEYS["edit"],
    "tool": _EXAMPLE_KEYS["tool"],
    "delete": _EXAMPLE_KEYS["delete"],
    "rename": _EXAMPLE_KEYS["rename"],
    "read": ("read",),
    "says": ("says",),
    "stop": ("stop",),
    "reply": ("reply",),
}
_JUDGED = ("command", "file", "edit", "tool", "delete", "rename", "stop", "reply")


def example_keys() -> Mapping[str, Sequence[str]]:
    """Each kind of example, with its keys in their order."""
    return _EXAMPLE_KEYS


def step_keys() -> Mapping[str, Sequence[str]]:
    """Each kind of step in a session, with its keys."""
    return _STEP_KEYS


def read_example(node: YamlNode) -> Example:
    """One example: command, file + content, edit + old + new, message, commit + files, tool + args, delete,
    rename + to, reply, or the steps of a session.

    A reply is what the agent says at the end of its turn; as a step of a session, what it says on the way.

    Each may say its ``source``, which is one of EXAMPLE_SOURCES.
    """
    kind = _kind(node, _EXAMPLE_KEYS, "example", "source")
    source = node.choice("source", EXAMPLE_SOURCES) if node.has("source") else ""
    return replace(_read_by_kind(node, kind), source=source)


def _read_by_kind(node: YamlNode, kind: str) -> Example:
    if kind == "session":
        return Example(kind="session", text="", steps=_steps(node))
    if kind == "commit":
        files = node.mapping("files").plain()
        told = tuple((path, str(text)) for path, text in files.items())
        moved = tuple((old, str(new)) for old, new in node.mapping("renamed").plain().items())
        gone = node.texts("deleted")
        return Example(kind="commit", text=node.text("commit"), files=told, gone=gone, moved=moved)
    return _plain_step(node, kind)


def _kind(node: YamlNode, known: Mapping[str, Sequence[str]], what: str, *more: str) -> str:
    kind = next((key for key in known if node.has(key)), None)
    if kind is None:
        keys = ", ".join(str(key)[:40] for key in list(node.data)[:4]) or "none"
        raise node.error("", f"is no {what}, by its keys ({keys})", f"write one of {', '.join(known)}")
    node.known((*known[kind], *more))
    return kind


def _plain_step(node: YamlNode, kind: str) -> Example:
    match kind:
        case "file":
            return Example(kind="file", path=node.text("file"), text=node.text("content"))
        case "edit":
            return Example(kind="edit", path=node.text("edit"), old=node.text("old"), text=node.text("new"))
        case "tool":
            return Example(kind="tool", text=node.text("tool", required=True), args=_args(node))
        case "read" | "delete":
            return Example(kind=cast("ExampleKind", kind), path=node.text(kind, required=kind == "delete"), text="")
        case "rename":
            old, new = node.text("rename", required=True), node.text("to", required=True)
            return Example(kind="rename", path=new, old=old, text="")
        case _:
            return Example(kind=cast("ExampleKind", kind), text=node.text(kind), failed=node.flag("failed"))


def _args(node: YamlNode) -> str:
    """The arguments of a tool as JSON, the same text for the same arguments; "" where none are named."""
    given = node.mapping("args").plain() if node.has("args") else {}
    return json.dumps(given, ensure_ascii=False, sort_keys=True, default=str) if given else ""


def _steps(node: YamlNode) -> tuple[Example, ...]:
    """The steps of a session; the last one must be something that can be judged."""
    nodes = node.items("session")
    steps = tuple(_plain_step(one, _kind(one, _STEP_KEYS, "step of a session")) for one in nodes)
    if not steps:
        raise node.error("session", "has no step", "write what happened in its order, last what is judged")
    last = steps[-1]
    if last.kind not in _JUDGED or last.failed:
        what = "failed" if last.failed else f"is {last.kind!r}"
        hint = f"end it with one of {', '.join(_JUDGED)}"
        raise nodes[-1].error("", f"{what}, and the last step of a session is the one that is judged", hint)
    return steps


def example_data(item: Example) -> dict[str, Any]:
    """The example as its file has it."""
    return {**_plain(item), **({"source": item.source} if item.source else {})}


def _plain(item: Example) -> dict[str, Any]:
    match item.kind:
        case "file":
            return {"file": item.path, "content": item.text}
        case "edit":
            return {"edit": item.path, "old": item.old, "new": item.text}
        case "commit":
            more = {"deleted": list(item.gone)} if item.gone else {}
            moved = {"renamed": dict(item.moved)} if item.moved else {}
            return {"commit": item.text, "files": dict(item.files), **more, **moved}
        case "session":
            return {"session": [example_data(step) for step in item.steps]}
        case "tool":
            return {"tool": item.text, **({"args": json.loads(item.args)} if item.args else {})}
        case "read" | "delete":
            return {item.kind: item.path}
        case "rename":
            return {"rename": item.old, "to": item.path}
        case _:
            return {item.kind: item.text, **({"failed": True} if item.failed else {})}
