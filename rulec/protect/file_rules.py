"""Findings on actions that would write, delete or move the gate's files, and whether a path is one of them."""

from __future__ import annotations

import fnmatch
import os
import sys

from rulec.domain.compiled_rule import EventFinding, PathCheck, TextCheck
from rulec.domain.files import globs
from rulec.protect import built_in
from rulec.protect.built_in import GateRule
from rulec.shell.action_events import path_in_process, relative_path

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from rulec.shell.action_events import Event


GATE_PROGRAMS = ("git", "rulec", "pre-commit", "prek", "semgrep", "sh", "python3")
INSTALL_FOLDERS = ("/", "~", ".venv/", "venv/", "node_modules/.bin/")  # elsewhere a program is the repository's own
LOCK_FILES = [".git/**/*.lock"]  # what a dead git left behind


def findings_on_file(event: Event, file: Event) -> list[EventFinding]:
    """The finding on one file's event."""
    names = tuple(dict.fromkeys(name for path in file.names for name in _spellings(path)))
    own = file.but(path=names[0], also=names[1:])
    if _replaces_program(own) or any(changes_package(own, path) for path in names):
        return [_changed(file.path)]
    wild = any(sign in name for name in names for sign in globs.WILDCARDS)
    for rule in built_in.rules_on("file"):
        if wild or any(sign in name for name in names for sign in rule.near):
            found = _judged(rule, _with_disk(event, own))
            if found:
                return [found[0].but(unsure=bool(own.unsure), cure=rule.cure)]
    path = next((name for name in names if wild and _may_mean_own_file(name)), "")
    return [_changed(path)] if path else []


def _judged(rule: GateRule, file: Event) -> list[EventFinding]:
    from rulec.guard import file_check  # noqa: PLC0415 (most files are far from the gate)

    if rule.switches:
        from rulec.protect import settings_edits  # noqa: PLC0415 (as above)

        if settings_edits.keeps_switches(rule.switches, file):
            return []
    found: list[EventFinding] = []
    if isinstance(rule.check, PathCheck):
        found = file_check.check_path(built_in.GATE_FACTS, rule.check, file)
    elif isinstance(rule.check, TextCheck):
        found = file_check.check_text(built_in.GATE_FACTS, rule.check, file)
    return [one for one in found if not one.unsure or file.unsure or one.path.startswith((".", "~"))]


def _changed(path: str) -> EventFinding:
    return EventFinding(facts=built_in.GATE_FACTS, path=path, text=f"change {path}", cure=built_in.GATE_CURE)


def _with_disk(event: Event, file: Event) -> Event:
    """The file's event with the file's text on the disk, which the command does not show."""
    return file if file.disk is not None or not event.world else file.but(disk=event.world.read(file.path))


def _spellings(path: str) -> Iterator[str]:
    """The path, in lower case for disks that ignore case, and relative to the person's home."""
    yield path
    yield path.lower()
    if path.startswith("/proc/"):
        yield path_in_process(path)
    if path.startswith("/"):
        home = os.path.expanduser("~").rstrip("/")
        if home and path.startswith(home + "/"):
            yield "~" + path[len(home) :]


def _replaces_program(event: Event) -> bool:
    """Whether a file is written where the shell or git's hooks would find it instead of a program they run."""
    for path in (event.path, *event.also):
        folder, _, name = path.rpartition("/")
        named = name in GATE_PROGRAMS and folder.endswith("bin") and path.startswith(INSTALL_FOLDERS)
        if named and (name != "python3" or (event.new and event.kind != "delete")):
            return True
    return False


def _own_globs(switches: tuple[str, ...]) -> list[str]:
    """The globs of the gate's files, of those with switches only where they are read in one of these ways."""
    rules = [rule for rule in built_in.rules_on("file") if (rule.switches or "additions") in switches]
    checks = [rule.check for rule in rules if isinstance(rule.check, PathCheck) and not rule.check.how]
    return [glob for check in checks for glob in check.globs]


def _may_mean_own_file(wild: str) -> bool:
    """Whether a path with wildcards may match one of the gate's files."""
    parts = wild.split("/")
    for glob in _own_globs(("additions",)):
        own = glob.strip("/").split("/")
        pairs = list(zip(parts, own, strict=False))
        long_enough = len(parts) >= len(own) and (len(parts) == len(own) or glob.endswith("/"))
        hidden = all(part[:1] == "." or name[:1] != "." for part, name in pairs)  # what a shell's wildcard leaves out
        whole = not any(sign in glob for sign in "[*")
        if whole and long_enough and hidden and all(globs.match(["/" + part], name) for part, name in pairs):
            return True
    return False


def is_protected(event: Event, path: str, *, within: bool = True) -> bool:
    """Whether the path is one of the gate's files or, with ``within``, a folder below the root that holds one."""
    place = relative_path(event, path).lower()
    if not place or globs.match(LOCK_FILES, place):
        return False
    if globs.names_path(_own_globs(("additions", "json", "toml")), place, deletes=within) is True:
        return True
    return within and changes_package(event.but(kind="delete"), path)


PACKAGE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
_SITE = os.path.dirname(PACKAGE)
_ENVIRONMENT = os.path.dirname(os.path.dirname(os.path.abspath(sys.executable)))
# In an environment's library: the package, what makes it found, and what Python runs before it.
_IN_LIBRARY = ("rulec", "rulec-*.dist-info", "*rulec*.pth", "{site,user}customize.py")


def _own_files() -> list[str]:
    """Patterns of what the gate runs from; a developer's own checkout of rulec is none of it."""
    libraries = [_SITE] if os.path.basename(_SITE) in ("site-packages", "dist-packages") else []
    found: list[str] = []
    if os.path.exists(os.path.join(_ENVIRONMENT, "pyvenv.cfg")):
        found = [f"{_ENVIRONMENT}/{name}" for name in ("bin/python*", "bin/rulec", "pyvenv.cfg")]
        libraries.append(f"{_ENVIRONMENT}/lib/python3*/site-packages")
    names = [name.replace("{site,user}", who) for name in _IN_LIBRARY for who in ("site", "user")]
    return list(dict.fromkeys([*found, *(f"{library}/{name}" for library in libraries for name in names)]))


OWN = [pattern.split("/") for pattern in _own_files()]


def lies_within(event: Event, path: str) -> bool:
    """Whether a folder is the environment that the gate runs from, or lies in it."""
    place = _absolute(event, path)
    return f"{place}/".startswith(f"{_ENVIRONMENT}/") and bool(OWN)


def changes_package(event: Event, path: str, *, own: list[list[str]] | None = None) -> bool:
    """Whether a change of the path would change what the gate runs from, or its deletion take that along."""
    place = _absolute(event, path)
    parts = place.split("/")
    return place.startswith("/") and any(
        (len(parts) >= len(pattern) or event.kind == "delete") and all(map(_agree, parts, pattern))
        for pattern in (OWN if own is None else own)
    )


def _absolute(event: Event, path: str) -> str:
    return os.path.normpath(os.path.join(event.root, os.path.expanduser(relative_path(event, path) or path)))


def _agree(part: str, wanted: str) -> bool:
    """Whether a part of a path, which may be a shell's pattern, may be a part that is guarded."""
    hidden = wanted.startswith(".") and not part.startswith(".")  # no wildcard of a shell stands for the dot
    return not hidden and (fnmatch.fnmatchcase(part, wanted) or fnmatch.fnmatchcase(wanted, part))
