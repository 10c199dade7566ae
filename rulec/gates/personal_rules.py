"""A person's personal rules: their checks at this machine's gates, beside the team's."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from rulec.domain.artifact import Artifact, RuleFacts, compiled_checks, slug_of_artifact
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
        compiled = compiled_checks(rulebook_files.compiled_in_work_tree(here))
        lost = overruled_rules(top, here)
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


def overruled_rules(top: Path, here: Path) -> dict[str, str]:
    """The personal rules that yield to the team's, each with the reason; compared anew where a rulebook changed."""
    lost = personal_rulebook.stored_precedence(top, here)
    return _compare(top, here, rulebook_files.load_rulebook(top))[1] if lost is None else lost


def load_personal_layer(top: Path, team: Rulebook) -> PersonalLayer | None:
    """The personal rules that apply in a repository; None where there are none, or it is the personal rulebook."""
    here = personal_rulebook.personal_for(top)
    if here is None:
        return None
    book, lost = _compare(top, here, team)
    told = tuple(f"{slug} {personal_rulebook.PERSONAL_MARK} is not in force here: {why}" for slug, why in lost.items())
    return PersonalLayer(here=here, book=book, lost=told)


def _compare(top: Path, here: Path, team: Rulebook) -> tuple[Rulebook, dict[str, str]]:
    """The personal rules in force here and those that yield, which are stored for the hook and the next gate."""
    whole = personal_rulebook.load_personal(here)
    spoken = [rule for rule in whole.rules if personal_rulebook.is_for_repository(top, rule.scope)]
    lost = {rule.slug: why for rule in spoken if (why := _why_it_yields(rule, team))}
    personal_rulebook.store_precedence(top, here, lost)
    return replace(whole, rules=tuple(rule for rule in spoken if rule.slug not in lost)), lost


def _why_it_yields(rule: Rule, team: Rulebook) -> str:
    """Why a personal rule yields to the team's: one of the same name, or one that asks for the contrary; else ""."""
    if team.rule(rule.slug):
        return f"the team has its own {rule.slug}"
    from rulec.domain.candidate import Candidate, Draft  # noqa: PLC0415 - 50 ms, paid once after a rulebook changed
    from rulec.resolving.resolver import resolve  # noqa: PLC0415 - few people have rules of their own

    draft = Draft(checks=rule.checks, invalid=rule.invalid, valid=rule.valid, do=rule.do, scope=rule.scope)
    found = resolve(Candidate(rule=rule, drafts=(draft,) if rule.checks else ()), team)
    return f"the team's {found.slug} goes before it: {found.because}" if found.decision == "SUPERSEDE" else ""


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
