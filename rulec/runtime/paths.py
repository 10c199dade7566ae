"""Paths of an event as the rules name them: relative to the repository, lexically and as the disk has them."""

import re

from .call import TOP, join
from .effects import Effect

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

_HOME = re.compile(r"\$(?:HOME|\{HOME\})(?=/|$)")  # how "~" is written where it stands in quotes
_PROCESS = re.compile(r"^/proc/(?:self|thread-self|\$\$|\d+)/cwd(?=/|$)")


def relative(event: "dict[str, Any]", path: str) -> str:
    """The path from the top of the repository; absolute where it lies outside."""
    root = str(event.get("root") or "").rstrip("/")
    path = _HOME.sub("~", path, count=1) if path.startswith("$") else path
    path = within_process(path) if path.startswith("/proc/") else path
    if path.startswith(TOP):
        return join("", path[len(TOP) :].lstrip("/"))
    if not path.startswith(("/", "~")):
        path = join(str(event.get("cwd") or ""), path)
        if path == ".." or path.startswith("../"):
            path = join(root, path) if root else path
    if root and (path == root or path.startswith(root + "/")):
        return join("", path[len(root) + 1 :])
    return join("", path)


def within_process(path: str) -> str:
    """The path as it is seen from the folder that a process is in, where it is told so."""
    return _PROCESS.sub(".", path, count=1).removeprefix("./")


def written(event: "dict[str, Any]", done: "list[Effect]") -> "list[dict[str, Any]]":
    """What a command does to files, as events of files."""
    world = event.get("world")
    found = []
    for effect in done:
        path = relative(event, effect.path)
        if effect.folder and world and not world.is_folder(relative(event, effect.folder)):
            continue
        if effect.elsewhere and not path.startswith(("/", "~")):
            continue
        file = {
            "kind": "delete" if effect.delete else "write",
            "path": path,
            "also": world.also(path) if world else (),
            "exists": world.exists(path) if world else None,
            "old": "",
            "new": effect.content,
            "content": effect.content if effect.whole and effect.content else None,
            "agent": event.get("agent"),
            "unsure": not effect.sure or bool(effect.folder and not world),
        }
        found.append(file)
    return found
