"""The person's own rules at this machine's gates, beside the team's."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING

from rulec.commands._verdicts import facts_of
from rulec.errors import RulecError
from rulec.host import personal, worktree
from rulec.model.artifact import Artifact, compiled_from
from rulec.model.finding import Verdict
from rulec.model.plan import Facts
from rulec.model.rule import Rule
from rulec.model.rulebook import Rulebook

if TYPE_CHECKING:
    from rulec.commands._own import Own

Say = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class Checks:
    """The compiled checks of the personal rules that hold in a repository."""

    artifacts: tuple[Artifact, ...] = ()
    slugs: frozenset[str] = field(default_factory=frozenset)

    def marked(self, verdicts: Sequence[Verdict]) -> list[Verdict]:
        """Verdicts that say which of them are by personal rules."""
        return [replace(v, facts=self._marked(v)) if v.facts.slug in self.slugs else v for v in verdicts]

    def _marked(self, verdict: Verdict) -> Facts:
        return replace(verdict.facts, statement=f"{personal.MARK} {verdict.facts.statement}")


NONE = Checks()


def checks(top: Path, team: Sequence[Artifact], complain: Say) -> Checks:
    """What the personal rulebook checks here beside these; whatever is wrong with it keeps no commit of the team's."""
    try:
        here = personal.seen_from(top)
        if here is None:
            return NONE
        compiled = worktree.compiled(worktree.compiled_at_hand(here))
        lost = personal.weighed(top, here)
        if lost is None:
            layer(top, worktree.load(top))
            lost = personal.weighed(top, here) or {}
        facts = facts_of(compiled)
    except RulecError as error:
        complain(f"your personal rules were not asked: {error}")
        return NONE
    taken = {*lost, *(compiled_from(artifact.path) for artifact in team)}
    held = frozenset(slug for slug, fact in facts.items() if slug not in taken and personal.speaks_of(top, fact.scope))
    return Checks(tuple(artifact for artifact in compiled if compiled_from(artifact.path) in held), held)


def layer(top: Path, team: Rulebook) -> "Own | None":
    """What the personal rulebook says about a repository; None where the person has none."""
    if personal.seen_from(top) is None:
        return None
    from rulec.commands import _own  # noqa: PLC0415 - 50 ms that a gate pays once after a rulebook changed

    return _own.own(top, team)


def holder(top: Path, slug: str) -> Path:
    """The repository whose rulebook holds a rule: the team's, else the person's where that has it."""
    here = personal.seen_from(top)
    return here if here and not worktree.load(top).rule(slug) and personal.book(here).rule(slug) else top


def told(top: Path, rule: Rule) -> list[str]:
    """Whose a rule is, in a line, where it is not the team's own."""
    if top == personal.place():
        return [f"# personal: {top}"]
    return [f"# {rule.layer}"] if rule.layer != "team" else []
