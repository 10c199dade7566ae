"""Excepted findings: by the exceptions of the rulebook, or by comments that are committed."""

from __future__ import annotations

import json
import os
import time

from rulec.checkout.rules_layout import GATE_SLUG
from rulec.checkout.worktree import open_regular
from rulec.domain.files import globs
from rulec.guard import inline_exceptions

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from rulec.checkout.worktree import Worktree


FILE = ".rules/compiled/exceptions.json"


def mark_excepted(found: list[dict[str, Any]], world: Worktree, event: dict[str, Any] | None = None) -> None:
    """Note at each finding that is excepted until when and why; without an event the files are read as they are."""
    today = time.strftime("%Y-%m-%d", time.gmtime())
    standing = _standing(world.root)
    for finding in found:
        if finding["fault"] or finding["slug"] == GATE_SLUG:
            continue
        told = _filed(finding, standing, today) or _in_place(finding, world, event, today)
        if told:
            finding["excepted"] = told


def _standing(root: str) -> list[dict[str, Any]]:
    try:
        with open(os.path.join(root, FILE), encoding="utf-8", opener=open_regular) as file:
            told = json.load(file)["exceptions"]
    except (OSError, ValueError, KeyError, TypeError, RecursionError):
        return []
    return [one for one in told if isinstance(one, dict)] if isinstance(told, list) else []


def _filed(finding: dict[str, Any], standing: list[dict[str, Any]], today: str) -> str:
    for one in standing:
        paths = one.get("paths")
        if one.get("slug") != finding["slug"] or str(one.get("until", "")) < today:
            continue
        if not paths or (finding["path"] and globs.match([str(path) for path in paths], finding["path"])):
            return f"until {one['until']}: {one.get('reason', '')}"
    return ""


def _in_place(finding: dict[str, Any], world: Worktree, event: dict[str, Any] | None, today: str) -> str:
    path, text = finding["path"], None
    if path:
        text = world.read(path) if event is None else event.get("content") if event.get("path") == path else None
    if not isinstance(text, str) or inline_exceptions.MARK not in text:
        return ""
    lines = text.split("\n")
    for number, said in inline_exceptions.exceptions_at(lines, finding["slug"], finding["line"]):
        if not said["wrong"] and said["until"] >= today and _stands(world.root, path, lines, (number, finding["slug"])):
            return f"until {said['until']}: {said['reason']}"
    return ""


def _stands(root: str, path: str, lines: list[str], one: tuple[int, str]) -> bool:
    """Whether it is committed: what the agent wrote itself excepts nothing."""
    from rulec.checkout import pending_change  # noqa: PLC0415 (it needs subprocess, and hardly a finding has an exception beside it)

    return one not in inline_exceptions.newly_excepted(
        lines, pending_change.texts_at_head(root, [path]).get(path, "").split("\n")
    )
