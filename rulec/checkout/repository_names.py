"""The names of a repository, for rules that hold in some of them only: its folder's, and those of its remotes."""

import os

from rulec.checkout.worktree import common_directory, open_regular
from rulec.domain.patterns import globs

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


LARGEST = 100_000  # characters of git's settings that are read


def scope_holds(scope: "dict[str, Any]", root: str) -> bool:
    """Whether a rule's scope holds the repository."""
    wanted = scope.get("projects")
    return not wanted or any(globs.match(wanted, name) for name in names_of(root))


def names_of(root: str) -> "list[str]":
    """The folder's name, and of each remote HOST/OWNER/NAME and all its endings."""
    found = [os.path.basename(os.path.realpath(root))]
    for url in _urls(root):
        parts = [part for part in _bare(url).split("/") if part]
        found += ["/".join(parts[at:]) for at in range(len(parts))]
    return list(dict.fromkeys(found))


def _urls(root: str) -> "list[str]":
    try:
        place = os.path.join(common_directory(root), "config")
        with open(place, encoding="utf-8", errors="replace", opener=open_regular) as file:
            lines = [line.strip() for line in file.read(LARGEST).splitlines()]
    except (OSError, ValueError):
        return []
    found, of_remote = [], False
    for line in lines:
        if line.startswith("["):
            of_remote = line.lower().startswith("[remote ")
        key, _, value = line.partition("=")
        if of_remote and key.strip().lower() == "url":
            found.append(value.strip().strip('"'))
    return found


def _bare(url: str) -> str:
    """github.com/acme/web, however that is written; of a folder its path."""
    scheme, apart, rest = url.partition("://")
    rest = rest if apart else scheme
    place, at, path = rest.partition("@") if "@" in rest.split("/")[0] else ("", "", rest)
    path = path if at else place + path
    host, colon, after = path.partition(":")
    if colon and "/" not in host:
        path = f"{host}/{after.lstrip('0123456789') if apart else after}"
    return path.removesuffix("/").removesuffix(".git")
