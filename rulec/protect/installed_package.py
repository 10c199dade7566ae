"""What the gate runs from: the installed package and the Python that starts it are no agent's to change or remove."""

from __future__ import annotations

import fnmatch
import os
import sys

from rulec.shell.action_events import relative_path

TYPE_CHECKING = False
if TYPE_CHECKING:
    from rulec.shell.action_events import Event


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
