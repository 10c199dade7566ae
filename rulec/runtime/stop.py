"""The end of a turn: what stands changed in the work tree, however it got there."""

import json
import os
import subprocess

from . import answers, guard, ledger, tokens

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from .agents import Agent, Asked
    from .index import Index
    from .world import World

MOST_BLOCKS = 3  # in one turn
MOST_FILES = 500
SECONDS = 20
OURS = (".rules/compiled/", ".rules/.cache/")  # generated: no rule speaks of them
EMPTY_TREE = "4b825dc642cb6eb9a060e54bf8d69288fbee4904"
OFF = ["-c", "core.fsmonitor=false", "-c", "core.quotepath=off", "-c", "core.hooksPath=/dev/null"]


def answer(agent: "Agent", asked: "Asked", index: "Index", world: "World") -> "dict[str, Any]":
    """Block the end of the turn for what must not stay, a few times; then tell the person."""
    found, facts = _found(agent, index, world)
    judged = [(finding, answers.outcome(finding, facts[finding["slug"]])) for finding in found]
    blocking = [answers.reason(f, facts[f["slug"]]) for f, outcome in judged if outcome == "block"]
    if found:
        ledger.note(world.root, agent.name, asked, judged)
    path = ledger.place(world.root, "stop.json")
    if not blocking:
        _store(path, "", 0)
        return {}
    turn, count = _stored(path)
    here = asked.turn or asked.session
    if turn != here or not (asked.stopped or asked.turn):
        count = 0
    if count >= MOST_BLOCKS or (asked.stopped and not path):
        text = "rulec lets the turn end after 3 reminders; still there, and the commit will be stopped:\n"
        told: "dict[str, Any]" = agent.say(text + answers.joined(blocking))
        return told
    _store(path, here, count + 1)
    blocked: "dict[str, Any]" = agent.block(answers.joined(blocking))
    return blocked


def _found(agent: "Agent", index: "Index", world: "World") -> "tuple[list[dict[str, Any]], dict[str, Any]]":
    found: "list[dict[str, Any]]" = []
    facts: "dict[str, Any]" = {}
    changed = changes(world.root)
    old = _contents(world.root, [path for path, kind in changed if kind != "delete"]) if changed else {}
    for path, kind in changed:
        now = world.read(path) if kind != "delete" else None
        event: "dict[str, Any]" = {
            "kind": kind,
            "path": path,
            "also": world.also(path),
            "agent": agent.name,
        }
        event.update(exists=path in old, old=old.get(path, ""), new=now or "", content=now)
        rules = [rule for rule in index.find(tokens.asked(event))[0] if rule["check"]["on"] != "command"]
        facts.update({rule["facts"]["slug"]: rule["facts"] for rule in rules})
        found += guard.decide(rules, event)
    return found, facts


def changes(root: str) -> "list[tuple[str, str]]":
    """Paths that differ from HEAD, and new ones, as (path from the root, write or delete); bounded."""
    base = "HEAD" if _git(root, ["rev-parse", "--verify", "-q", "HEAD"]) else EMPTY_TREE
    listed = _git(
        root, ["diff", "--name-status", "--no-renames", "--no-ext-diff", "--relative", "-z", base, "--"]
    ).split("\0")
    pairs = zip(listed[::2], listed[1::2])  # noqa: B905 (Python 3.9; what follows the last NUL is empty)
    found = [(path, "delete" if kind.startswith("D") else "write") for kind, path in pairs]
    fresh = _git(root, ["ls-files", "--others", "--exclude-standard", "-z"]).split("\0")
    found += [(path, "write") for path in fresh if path]
    return [(path, kind) for path, kind in found if not path.startswith(OURS)][:MOST_FILES]


def _contents(root: str, paths: "list[str]") -> "dict[str, str]":
    """The texts of the files as HEAD has them."""
    asked = "".join(f"HEAD:./{path}\n" for path in paths if "\n" not in path)
    data = _run(root, ["cat-file", "--batch"], asked.encode("utf-8", "surrogateescape"))
    found, at = {}, 0
    for path in (path for path in paths if "\n" not in path):
        end = data.find(b"\n", at)
        if end < 0:
            break
        head = data[at:end].split(b" ")
        at = end + 1
        if head[-1].isdigit() and head[-2:-1] == [b"blob"]:
            size = int(head[-1])
            found[path] = data[at : at + size].decode("utf-8", "replace")
            at += size + 1
    return found


def _git(root: str, arguments: "list[str]") -> str:
    return _run(root, arguments, b"").decode("utf-8", "surrogateescape")


def _run(root: str, arguments: "list[str]", given: bytes) -> bytes:
    environment = {**os.environ, "GIT_OPTIONAL_LOCKS": "0", "LC_ALL": "C"}
    try:
        done = subprocess.run(
            ["git", *OFF, *arguments],
            cwd=root, env=environment, input=given, capture_output=True, timeout=SECONDS, check=False,
        )  # fmt: skip
    except (OSError, subprocess.SubprocessError):
        return b""
    return done.stdout if done.returncode == 0 else b""


def _stored(path: str) -> "tuple[str, int]":
    try:
        with open(path, encoding="utf-8") as file:
            data = json.load(file)
        return str(data["turn"]), int(data["count"])
    except (OSError, ValueError, KeyError, TypeError):
        return "", 0


def _store(path: str, turn: str, count: int) -> None:
    if not path or (count == 0 and not os.path.exists(path)):
        return
    try:
        handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | getattr(os, "O_NOFOLLOW", 0), 0o600)
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            json.dump({"turn": turn, "count": count}, file)
    except OSError:
        return
