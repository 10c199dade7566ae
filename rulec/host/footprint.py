"""Which files and folders a rulebook is made of, to tell whether it is still the same without reading it."""

from collections.abc import Iterator
from os import DirEntry, scandir
from pathlib import Path

from rulec.host.worktree import RULES
from rulec.runtime import shelf


def stamp(top: Path) -> shelf.Stamp:
    """What changes when a rule, the settings or a folder of evidence does; evidence itself never changes."""
    return shelf.stamped(_paths(str(top / RULES)))


def _paths(folder: str) -> Iterator[str]:
    yield folder
    for entry in _entries(folder):
        if entry.name.endswith(".yaml") or entry.name == "archive":
            yield entry.path
        elif entry.name in ("evidence", "extends"):
            yield entry.path
            for inner in _entries(entry.path):
                if entry.name == "evidence":
                    yield inner.path
                else:
                    yield from _paths(inner.path)


def _entries(folder: str) -> list[DirEntry[str]]:
    try:
        with scandir(folder) as found:
            return sorted(found, key=lambda entry: entry.name)
    except OSError:
        return []
