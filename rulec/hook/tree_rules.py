"""Rules of the work tree or repository in which an action is done, where those of another one judge the call."""

from __future__ import annotations

import os

from rulec.checkout.rules_layout import GUARD
from rulec.checkout.worktree import Worktree, resolved
from rulec.domain.compiled_rule import DependencyCheck, PathCheck, TextCheck
from rulec.guard import decision
from rulec.hook import other_trees
from rulec.hook.compiled_rules import CompiledRules
from rulec.hook.tool_call import event_of
from rulec.shell import action_events
from rulec.shell.action_events import FILE_KINDS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from rulec.agents.protocol.agent_spec import ToolAction
    from rulec.domain.compiled_rule import EventFinding, GuardCheck
    from rulec.hook.compiled_rules import Found
    from rulec.shell.action_events import Event


FIRST_TREE = "the work tree in which the session began"
OF_FILES: tuple[type[GuardCheck], ...] = (PathCheck, TextCheck, DependencyCheck)


class TreeRules(CompiledRules):
    """The rules of both: an old commit in a second work tree is no way out of a rule of the first."""

    def __init__(self, own: CompiledRules, first: str) -> None:
        super().__init__(own.root)
        self.own, self.first = own, CompiledRules(first, whose=FIRST_TREE)
        self.first.load()
        self.strict = own.strict or self.first.strict

    @property
    def present(self) -> bool:
        """Whether either has compiled guards."""
        return self.own.present or self.first.present

    @property
    def tools(self) -> bool:
        """Whether a rule of either judges tools by their names."""
        return self.own.tools or self.first.tools

    def find(self, words: set[str]) -> Found:
        """The rules that the words lead to, as they are in effect here, and what is wrong with artifacts."""
        rules, faults = self.own.find(words)
        taken = {rule.facts.slug for rule in rules}
        others = [rule for rule in self.first.find(words)[0] if rule.facts.slug not in taken]
        return [*rules, *(rule for rule in others if self._lacks(rule.facts.slug))], faults

    def _lacks(self, slug: str) -> bool:
        """Whether the work tree does not have the rule in any form."""
        names = (os.path.join(".rules", f"{slug}.yaml"), os.path.join(GUARD, f"{slug}.json"))
        return not any(os.path.lexists(os.path.join(self.root, name)) for name in names)


def judge_where_files_lie(
    action: ToolAction, event: Event, root: str, after: Mapping[str, object] | None = None
) -> list[EventFinding]:
    """What rules on files have against the action in trees other than the root's; ``after`` is what an edit gave."""
    found: list[EventFinding] = []
    cwd = os.path.join(event.root, event.cwd)
    for tree in _trees_written(event, root)[: other_trees.MOST_TREES]:
        world = Worktree(tree)
        seen = event_of(action, world, cwd).but(agent=event.agent, environment=event.environment)
        if after is not None:
            from rulec.hook import after_edit  # noqa: PLC0415 (only where an edit happened)

            seen = after_edit.event_after(seen, after)
        rules = other_trees.own_rules(tree, root, seen, (TextCheck,) if after is not None else OF_FILES)
        found += other_trees.marked(decision.decide(rules, seen), world, seen if after is None else None)
    return found


def _trees_written(event: Event, root: str) -> list[str]:
    """The trees with rules of their own, other than the root's, in which the action writes or deletes files."""
    if event.kind in FILE_KINDS:
        named = [event.path]
    elif event.kind == "command":
        effects = action_events.touched_paths(event)
        named = [action_events.relative_path(event, one.path) for one in effects]
    else:
        return []
    places = dict.fromkeys(os.path.dirname(resolved(event.here.absolute(path))) for path in named if path)
    home = Worktree(root)
    return [tree for tree in dict.fromkeys(other_trees.other_tree(home, place) for place in places) if tree]
