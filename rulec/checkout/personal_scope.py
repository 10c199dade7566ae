"""Which of a person's rules hold in this checkout: by the repository's names, and unless the team overrules them."""

from __future__ import annotations

import json
import os

from rulec.checkout import private_files
from rulec.checkout.worktree import common_directory, git_directory, guard_stamp, open_regular, state_directory
from rulec.domain.files import globs

LARGEST = 100_000  # characters of git's settings that are read


def scope_holds(wanted: tuple[str, ...], root: str) -> bool:
    """Whether a rule that holds in these projects holds in the repository."""
    return not wanted or any(globs.match(wanted, name) for name in repository_names(root))


def repository_names(root: str) -> list[str]:
    """The folder's name, and each remote as HOST/OWNER/NAME, OWNER/NAME and NAME."""
    found = [os.path.basename(os.path.realpath(root))]
    for url in _urls(root):
        parts = [part for part in _plain_url(url).split("/") if part]
        found += ["/".join(parts[at:]) for at in range(len(parts))]
    return list(dict.fromkeys(found))


def _urls(root: str) -> list[str]:
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
    """A remote's URL as github.com/acme/web; a folder as its path."""
    scheme, apart, rest = url.partition("://")
    rest = rest if apart else scheme
    place, at, path = rest.partition("@") if "@" in rest.split("/")[0] else ("", "", rest)
    path = path if at else place + path
    host, colon, after = path.partition(":")
    if colon and "/" not in host:
        path = f"{host}/{after.lstrip('0123456789') if apart else after}"
    return path.removesuffix("/").removesuffix(".git")


_OVERRULED = "overruled.json"  # in the git directory: which of the person's rules contradict which of the team's
_SECONDS_TO_WEIGH = 10.0  # that weighing the two rulebooks may take; that is once after either has changed


def overruled_rules(root: str, home: str) -> dict[str, str] | None:
    """Which of the person's rules lose to the team's, and why; None where nobody can say."""
    if not git_directory(root):
        return None
    current, lost = load_overruled(root, home)
    if not current:
        from rulec.checkout import installation  # noqa: PLC0415 (only after either rulebook has changed)

        installation.ask_rulec(root, ["rules"], _SECONDS_TO_WEIGH)  # it weighs the two before it lists them
        current, lost = load_overruled(root, home)
        if not current:  # once is enough, until either rulebook changes
            save_overruled(root, home, None)
    return lost


def load_overruled(root: str, home: str) -> tuple[bool, dict[str, str] | None]:
    """Whether what is stored is of the two rulebooks as they are now, and what it is."""
    known = private_files.read_json(os.path.join(state_directory(root), _OVERRULED))
    current, slugs = known.get("stamp") == _rulebooks_stamp(root, home), known.get("slugs")
    return current, slugs if current and isinstance(slugs, dict) else None


def save_overruled(root: str, home: str, slugs: dict[str, str] | None) -> None:
    """Store what was found; None says that nobody could."""
    known = {"stamp": _rulebooks_stamp(root, home), "slugs": slugs}
    private_files.store_file(os.path.join(state_directory(root), _OVERRULED), json.dumps(known).encode())


def _rulebooks_stamp(root: str, home: str) -> str:
    """What changes when either rulebook does."""
    seen = []
    for folder in (os.path.join(root, ".rules"), os.path.join(home, ".rules")):
        try:
            found = os.stat(folder)
            seen.append(f"{found.st_mtime_ns}.{found.st_ctime_ns}.{found.st_ino}")
        except OSError:
            seen.append("")
    return " ".join([*seen, guard_stamp(root), guard_stamp(home)])
