"""A person's personal rules: their checks at this machine's gates, beside the team's."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from rulec.domain.artifact import Artifact, slug_of_artifact
from rulec.domain.compile_plan import RuleFacts
from rulec.domain.finding import Verdict
from rulec.domain.rule import Rule
from rulec.errors import RulecError
from rulec.gates.findings.verdicts import facts_by_slug
from rulec.infra.rulebooks import personal_rulebook, rulebook_files
from rulec.infra.rulebooks.personal_rulebook import PersonalLayer
from rulec.rulebook.rulebook import Rulebook

Say = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class PersonalChecks:
    """The compiled checks of the personal rules that hold in a repository."""

    artifacts: tuple[Artifact, ...] = ()
    slugs: frozenset[str] = field(default_factory=frozenset)

    def marked(self, verdicts: Sequence[Verdict]) -> list[Verdict]:
        """The verdicts, with those of personal rules marked."""
        return [replace(v, facts=self._marked(v)) if v.facts.slug in self.slugs else v for v in verdicts]

    def _marked(self, verdict: Verdict) -> RuleFacts:
        return replace(verdict.facts, statement=f"{personal_rulebook.PERSONAL_MARK} {verdict.facts.statement}")


NO_PERSONAL_CHECKS = PersonalChecks()


def personal_checks(top: Path, team: Sequence[Artifact], complain: Say) -> PersonalChecks:
    """The personal rulebook's checks beside the team's; a damaged personal rulebook never blocks a team's commit."""
    try:
        here = personal_rulebook.personal_for(top)
        if here is None:
            return NO_PERSONAL_CHECKS
        compiled = rulebook_files.compiled_checks(rulebook_files.compiled_in_work_tree(here))
        lost = personal_rulebook.stored_precedence(top, here)
        if lost is None:
            load_personal_layer(top, rulebook_files.load_rulebook(top))
            lost = personal_rulebook.stored_precedence(top, here) or {}
        facts = facts_by_slug(compiled)
    except RulecError as error:
        complain(f"your personal rules were not asked: {error}")
        return NO_PERSONAL_CHECKS
    taken = {*lost, *(slug_of_artifact(artifact.path) for artifact in team)}
    held = frozenset(
        slug
        for slug, fact in facts.items()
        if slug not in taken and personal_rulebook.is_for_repository(top, fact.scope)
    )
    return PersonalChecks(tuple(artifact for artifact in compiled if slug_of_artifact(artifact.path) in held), held)


def load_personal_layer(top: Path, team: Rulebook) -> "PersonalLayer | None":
    """The personal rules that apply in a repository; None where the person has no rulebook."""
    if personal_rulebook.personal_for(top) is None:
        return None
    from rulec.gates import personal_precedence  # noqa: PLC0415 - 50 ms that a gate pays once after a rulebook changed

    return personal_precedence.weigh_personal_rules(top, team)


def holding_repository(top: Path, slug: str) -> Path:
    """The repository whose rulebook has a rule: the team's, else the person's where it has that rule."""
    here = personal_rulebook.personal_for(top)
    return (
        here
        if here
        and not rulebook_files.load_rulebook(top).rule(slug)
        and personal_rulebook.load_personal(here).rule(slug)
        else top
    )


def layer_lines(top: Path, rule: Rule) -> list[str]:
    """A line that says whose rule it is, none for the team's."""
    if top == personal_rulebook.personal_folder():
        return [f"# personal: {top}"]
    return [f"# {rule.layer}"] if rule.layer != "team" else []
