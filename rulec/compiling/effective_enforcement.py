"""How strict a rule's checks may be, and why no stricter: decided here and nowhere else."""

from rulec.domain.enforcement import Enforcement
from rulec.domain.rule import INDEPENDENT_SOURCES, Example, Rule
from rulec.language.coverage_gaps import unheeded_conditions

MADE_FROM_THE_CHECK = "audits only: its examples were made from the check itself; add one of yours: rulec edit {slug}"


def is_independent(example: Example) -> bool:
    """Whether somebody or something beside the check says so; a rule file that names no source is a person's."""
    return not example.source or example.source in INDEPENDENT_SOURCES


def has_only_own_examples(rule: Rule) -> bool:
    """Whether all that the check is to catch was made from the check: that proves its template and never the rule."""
    return bool(rule.invalid) and not any(map(is_independent, rule.invalid))


def machine_enforcement(rule: Rule, *, active: bool, proved: bool, wide: bool = False) -> Enforcement:
    """What a finding does: nothing may act unproved or on its own word; then what a person pinned or evidence bears.

    A ``wide`` rule has a condition that its check does not heed: it warns at most, unless a person pinned it.
    """
    if not proved or has_only_own_examples(rule):
        return "audit"
    firm = wanted_enforcement(rule, active=active)
    return "warn" if wide and firm == "block" and rule.enforcement == "auto" else firm


def judge_enforcement(rule: Rule, *, active: bool, measured: bool) -> Enforcement:
    """The same of a judge, which warns at most, pinned or not, before it was measured and held its bar."""
    firm = wanted_enforcement(rule, active=active)
    return "warn" if firm == "block" and not measured else firm


def wanted_enforcement(rule: Rule, *, active: bool) -> Enforcement:
    """What a person pinned, else what the evidence bears."""
    if rule.enforcement != "auto":
        return rule.enforcement
    return "block" if active else "audit"


def why_only_audits(rule: Rule) -> str:
    """Why the rule may not act whatever is proved of it, in one plain line; "" where its examples allow it."""
    machine = any(check.kind != "judge" for check in rule.checks)
    return MADE_FROM_THE_CHECK.format(slug=rule.slug) if machine and has_only_own_examples(rule) else ""


def why_limited(rule: Rule) -> str:
    """Why it audits or warns at most, "" where nothing holds it back."""
    return why_only_audits(rule) or why_only_warns(rule)


def why_only_warns(rule: Rule) -> str:
    """Which of its conditions its check does not heed; "" also where a person pinned how firm it is."""
    said = unheeded_conditions(rule) if rule.enforcement == "auto" else ()
    if not said:
        return ""
    return (
        f'warns at most: it says "{said[0]}", and no check of it heeds that, so it would block more than it says; '
        f"narrow the check, or pin it: rulec promote {rule.slug}"
    )
