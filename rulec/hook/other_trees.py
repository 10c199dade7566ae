"""Trees with rules of their own beside the one whose rules judge, and what these have against commands run in them."""

from __future__ import annotations

import os

from rulec.checkout.rules_layout import GUARD
from rulec.checkout.worktree import Worktree, is_bare, resolved, tree_top
from rulec.domain.compiled_rule import CommandCheck, DependencyCheck, SessionCheck
from rulec.hook.compiled_rules import rules_of_tree
from rulec.shell import action_events
from rulec.shell.git import folders

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from rulec.domain.compiled_rule import CompiledRule, EventFinding, GuardCheck
    from rulec.shell.action_events import Event
    from rulec.shell.parsing.call import Call


OF_COMMANDS = (CommandCheck, DependencyCheck, SessionCheck)
MOST_TREES = 5  # that one call writes or runs in


def judge_where_commands_run(
    event: Event, root: str, judge: Callable[[list[CompiledRule], Event], list[EventFinding]]
) -> list[EventFinding]:
    """What the rules of trees other than the root's have against the commands of an action that run in them."""
    found: list[EventFinding] = []
    cwd = os.path.join(event.root, event.cwd)
    for tree, calls in list(_trees_entered(event, root).items())[:MOST_TREES]:
        world = Worktree(tree)
        # acts were found for the event's own tree
        seen = event.but(root=tree, world=world, cwd=world.relative(os.path.normpath(cwd)), judged=calls, acts=None)
        found += marked(judge(own_rules(tree, root, seen, OF_COMMANDS), seen), world, seen)
    return found


def own_rules(tree: str, root: str, event: Event, kinds: tuple[type[GuardCheck], ...]) -> list[CompiledRule]:
    """The rules of another tree that may judge an event of it."""
    rules = rules_of_tree(tree, os.path.relpath(tree, root)).for_event(event)[0]
    return [rule for rule in rules if isinstance(rule.check, kinds)]


def marked(found: list[EventFinding], world: Worktree, event: Event | None) -> list[EventFinding]:
    """The findings, those that the tree excepts marked."""
    if found:
        from rulec.hook import outcomes  # noqa: PLC0415 (only where something was found)

        outcomes.mark_excepted(found, world, event)
    return found


def _trees_entered(event: Event, root: str) -> dict[str, list[Call]]:
    """The commands that run in trees with rules of their own, other than the root's, by these trees."""
    found: dict[str, list[Call]] = {}
    home = Worktree(root)
    for call in action_events.parsed_command(event).calls:
        folder = folders.call_folder(call)
        place = "" if folder is None else action_events.relative_path(event, folder)
        tree = other_tree(home, resolved(event.here.absolute(place))) if place else ""
        if tree:
            found.setdefault(tree, []).append(call)
    return found


def other_tree(home: Worktree, folder: str) -> str:
    """The root of the tree that a folder lies in, where it is another one than ours and may have rules; else ""."""
    top = tree_top(folder)
    if not top or os.path.realpath(top) == os.path.realpath(home.top or home.root) or is_bare(top):
        return ""
    tree = home.tree_at(folder)
    return tree.root if tree is not home else top if os.path.isdir(os.path.join(top, GUARD)) else ""
