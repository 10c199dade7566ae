"""The rules of the work tree that an agent works in, and those of the session's first one that it lacks."""

from __future__ import annotations

import os

from rulec.checkout.rules_layout import GUARD
from rulec.hook.compiled_rules import CompiledRules

TYPE_CHECKING = False
if TYPE_CHECKING:
    from rulec.hook.compiled_rules import Found


class TreeRules(CompiledRules):
    """The rules of both: an old commit in a second work tree is no way out of a rule of the first."""

    def __init__(self, own: CompiledRules, first: str) -> None:
        super().__init__(own.root)
        self.own, self.first = own, CompiledRules(first)
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
        taken = {rule["facts"]["slug"] for rule in rules}
        others = [rule for rule in self.first.find(words)[0] if rule["facts"]["slug"] not in taken]
        return [*rules, *(rule for rule in others if self._lacks(rule["facts"]["slug"]))], faults

    def _lacks(self, slug: str) -> bool:
        """Whether the work tree does not have the rule in any form."""
        names = (os.path.join(".rules", f"{slug}.yaml"), os.path.join(GUARD, f"{slug}.json"))
        return not any(os.path.lexists(os.path.join(self.root, name)) for name in names)
