"""The package that the gate runs from, and the folders that hold it: none is an agent's to write, move or delete."""

import fnmatch
import os

from rulec.shell.action_events import relative_path

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


PACKAGE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
SITE = os.path.dirname(PACKAGE)
INSTALLED = os.path.basename(SITE) in ("site-packages", "dist-packages")  # else it is a developer's own checkout
PARTS = PACKAGE.split("/")
BESIDE = ("rulec-*.dist-info", "*rulec*.pth")  # what makes the package found and tells where it came from


def is_near(path: str) -> bool:
    """Whether the path may be of the package; most paths share no folder's name with it."""
    return INSTALLED and not set(path.split("/")).isdisjoint(PARTS[2:])


def changes_package(event: "dict[str, Any]", path: str, *, package: str = PACKAGE) -> bool:
    """Whether a change of the path would change the package, or its deletion take the package along."""
    root = str(event.get("root") or "")
    place = os.path.normpath(os.path.join(root, os.path.expanduser(relative_path(event, path) or path)))
    parts, own = place.split("/"), package.split("/")
    if all(fnmatch.fnmatchcase(name, part) for part, name in zip(parts, own, strict=False)):
        return len(parts) >= len(own) or event["kind"] == "delete"
    beside = parts[: len(own) - 1] == own[:-1] and len(parts) >= len(own)
    return beside and any(fnmatch.fnmatchcase(parts[len(own) - 1], name) for name in BESIDE)
