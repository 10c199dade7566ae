"""Findings on actions that would write, delete or move the gate's files."""

from __future__ import annotations

import os

from rulec.domain.files import globs
from rulec.guard import file_check
from rulec.protect import installed_package, settings_edits
from rulec.protect.guarded_files import GATE_PROGRAMS, INSTALL_FOLDERS, OWN_FILES, PROTECTED, SETTINGS
from rulec.shell import action_events

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any


CHECKS = {"path": file_check.check_path, "text": file_check.check_text}


def findings_on_file(rule: dict[str, Any], file: dict[str, Any]) -> list[tuple[dict[str, Any], str]]:
    """Findings on one file's event, each with its cure."""
    names = tuple(dict.fromkeys(name for path in (file["path"], *file.get("also", ())) for name in _spellings(path)))
    event = {**file, "path": names[0], "also": names[1:]}
    if _replaces_program(event) or _changes_package(event):
        return [(action_events.finding_of(rule["facts"]["slug"], path=file["path"], text=f"change {file['path']}"), "")]
    wild = any(sign in name for name in names for sign in globs.WILDCARDS)
    for check, cure, sign in PROTECTED:
        if not (wild or any(sign in name for name in names)):
            continue
        if "switches" in check and settings_edits.keeps_switches(check["switches"], event):
            continue
        found = CHECKS[check["on"]]({**rule, "check": check}, event)
        found = [one for one in found if not one["unsure"] or event.get("unsure") or one["path"].startswith((".", "~"))]
        if found:
            return [({**found[0], "unsure": bool(event.get("unsure"))}, cure)]
    if wild and (path := next((name for name in names if _may_mean_own_file(name)), "")):
        return [(action_events.finding_of(rule["facts"]["slug"], path=path, text=f"change {path}"), "")]
    return []


def _spellings(path: str) -> Iterator[str]:
    """The path, in lower case for disks that ignore case, and relative to the person's home."""
    yield path
    yield path.lower()
    if path.startswith("/proc/"):
        yield action_events.path_in_process(path)
    if path.startswith("/"):
        home = os.path.expanduser("~").rstrip("/")
        if home and path.startswith(home + "/"):
            yield "~" + path[len(home) :]


def _replaces_program(event: dict[str, Any]) -> bool:
    """Whether a file is written where the shell or git's hooks would find it instead of a program they run."""
    for path in (event["path"], *event["also"]):
        folder, _, name = path.rpartition("/")
        named = name in GATE_PROGRAMS and folder.endswith("bin") and path.startswith(INSTALL_FOLDERS)
        if named and (name != "python3" or (event.get("new") and event["kind"] != "delete")):
            return True
    return False


def _changes_package(event: dict[str, Any]) -> bool:
    """Whether the package that the gate runs from, or a folder that holds it, is written or deleted."""
    return any(installed_package.changes_package(event, path) for path in (event["path"], *event["also"]))


def _may_mean_own_file(wild: str) -> bool:
    """Whether a path with wildcards may match one of the gate's files."""
    parts = wild.split("/")
    for glob in [*OWN_FILES, *SETTINGS[".pre-commit"]]:
        if glob.endswith("]"):
            continue
        own = glob.strip("/").split("/")
        pairs = list(zip(parts, own, strict=False))
        long_enough = len(parts) >= len(own) and (len(parts) == len(own) or glob.endswith("/"))
        hidden = all(part[:1] == "." or name[:1] != "." for part, name in pairs)  # what a shell's wildcard leaves out
        if long_enough and hidden and all(globs.match(["/" + part], name) for part, name in pairs):
            return True
    return False
