"""Which of a person's own rules hold in this checkout: by the repository's names, and unless a team's rule overrules them."""

import json
import os

from rulec.checkout.worktree import common_directory, guard_stamp, open_regular
from rulec.domain.patterns import globs

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


LARGEST = 100_000  # characters of git's settings that are read


def scope_holds(scope: "dict[str, Any]", root: str) -> bool:
    """Whether a rule's scope holds the repository."""
    wanted = scope.get("projects")
    return not wanted or any(globs.match(wanted, name) for name in repository_names(root))


def repository_names(root: str) -> "list[str]":
    """The folder's name, and of each remote HOST/OWNER/NAME and all its endings."""
    found = [os.path.basename(os.path.realpath(root))]
    for url in _urls(root):
        parts = [part for part in _plain_url(url).split("/") if part]
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


def _plain_url(url: str) -> str:
    """github.com/acme/web, however that is written; of a folder its path."""
    scheme, apart, rest = url.partition("://")
    rest = rest if apart else scheme
    place, at, path = rest.partition("@") if "@" in rest.split("/")[0] else ("", "", rest)
    path = path if at else place + path
    host, colon, after = path.partition(":")
    if colon and "/" not in host:
        path = f"{host}/{after.lstrip('0123456789') if apart else after}"
    return path.removesuffix("/").removesuffix(".git")


OVERRULED = "overruled.json"  # in the git folder: which of the person's rules contradict which of the team's
SECONDS_TO_WEIGH = 10.0  # that weighing the two rulebooks may take; that is once after either has changed


def overruled_rules(root: str, home: str) -> "dict[str, str] | None":
    """Which of the person's rules lose to the team's, and why; None where nobody can say."""
    from rulec.checkout import ledger  # noqa: PLC0415 (only where a word of an action leads to a personal rule)

    path, wanted = ledger.worktree_file(root, OVERRULED), rulebooks_stamp(root, home)
    if not path:
        return None
    current, lost = load_overruled(path, wanted)
    if not current:
        from rulec.checkout import installation  # noqa: PLC0415 (only after either rulebook has changed)

        installation.ask_rulec(
            root, ["rules"], SECONDS_TO_WEIGH
        )  # it holds the two against each other before it lists them
        current, lost = load_overruled(path, wanted)
        if not current:  # once is enough, until either rulebook changes
            save_overruled(path, wanted, None)
    return lost


def rulebooks_stamp(root: str, home: str) -> str:
    """What changes when either rulebook does."""
    seen = []
    for folder in (os.path.join(root, ".rules"), os.path.join(home, ".rules")):
        try:
            found = os.stat(folder)
            seen.append(f"{found.st_mtime_ns}.{found.st_ctime_ns}.{found.st_ino}")
        except OSError:
            seen.append("")
    return " ".join([*seen, guard_stamp(root), guard_stamp(home)])


def load_overruled(path: str, wanted: str) -> "tuple[bool, dict[str, str] | None]":
    """Whether what is kept is of the two rulebooks as they are now, and what it is."""
    try:
        with open(path, encoding="utf-8", opener=open_regular) as file:
            known = json.load(file)
        slugs = known["slugs"]
        return known["stamp"] == wanted, slugs if isinstance(slugs, dict) and known["stamp"] == wanted else None
    except (OSError, ValueError, KeyError, TypeError):
        return False, None


def save_overruled(path: str, wanted: str, slugs: "dict[str, str] | None") -> None:
    """Keep what was weighed; None says that nobody could."""
    scratch = f"{path}.{os.getpid()}"
    try:
        handle = os.open(scratch, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | getattr(os, "O_NOFOLLOW", 0), 0o600)
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            json.dump({"stamp": wanted, "slugs": slugs}, file)
        os.replace(scratch, path)
    except OSError:
        return
