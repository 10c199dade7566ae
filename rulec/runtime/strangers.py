"""Other repositories: whether a git command surely works in one that is not this one, nor a clone of it."""

import os
import re

from rulec.runtime import branches, events, paths
from rulec.runtime.call import Call, join
from rulec.runtime.carriers import options
from rulec.runtime.elsewhere import VALUED
from rulec.runtime.match import variable
from rulec.runtime.world import common_folder, plain

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from rulec.runtime.effect import Effect

TOLD = ("--git-dir", "--work-tree", "--namespace")  # with these git may work for a repository other than the folder's
SET = ("GIT_DIR", "GIT_WORK_TREE", "GIT_COMMON_DIR", "GIT_NAMESPACE", "GIT_OBJECT_DIRECTORY", "GIT_CONFIG")  # as well
LARGEST = 100_000  # signs of a repository's configuration that are read
_URL = re.compile(r"^\s*(?:push)?url\s*=\s*(\S+)", re.MULTILINE | re.IGNORECASE)
_LEADS_ON = re.compile(r"^\s*\[(?:include|url)", re.MULTILINE | re.IGNORECASE)  # to settings and places not seen here
_HOST = re.compile(r"^(?:\w+://)?(?:[^@/]+@)?([\w.-]+)(?::\d+)?[:/]/*(.+)$")


def place(call: Call) -> "str | None":
    """The folder that git works in, as its own options and the folder of the call say; None where nobody knows."""
    at = options(call.argv, 1, VALUED)
    folder = call.cwd
    for word, after in zip(call.argv[1:at], call.argv[2 : at + 1]):  # noqa: B905 (Python 3.9)
        if word.partition("=")[0] in TOLD:
            return None
        folder = join(folder, after) if word == "-C" else folder
    unknown = call.adrift or "$" in folder or "`" in folder or any(name.startswith(SET) for name in call.env)
    return None if unknown else folder


def foreign(event: "dict[str, Any]", call: Call) -> bool:
    """Whether git surely works in another repository: one that is there, and shares no remote with this one."""
    world, folder = event.get("world"), place(call) if call.program == "git" else None
    if not world or not folder or ("push" in call.argv and any(map(variable, call.argv))):
        return False
    path = paths.relative(event, folder)
    if not path.startswith(("/", "~")) or not world.is_folder(path):
        return False
    top = _top(os.path.realpath(world.absolute(path)))
    if not top or any(_moves(event, effect, top) for effect in events.touched(event)):
        return False
    told = [word for one in events.parsed(event).calls if one.program == "git" for word in _told(one)]
    own, other = _places(world.root, []), _places(top, told)
    return bool(own and other) and not own & other


def is_new_tree(event: "dict[str, Any]", folder: str) -> bool:
    """Whether the same text makes the folder a work tree of this repository."""
    path = paths.relative(event, folder) + "/"
    calls = [call for call in events.parsed(event).calls if call.program == "git" and "worktree" in call.argv]
    return any(path.startswith(new + "/") for call in calls for new in branches.added(event, call))


def _told(call: Call) -> "Iterator[str]":
    """The words that may name a remote, of settings that the command brings and behind its verb."""
    at = options(call.argv, 1, VALUED)
    for index, word in enumerate(call.argv[1:], 1):
        if (index >= at or "=" in word) and ("/" in word or ":" in word):
            yield word.rpartition("=")[2]


def _top(folder: str) -> str:
    """The top of the work tree that a folder is of; "" where there is none."""
    while not os.path.lexists(os.path.join(folder, ".git")):
        if folder == os.path.dirname(folder):
            return ""
        folder = os.path.dirname(folder)
    return folder


def _moves(event: "dict[str, Any]", effect: "Effect", top: str) -> bool:
    """Whether the same text puts something in the place of the repository, or of what makes it one."""
    path = os.path.realpath(event["world"].absolute(paths.relative(event, effect.path)))
    over = not effect.elsewhere and (top + "/").startswith(path + "/")
    return over or (path + "/").startswith(os.path.join(top, ".git", ""))


def _places(top: str, urls: "list[str]") -> "set[str]":
    """Where a repository lies, and what it fetches from and pushes to, by any protocol; empty where nobody knows."""
    folder = common_folder(top)
    try:
        with open(os.path.join(folder, "config"), encoding="utf-8", errors="replace", opener=plain) as file:
            text = file.read(LARGEST)
    except (OSError, ValueError):
        return set()
    if _LEADS_ON.search(text):
        return set()
    return {os.path.realpath(folder), *(_plainly(url, top) for url in [*_URL.findall(text), *urls])}


def _plainly(url: str, top: str) -> str:
    """A remote's place without protocol and person: host and path, or the git folder on this disk."""
    url = url.strip("\"'")
    found = None if url.startswith(("/", ".", "~", "file:")) else _HOST.match(url)
    if found:
        return f"{found[1]}/{found[2]}".rstrip("/").removesuffix(".git").lower()
    path = os.path.realpath(os.path.join(top, os.path.expanduser(url.removeprefix("file://"))))
    return os.path.realpath(common_folder(path) or path)
