"""Which folder a command works in, and which work tree that is: by the command, and by the disk where there is one."""

from __future__ import annotations

import os

from rulec.checkout.worktree import Worktree, is_same_repository, tree_top
from rulec.shell import action_events
from rulec.shell.command_matching import git_subcommand, option_folders
from rulec.shell.parsing.call import Call, join_path

TYPE_CHECKING = False
if TYPE_CHECKING:
    from rulec.shell.action_events import Event


LEADING_OPTIONS = ("--git-dir", "--work-tree", "--namespace")  # git may work for another repository than the folder's
LEADING_VARIABLES = ("GIT_DIR", "GIT_WORK_TREE", "GIT_COMMON_DIR")  # as well


def call_folder(call: Call) -> str | None:
    """The folder that a command works in, by cd and its program's own option; None where that is not known."""
    folder = call.cwd
    for place in option_folders(call):
        if "$" in place or "`" in place:
            return None
        folder = join_path(folder, place)
    return None if call.adrift else folder


def git_folder(call: Call) -> str | None:
    """The folder that git works in, by its options and the call's folder; None where that is not known."""
    at, _ = git_subcommand(call.argv)
    led = any(word.partition("=")[0] in LEADING_OPTIONS for word in call.argv[1:at])
    led = led or any(name.startswith(LEADING_VARIABLES) for name in call.env)
    folder = None if led else call_folder(call)
    return None if folder is None or "$" in folder or "`" in folder else folder


def git_tree(event: Event, call: Call) -> str | None:
    """The work tree that git works in: "" for the event's own, another's root as a path; None where it is not known.

    A submodule's and a nested clone's are their own. Where no disk is at hand all that lies inside is one work tree.
    """
    folder = git_folder(call)
    if folder is None:
        return None
    world, place = event.world, action_events.relative_path(event, folder)
    outside = place if place.startswith(("/", "~", "../")) else ""
    if not world or place in ("", "."):
        return outside
    top = tree_top(world.absolute(place))
    if top and os.path.realpath(top) == os.path.realpath(world.top or world.root):
        return ""
    return top or outside


def world_of_git(event: Event, call: Call) -> Worktree | None:
    """The work tree that git works in, of whichever repository; the event's own where it is not known."""
    top = git_tree(event, call)
    return Worktree(top) if top and event.world else event.world


def works_in_other_repository(event: Event, call: Call) -> bool:
    """Whether git works in a repository that is not this one, as far as that is known."""
    top = git_tree(event, call)
    return bool(top) and not is_same_repository(event.here.root, top or "")


def own_tree(event: Event, call: Call) -> Worktree | None:
    """The work tree of this repository that git works in; None where it works in another, or where is not known."""
    top, world = git_tree(event, call), event.here
    if top is None or (top and not is_same_repository(world.root, top)):
        return None
    tree: Worktree = world.tree_at(top) if top else world
    return tree
