"""Personal rules below the team's: they may only make the agent stricter, and lose where the two contradict."""

from __future__ import annotations

from rulec.checkout.personal_scope import overruled_rules
from rulec.domain.compiled_rule import EventFinding, Facts
from rulec.domain.enforcement import refuses
from rulec.guard.precedence import PERSONAL
from rulec.hook.compiled_rules import CompiledRules

TYPE_CHECKING = False
if TYPE_CHECKING:
    from rulec.domain.compiled_rule import CompiledRule
    from rulec.hook.compiled_rules import Found


class LayeredRules(CompiledRules):
    """The team's rules, and the person's wherever those do not say otherwise."""

    def __init__(self, team: CompiledRules, home: str) -> None:
        super().__init__(team.root)
        self.team, self.home, self.strict = team, home, team.strict
        self.own: CompiledRules | None = None

    @property
    def present(self) -> bool:
        """Whether the team has compiled guards."""
        return self.team.present

    @property
    def tools(self) -> bool:
        """Whether a rule judges tools by name; personal rules are read for it."""
        return self.team.tools or self._loaded().tools

    def find(self, words: set[str]) -> Found:
        """The rules that the words lead to, as they are in effect here, and what is wrong with artifacts."""
        rules, faults = self.team.find(words)
        taken = {rule.facts.slug for rule in rules}
        try:
            return [*rules, *(rule for rule in self._own(words) if rule.facts.slug not in taken)], faults
        except Exception as error:  # noqa: BLE001 - whatever breaks here must not keep the team's rules from acting
            what = f"the personal rulebook in {self.home} cannot be asked ({type(error).__name__}: {error})"
            facts = Facts(slug=PERSONAL, home=self.home)
            return rules, [*faults, EventFinding(facts=facts, fault=what)]

    def _own(self, words: set[str]) -> list[CompiledRule]:
        found = self._loaded().find(words)[0]
        if not found:
            return []
        lost = overruled_rules(self.root, self.home)
        kept = [rule for rule in found if rule.facts.slug not in (lost or ())]
        return [rule.but(facts=_marked(rule.facts, self.home, sure=lost is not None)) for rule in kept]

    def _loaded(self) -> CompiledRules:
        if self.own is None:
            self.own = CompiledRules(self.home, of=self.root)
            self.own.load()
        return self.own


def _marked(facts: Facts, home: str, *, sure: bool) -> Facts:
    """The facts of a personal rule; one that was not compared with the team's rules yet warns at most."""
    act = facts.enforcement if sure or not refuses(facts.enforcement) else "warn"
    return facts.but(statement=f"(personal) {facts.statement}", home=home, layer=PERSONAL, enforcement=act)
