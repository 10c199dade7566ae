"""Excepted findings: by the exceptions of the rulebook, or by comments that are committed."""

from __future__ import annotations

import json
import os
import time

from rulec.checkout.rules_layout import GATE_SLUG
from rulec.checkout.worktree import open_regular
from rulec.domain.files import globs
from rulec.domain.record import Record, read_record
from rulec.guard import inline_exceptions

TYPE_CHECKING = False
if TYPE_CHECKING:
    from rulec.checkout.worktree import Worktree
    from rulec.domain.event_finding import EventFinding
    from rulec.shell.event import Event


FILE = ".rules/compiled/exceptions.json"


def mark_excepted(found: list[EventFinding], world: Worktree, event: Event | None = None) -> None:
    """Note at each finding that is excepted until when and why; without an event the files are read as they are."""
    today = time.strftime("%Y-%m-%d", time.gmtime())
    standing = _standing(world.root)
    for finding in found:
        if finding.fault or finding.slug == GATE_SLUG:
            continue
        told = _filed(finding, standing, today) or _in_place(finding, world, event, today)
        if told:
            finding.excepted = told


class StandingException(Record):
    """An exception of the rulebook, from all rules or in some paths, until a day."""

    slug: str = ""
    until: str = ""
    reason: str = ""
    paths: tuple[str, ...] = ()


def _standing(root: str) -> list[StandingException]:
    try:
        with open(os.path.join(root, FILE), encoding="utf-8", opener=open_regular) as file:
            return [read_record(StandingException, one) for one in json.load(file)["exceptions"]]
    except (OSError, ValueError, KeyError, TypeError, RecursionError):
        return []


def _filed(finding: EventFinding, standing: list[StandingException], today: str) -> str:
    for one in standing:
        if one.slug != finding.slug or one.until < today:
            continue
        if not one.paths or (finding.path and globs.match(one.paths, finding.path)):
            return f"until {one.until}: {one.reason}"
    return ""


def _in_place(finding: EventFinding, world: Worktree, event: Event | None, today: str) -> str:
    path, text = finding.path, None
    if path:
        text = world.read(path) if event is None else event.content if event.path == path else None
    if text is None or inline_exceptions.MARK not in text:
        return ""
    lines = text.split("\n")
    for number, said in inline_exceptions.exceptions_at(lines, finding.slug, finding.line):
        if not said.wrong and said.until >= today and _stands(world.root, path, lines, (number, finding.slug)):
            return f"until {said.until}: {said.reason}"
    return ""


def _stands(root: str, path: str, lines: list[str], one: tuple[int, str]) -> bool:
    """Whether it is committed: what the agent wrote itself excepts nothing."""
    from rulec.checkout import pending_change  # noqa: PLC0415 (it needs subprocess, and hardly a finding has an exception beside it)

    return one not in inline_exceptions.newly_excepted(
        lines, pending_change.texts_at_head(root, [path]).get(path, "").split("\n")
    )
