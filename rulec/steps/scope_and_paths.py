"""Whether the scope of a rule holds the files, folders and globs that a step names."""

import re
from functools import lru_cache

from rulec.domain.files import globs
from rulec.reminders import selection

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any

    Bounds = tuple[tuple[str, ...], tuple[str, ...]]  # include and exclude


EVERYTHING = "**"
EVERYWHERE: "Bounds" = ((EVERYTHING,), ())
_PLACE = re.compile(r"(?<![\w/.:@-])(?:[\w.@-]+/)+[\w.@-]*[\w@-]")
_WILD = re.compile(r"\*+|\?|\[[^\]]*\]")


def bounds_of(rule: "Mapping[str, Any]") -> "Bounds":
    """What the scope of a rule includes and excludes."""
    scope = rule.get("scope") or {}
    return tuple(scope.get("include") or (EVERYTHING,)), tuple(scope.get("exclude") or ())


def sample_of(path: str) -> str:
    """A path as the glob or folder means it."""
    return _WILD.sub("x", path) + ("x" if path.endswith("/") else "")


def inside(paths: "Sequence[str]") -> "list[str]":
    """The paths that can lie in the repository."""
    return [path for path in paths if not path.startswith(globs.OUTSIDE_PREFIXES)]


def narrowness(bounds: "Bounds", paths: "Sequence[str]") -> int:
    """How narrow a scope is that holds one of the paths: how many names of folders and files it gives."""
    matching = [glob for glob in bounds[0] if any(globs.match([glob], sample_of(path)) for path in paths)]
    return max((_names_given(glob) for glob in matching or bounds[0]), default=0)


@lru_cache(maxsize=4096)
def _names_given(glob: str) -> int:
    """Each folder or file that is named counts two, one of which a part is left open counts one."""
    parts = [part for part in glob.split("/") if part]
    return sum(2 - bool(_WILD.search(part)) for part in parts if part.strip("*"))


def without_paths(text: str, paths: "Sequence[str]") -> str:
    """The text of a step without the paths that it names."""
    for path in paths:
        text = text.replace(path, " ")
    return text


def places_in(text: str) -> "list[str]":
    """What in a text may be a folder of the repository, though nothing but its slash says so."""
    return [word.strip("/") for word in _PLACE.findall(text)]


def holds_any(bounds: "Bounds", paths: "Sequence[str]") -> "bool | None":
    """Whether a scope that does not include everything holds one of the paths; None where nothing follows from them.

    False where it holds none of them, whatever it includes.
    """
    include, exclude = bounds
    wide = EVERYTHING in include
    if not paths or (wide and not exclude):
        return None
    held = [_holds(include, exclude, path) for path in paths]
    if all(one is False for one in held):
        return False
    return True if True in held and not wide else None


@lru_cache(maxsize=8192)
def _holds(include: "tuple[str, ...]", exclude: "tuple[str, ...]", path: str) -> "bool | None":
    """Whether a scope holds a path; None where it may hold some of a folder, or of what a glob names."""
    scope = {"include": list(include), "exclude": list(exclude)}
    wild, name = bool(_WILD.search(path)), path.rpartition("/")[2]
    if name and selection.concerns_path(scope, sample_of(path)):
        return True
    if "." in name and not wild:  # a file; another name may be a folder's
        return False
    folder = globs.literal_folder(path) if wild else path.rstrip("/")
    if not folder:
        return None
    if not selection.concerns_path(scope, f"{folder}/"):
        return False
    ending = name.rpartition(".")[2] if wild and "." in name else ""
    if not ending:
        return True if any(map(globs.literal_folder, include)) else None
    alike = [glob for glob in include if glob.endswith((f".{ending}", "*", "/")) or "." not in glob]
    return None if alike else False
