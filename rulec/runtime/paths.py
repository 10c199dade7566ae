"""Paths of an event as the rules name them: relative to the repository, lexically and as the disk has them."""

import re

from rulec.runtime.call import TOP, join
from rulec.runtime.effect import Effect
from rulec.runtime.events import parsed

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

_HOME = re.compile(r"\$(?:HOME|\{HOME\})(?=/|$)")  # how "~" is written where it stands in quotes
ORIGIN = ("world", "root", "past")  # by which origin.py tells where a file comes from
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


def _exists(event: "dict[str, Any]", effect: Effect, path: str) -> "bool | None":
    """Whether the file that a command touches is there; None where nobody knows."""
    world, there = event.get("world"), event.get("there")
    if world:
        return bool(world.exists(path))
    if effect.existing:
        return True
    return there(path) if callable(there) else None


def folders(event: "dict[str, Any]", *, above: bool = False) -> "list[str]":
    """The folders that a command's ``mkdir`` makes; with ``above`` those that -p makes above them, too."""
    found: "dict[str, None]" = {}
    for call in parsed(event).calls:
        if call.program != "mkdir" or call.adrift:
            continue
        words = [word for word in call.argv[1:] if not word.startswith("-")]
        skip = next((after for flag, after in zip(call.argv, call.argv[1:]) if flag in ("-m", "--mode")), None)  # noqa: B905 (Python 3.9)
        for word in words:
            if word == skip or "$" in word or "`" in word:
                continue
            path = relative(event, join(call.cwd, word))
            parts = path.split("/")
            deep = above and any("p" in flag for flag in call.argv[1:] if flag[:1] == "-")
            if deep and not path.startswith(("/", "~", "..")):
                found.update(("/".join(parts[:count]), None) for count in range(1, len(parts)))
            found[path] = None
    return [path for path in found if path]


def made(event: "dict[str, Any]") -> "list[dict[str, Any]]":
    """The folders that a command makes anew, as events of files."""
    world, there = event.get("world"), event.get("there")
    found = []
    for path in folders(event, above=bool(world)):
        known = world.exists(path) if world else there(path) if callable(there) else None
        if known is not True:
            file = {"kind": "write", "path": path, "also": world.also(path) if world else (), "exists": False}
            found.append({**file, "old": "", "new": "", "content": None, "agent": event.get("agent")})
    return found


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
            "exists": _exists(event, effect, path),
            "old": "",
            "new": effect.content,
            "content": effect.content if effect.whole and effect.content else None,
            "agent": event.get("agent"),
            "unsure": not effect.sure or bool(effect.folder and not world),
            "undoes": effect.undoes,
            "taken": (effect.source, effect.call, event) if effect.source else None,
            "below": effect.below,
            "into": effect.into and (effect.existing or bool(world and world.is_folder(path))),
            **{key: event[key] for key in ORIGIN if key in event},
        }
        found.append(file)
    return found
