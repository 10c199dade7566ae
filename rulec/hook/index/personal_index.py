"""Personal rules below the team's: they may only make the agent stricter, and lose where the two contradict."""

from rulec.checkout.personal_scope import overruled_rules
from rulec.domain.enforcement import LOOSEST, refuses
from rulec.hook.index.rule_index import RuleIndex

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


class LayeredIndex:
    """An index over the team's rules, and the person's wherever those do not say otherwise."""

    def __init__(self, team: RuleIndex, home: str) -> None:
        self.team, self.home = team, home
        self.root, self.strict, self.present = team.root, team.strict, team.present
        self.own: "RuleIndex | None" = None

    @property
    def tools(self) -> bool:
        """Whether a rule judges tools by name; personal rules are read for it."""
        return self.team.tools or self._opened().tools

    def find(self, words: "list[str]") -> "tuple[list[dict[str, Any]], list[dict[str, Any]]]":
        """The rules filed under the words, and what is wrong with artifacts: (rules, faults)."""
        rules, faults = self.team.find(words)
        taken = {rule["facts"]["slug"] for rule in rules}
        try:
            return [*rules, *(rule for rule in self._own(words) if rule["facts"]["slug"] not in taken)], faults
        except Exception as error:  # noqa: BLE001 - whatever breaks here must not keep the team's rules from acting
            what = f"the personal rulebook in {self.home} cannot be asked ({type(error).__name__}: {error})"
            facts = {"slug": "personal", "on_error": "warn", "home": self.home, "scope": {}}
            return rules, [*faults, {"fault": what, "facts": facts}]

    def _own(self, words: "list[str]") -> "list[dict[str, Any]]":
        found = self._opened().find(words)[0]
        if not found:
            return []
        lost = overruled_rules(self.root, self.home)
        kept = [rule for rule in found if rule["facts"]["slug"] not in (lost or ())]
        return [{**rule, "facts": _marked(rule["facts"], self.home, sure=lost is not None)} for rule in kept]

    def _opened(self) -> RuleIndex:
        if self.own is None:
            self.own = RuleIndex(self.home, of=self.root)
            self.own.open()
        return self.own


def _marked(facts: "dict[str, Any]", home: str, *, sure: bool) -> "dict[str, Any]":
    """The facts of a personal rule; one that was not compared with the team's rules yet warns at most."""
    act = facts.get("enforcement", LOOSEST)
    told = "(personal) " + str(facts.get("statement", ""))
    return {**facts, "statement": told, "home": home, "enforcement": act if sure or not refuses(act) else "warn"}
