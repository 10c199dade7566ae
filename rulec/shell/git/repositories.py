"""Whether a git command certainly works in a repository that is neither this one nor a clone of it."""

import os
import re

from rulec.checkout.worktree import common_directory, open_regular
from rulec.shell import action_events
from rulec.shell.command_matching import git_subcommand, is_variable
from rulec.shell.git import branches
from rulec.shell.parsing.call import Call, join_path

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from rulec.shell.written_paths import FileEffect


LEADING_OPTIONS = (
    "--git-dir",
    "--work-tree",
    "--namespace",
)  # with these git may work for a repository other than the folder's
LEADING_VARIABLES = (
    "GIT_DIR",
    "GIT_WORK_TREE",
    "GIT_COMMON_DIR",
    "GIT_NAMESPACE",
    "GIT_OBJECT_DIRECTORY",
    "GIT_CONFIG",
)  # as well
LARGEST = 100_000  # signs of a repository's configuration that are read
_URL = re.compile(r"^\s*(?:push)?url\s*=\s*(\S+)", re.MULTILINE | re.IGNORECASE)
_LEADS_ON = re.compile(r"^\s*\[(?:include|url)", re.MULTILINE | re.IGNORECASE)  # to settings and places not seen here
_HOST = re.compile(r"^(?:\w+://)?(?:[^@/]+@)?([\w.-]+)(?::\d+)?[:/]/*(.+)$")


def git_folder(call: Call) -> "str | None":
    """The folder that git works in, by its options and the call's folder; None where that is not known."""
    at, _ = git_subcommand(call.argv)
    folder = call.cwd
    for word, after in zip(call.argv[1:at], call.argv[2 : at + 1]):  # noqa: B905 (Python 3.9)
        if word.partition("=")[0] in LEADING_OPTIONS:
            return None
        folder = join_path(folder, after) if word == "-C" else folder
    unknown = (
        call.adrift or "$" in folder or "`" in folder or any(name.startswith(LEADING_VARIABLES) for name in call.env)
    )
    return None if unknown else folder


def is_other_repository(event: "dict[str, Any]", call: Call) -> bool:
    """Whether git certainly works in another repository: one that exists and shares no remote with this one."""
    world, folder = event.get("world"), git_folder(call) if call.program == "git" else None
    if not world or not folder or ("push" in call.argv and any(map(is_variable, call.argv))):
        return False
    path = action_events.relative_path(event, folder)
    if not path.startswith(("/", "~")) or not world.is_folder(path):
        return False
    top = _top_folder(os.path.realpath(world.absolute(path)))
    if not top or any(_replaces_repository(event, effect, top) for effect in action_events.touched_paths(event)):
        return False
    remotes = [
        word for one in action_events.parsed_command(event).calls if one.program == "git" for word in _remote_words(one)
    ]
    own, other = _repository_places(world.root, []), _repository_places(top, remotes)
    return bool(own and other) and not own & other


def is_new_worktree(event: "dict[str, Any]", folder: str) -> bool:
    """Whether the same text makes the folder a work tree of this repository."""
    path = action_events.relative_path(event, folder) + "/"
    calls = [
        call for call in action_events.parsed_command(event).calls if call.program == "git" and "worktree" in call.argv
    ]
    return any(path.startswith(new + "/") for call in calls for new in branches.added_worktree(event, call))


def _remote_words(call: Call) -> "Iterator[str]":
    """The words of the call that may name a remote: of -c settings, and behind the verb."""
    at, _ = git_subcommand(call.argv)
    for index, word in enumerate(call.argv[1:], 1):
        if (index >= at or "=" in word) and ("/" in word or ":" in word):
            yield word.rpartition("=")[2]


def _top_folder(folder: str) -> str:
    """The top of the work tree that a folder is of; "" where there is none."""
    while not os.path.lexists(os.path.join(folder, ".git")):
        if folder == os.path.dirname(folder):
            return ""
        folder = os.path.dirname(folder)
    return folder


def _replaces_repository(event: "dict[str, Any]", effect: "FileEffect", top: str) -> bool:
    """Whether the same text replaces the repository or its .git."""
    path = os.path.realpath(event["world"].absolute(action_events.relative_path(event, effect.path)))
    over = not effect.elsewhere and (top + "/").startswith(path + "/")
    return over or (path + "/").startswith(os.path.join(top, ".git", ""))


def _repository_places(top: str, urls: "list[str]") -> "set[str]":
    """A repository's git directory and its remotes, without protocol; empty where they are not known."""
    folder = common_directory(top)
    try:
        with open(os.path.join(folder, "config"), encoding="utf-8", errors="replace", opener=open_regular) as file:
            text = file.read(LARGEST)
    except (OSError, ValueError):
        return set()
    if _LEADS_ON.search(text):
        return set()
    return {os.path.realpath(folder), *(_plain_remote(url, top) for url in [*_URL.findall(text), *urls])}


def _plain_remote(url: str, top: str) -> str:
    """A remote's address without protocol and user: host and path, or a git directory on this disk."""
    url = url.strip("\"'")
    found = None if url.startswith(("/", ".", "~", "file:")) else _HOST.match(url)
    if found:
        return f"{found[1]}/{found[2]}".rstrip("/").removesuffix(".git").lower()
    path = os.path.realpath(os.path.join(top, os.path.expanduser(url.removeprefix("file://"))))
    return os.path.realpath(common_directory(path) or path)
