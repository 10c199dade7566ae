"""Trees with rules of their own beside the one whose rules judge, and what these have against commands run in them."""

from __future__ import annotations

import os

from rulec.checkout.rules_layout import GUARD
from rulec.checkout.worktree import Worktree, is_bare, resolved, tree_top
from rulec.hook.compiled_rules import rules_of_tree
from rulec.shell import action_events
from rulec.shell.git import folders

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from rulec.shell.parsing.call import Call

    Event = dict[str, Any]
    Seen = list[tuple[Event, Event]]  # findings, each with its rule's facts


OF_COMMANDS = ("command", "dependency", "session")
MOST_TREES = 5  # that one call writes or runs in


def judge_where_commands_run(
    event: Event, root: str, judge: Callable[[list[dict[str, Any]], Event], list[Event]]
) -> Seen:
    """What the rules of trees other than the root's have against the commands of an action that run in them."""
    found: Seen = []
    cwd = os.path.join(event["root"], event["cwd"])
    kept = {key: value for key, value in event.items() if key != "_acts"}  # found for the event's own tree
    for tree, calls in list(_trees_entered(event, root).items())[:MOST_TREES]:
        world = Worktree(tree)
        seen = {**kept, "root": tree, "world": world, "cwd": world.relative(os.path.normpath(cwd)), "judged": calls}
        rules = own_rules(tree, root, seen, OF_COMMANDS)
        found += marked(judge(rules, seen), rules, world, seen)
    return found


def own_rules(tree: str, root: str, event: Event, kinds: tuple[str, ...]) -> list[dict[str, Any]]:
    """The rules of another tree that may judge an event of it."""
    rules = rules_of_tree(tree, os.path.relpath(tree, root)).for_event(event)[0]
    return [rule for rule in rules if rule["check"]["on"] in kinds]


def marked(found: list[Event], rules: list[dict[str, Any]], world: Worktree, event: Event | None) -> Seen:
    """The findings, those that the tree excepts marked, each with its rule's facts."""
    if found:
        from rulec.hook import excepted_findings  # noqa: PLC0415 (only where something was found)

        excepted_findings.mark_excepted(found, world, event)
    facts = {rule["facts"]["slug"]: rule["facts"] for rule in rules}
    return [(one, facts[one["slug"]]) for one in found]


def _trees_entered(event: Event, root: str) -> dict[str, list[Call]]:
    """The commands that run in trees with rules of their own, other than the root's, by these trees."""
    found: dict[str, list[Call]] = {}
    home = Worktree(root)
    for call in action_events.parsed_command(event).calls:
        folder = folders.call_folder(call)
        place = "" if folder is None else action_events.relative_path(event, folder)
        tree = other_tree(home, resolved(event["world"].absolute(place))) if place else ""
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
