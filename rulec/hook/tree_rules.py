"""The rules of the work tree that an agent works in, and those of the session's first one that it lacks."""

import os

from rulec.checkout.rules_layout import GUARD
from rulec.hook.index.rule_index import RuleIndex

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


class TreeRules(RuleIndex):
    """An index over both: an old commit in a second work tree is no way out of a rule of the first."""

    def __init__(self, own: RuleIndex, first: str) -> None:
        super().__init__(own.root)
        self.own, self.first = own, RuleIndex(first)
        self.first.open()
        self.present = own.present or self.first.present
        self.strict = own.strict or self.first.strict
        self.tools = own.tools or self.first.tools

    def find(self, words: "list[str]") -> "tuple[list[dict[str, Any]], list[dict[str, Any]]]":
        """The rules filed under the words, and what is wrong with artifacts: (rules, faults)."""
        rules, faults = self.own.find(words)
        taken = {rule["facts"]["slug"] for rule in rules}
        others = [rule for rule in self.first.find(words)[0] if rule["facts"]["slug"] not in taken]
        return [*rules, *(rule for rule in others if self._lacks(rule["facts"]["slug"]))], faults

    def _lacks(self, slug: str) -> bool:
        """Whether the work tree does not have the rule in any form."""
        names = (os.path.join(".rules", f"{slug}.yaml"), os.path.join(GUARD, f"{slug}.json"))
        return not any(os.path.lexists(os.path.join(self.root, name)) for name in names)

    def close(self) -> None:
        """Let go of both."""
        self.own.close()
        self.first.close()
