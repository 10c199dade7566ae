"""Whether a git command certainly works in a repository that is neither this one nor a clone of it."""

from __future__ import annotations

import os
import re

from rulec.checkout.worktree import common_directory, open_regular, tree_top
from rulec.shell import action_events
from rulec.shell.command_matching import git_subcommand, is_variable
from rulec.shell.git import branches, folders
from rulec.shell.parsing.call import Call

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from rulec.shell.written_paths import FileEffect


LARGEST = 100_000  # signs of a repository's configuration that are read
_URL = re.compile(r"^\s*(?:push)?url\s*=\s*(\S+)", re.MULTILINE | re.IGNORECASE)
_LEADS_ON = re.compile(r"^\s*\[(?:include|url)", re.MULTILINE | re.IGNORECASE)  # to settings and places not seen here
_HOST = re.compile(r"^(?:\w+://)?(?:[^@/]+@)?([\w.-]+)(?::\d+)?[:/]/*(.+)$")


def is_other_repository(event: dict[str, Any], call: Call) -> bool:
    """Whether git certainly works in another repository: one that exists and shares no remote with this one."""
    world, folder = event.get("world"), folders.git_folder(call) if call.program == "git" else None
    if not world or not folder or ("push" in call.argv and any(map(is_variable, call.argv))):
        return False
    if any(name.startswith(folders.REMOTE_VARIABLES) for name in call.env):
        return False
    path = action_events.relative_path(event, folder)
    if not path.startswith(("/", "~")) or not world.is_folder(path):
        return False
    top = tree_top(os.path.realpath(world.absolute(path)))
    if not top or any(_replaces_repository(event, effect, top) for effect in action_events.touched_paths(event)):
        return False
    remotes = [
        word for one in action_events.parsed_command(event).calls if one.program == "git" for word in _remote_words(one)
    ]
    own, other = _repository_places(world.root, []), _repository_places(top, remotes)
    return bool(own and other) and not own & other


def is_new_worktree(event: dict[str, Any], folder: str) -> bool:
    """Whether the same text makes the folder a work tree of this repository."""
    path = action_events.relative_path(event, folder) + "/"
    calls = [
        call for call in action_events.parsed_command(event).calls if call.program == "git" and "worktree" in call.argv
    ]
    return any(path.startswith(new + "/") for call in calls for new in branches.added_worktree(event, call))


def _remote_words(call: Call) -> Iterator[str]:
    """The words of the call that may name a remote: of -c settings, and behind the verb."""
    at, _ = git_subcommand(call.argv)
    for index, word in enumerate(call.argv[1:], 1):
        if (index >= at or "=" in word) and ("/" in word or ":" in word):
            yield word.rpartition("=")[2]


def _replaces_repository(event: dict[str, Any], effect: FileEffect, top: str) -> bool:
    """Whether the same text replaces the repository or its .git."""
    path = os.path.realpath(event["world"].absolute(action_events.relative_path(event, effect.path)))
    over = not effect.elsewhere and (top + "/").startswith(path + "/")
    return over or (path + "/").startswith(os.path.join(top, ".git", ""))


def _repository_places(top: str, urls: list[str]) -> set[str]:
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
