"""Which personal rules hold in a repository, and which yield to the team's."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from rulec.domain.candidate import Candidate, Draft
from rulec.domain.rule import Rule
from rulec.infra.rulebooks import personal_rulebook
from rulec.infra.rulebooks.personal_rulebook import PersonalLayer
from rulec.resolving.resolver import resolve
from rulec.rulebook.rulebook import Rulebook

Say = Callable[[str], None]


def weigh_personal_rules(top: Path, team: Rulebook) -> PersonalLayer | None:
    """The personal rules that apply in this repository; None where there are none, or it is the personal rulebook."""
    here = personal_rulebook.personal_for(top)
    if here is None:
        return None
    whole = personal_rulebook.load_personal(here)
    spoken = [rule for rule in whole.rules if personal_rulebook.is_for_repository(top, rule.scope)]
    lost = {rule.slug: why for rule in spoken if (why := _why_it_yields(rule, team))}
    personal_rulebook.store_precedence(top, here, lost)
    kept = tuple(rule for rule in spoken if rule.slug not in lost)
    told = tuple(f"{slug} {personal_rulebook.PERSONAL_MARK} is not in force here: {why}" for slug, why in lost.items())
    return PersonalLayer(here=here, book=replace(whole, rules=kept), lost=told)


def _why_it_yields(rule: Rule, team: Rulebook) -> str:
    """Why a personal rule yields to the team's: one of the same name, or one that asks for the contrary; else ""."""
    if team.rule(rule.slug):
        return f"the team has its own {rule.slug}"
    draft = Draft(checks=rule.checks, invalid=rule.invalid, valid=rule.valid, do=rule.do, scope=rule.scope)
    found = resolve(Candidate(rule=rule, drafts=(draft,) if rule.checks else ()), team)
    return f"the team's {found.slug} goes before it: {found.because}" if found.decision == "SUPERSEDE" else ""
