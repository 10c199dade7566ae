"""Whether globs and scopes speak of a place."""

import os

from rulec.runtime import globs
from rulec.runtime.call import Call, join
from rulec.runtime.paths import relative

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

WILD = "*?["
OUTSIDE = ("/", "~", "../")  # how a path outside the repository begins


def protects(wanted: "list[str]", path: str, *, deletes: bool) -> "bool | None":
    """Whether the globs name the path (True), may name it (False) or do not (None)."""
    if globs.match(wanted, path):
        return True
    if deletes and any(_below(glob, path) for glob in wanted):
        return True
    if any(sign in path for sign in WILD) and any(_hit("/" + path, globs.prefix(glob)) for glob in wanted):
        return False
    return None


def spoken_of(wanted: "list[str]", path: str, *, all_files: bool = True) -> "list[str]":
    """The globs that can mean the path: of a file outside the repository those that begin with "/", "~" or "..".

    ``**`` means such a file only with ``all_files``: what is written there is no text of the repository.
    """
    if not path.startswith(OUTSIDE):
        return wanted
    return [one for one in wanted if one.startswith(("/", "~", "..")) or (all_files and one.startswith("**"))]


def _hit(wild: str, place: str) -> bool:
    """Whether a path with wildcards may mean the place or a folder above it."""
    parts = place.split("/") if place else []
    return any(globs.match([wild], "/".join(parts[: count + 1])) for count in range(len(parts)))


def _below(glob: str, folder: str) -> bool:
    """Whether what the glob names lies in the folder."""
    start = globs.prefix(glob)
    return bool(start) and (folder in ("", start) or start.startswith(folder + "/"))


def in_scope(scope: "dict[str, Any]", path: str) -> bool:
    """Whether the rule's scope holds the path."""
    include, exclude = scope.get("include") or ["**"], scope.get("exclude") or []
    if "spared" in scope:
        from rulec.runtime import exempt  # noqa: PLC0415 (most rules have no exceptions, and pay for none)

        if exempt.spares_path(scope["spared"], path):
            return False
    return (include == ["**"] or globs.match(include, path)) and not globs.match(exclude, path)


def runs_there(check: "dict[str, Any]", event: "dict[str, Any]", call: Call) -> "bool | None":
    """Whether a command runs where the check speaks of it, as ``inside`` and ``outside`` say; None where nobody knows.

    It runs in the folder that ``cd`` and the program's own option (git -C, npm --prefix) lead to.
    """
    if not (check.get("inside") or check.get("outside")):
        return True
    from rulec.runtime import exempt  # noqa: PLC0415 (few checks ask for a place)

    led = list(exempt.led(call))
    if call.adrift or any("$" in place or "`" in place for place in led):
        return None
    folder = call.cwd
    for place in led:
        folder = join(folder, place)
    place = relative(event, folder)
    spots = [f"{place}/." if place else "."]
    root = str(event.get("root") or "")
    if root and place.startswith("/"):
        spots.append(os.path.relpath(place, root).replace("\\", "/") + "/.")  # a folder beside the repository
    within = any(globs.match(check.get("inside") or ["**"], spot) for spot in spots)
    return within and not any(globs.match(check.get("outside") or [], spot) for spot in spots)


def in_folders(scope: "dict[str, Any]", event: "dict[str, Any]", call: Call) -> bool:
    """Whether the rule's scope holds the folder in which a command runs, as far as the scope speaks of folders."""
    if "spared" in scope:
        from rulec.runtime import exempt  # noqa: PLC0415 (as above)

        if exempt.spares_call(scope["spared"], event, call):
            return False
    if call.adrift:
        return True
    place = relative(event, call.cwd) + "/."
    include = scope.get("include") or ["**"]
    folders = [glob for glob in include if glob.endswith(("/", "/**"))]
    if include != ["**"] and len(folders) == len(include) and not globs.match(folders, place.lstrip("/")):
        return False
    return not globs.match([glob for glob in scope.get("exclude") or [] if glob.endswith(("/", "/**"))], place)
