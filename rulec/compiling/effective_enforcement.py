"""How strict a rule's checks may be, and why no stricter: decided here and nowhere else."""

from rulec.domain.enforcement import Enforcement, at_most
from rulec.domain.rule import INDEPENDENT_SOURCES, Example, Rule

MADE_FROM_THE_CHECK = "audits only: its examples were made from the check itself; add one of yours: rulec edit {slug}"


def is_independent(example: Example) -> bool:
    """Whether an example was not derived from the check; one without a source was written by a person."""
    return not example.source or example.source in INDEPENDENT_SOURCES


def has_only_own_examples(rule: Rule) -> bool:
    """Whether all invalid examples were derived from the check: they prove its template, never the rule."""
    return bool(rule.invalid) and not any(map(is_independent, rule.invalid))


def machine_enforcement(rule: Rule, *, active: bool, proved: bool) -> Enforcement:
    """The enforcement of a check: audit unless proved by independent examples, then as pinned or as evidence allows."""
    if not proved or has_only_own_examples(rule):
        return "audit"
    return wanted_enforcement(rule, active=active)


def judge_enforcement(rule: Rule, *, active: bool) -> Enforcement:
    """The enforcement of a judge, which nothing proves: it warns at most, unless a person pinned it to block."""
    return at_most(wanted_enforcement(rule, active=active), "warn") if rule.enforcement == "auto" else rule.enforcement


def wanted_enforcement(rule: Rule, *, active: bool) -> Enforcement:
    """The enforcement that a person pinned, else the one that the evidence allows."""
    if rule.enforcement != "auto":
        return rule.enforcement
    return "block" if active else "audit"


def why_only_audits(rule: Rule) -> str:
    """Why a rule may only audit whatever is proved of it, in one line; "" where its examples allow more."""
    machine = any(check.kind != "judge" for check in rule.checks)
    return MADE_FROM_THE_CHECK.format(slug=rule.slug) if machine and has_only_own_examples(rule) else ""
