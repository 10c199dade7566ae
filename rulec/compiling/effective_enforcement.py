"""How strict a rule's checks may be, and why no stricter: decided here and nowhere else."""

from rulec.domain.artifact import RuleFacts
from rulec.domain.enforcement import Enforcement, describe_lapse, in_minutes, in_words, is_shown, refuses
from rulec.domain.rule import INDEPENDENT_SOURCES, Example, Rule
from rulec.rulebook.confidence import Confidence

MADE_FROM_THE_CHECK = "audits only: its examples were made from the check itself; add one of yours: rulec edit {slug}"


def is_independent(example: Example) -> bool:
    """Whether an example was not derived from the check; one without a source was written by a person."""
    return not example.source or example.source in INDEPENDENT_SOURCES


def has_only_own_examples(rule: Rule) -> bool:
    """Whether all invalid examples were derived from the check: they prove its template, never the rule."""
    return bool(rule.invalid) and not any(map(is_independent, rule.invalid))


def machine_enforcement(rule: Rule, *, active: bool, proved: bool, wide: bool = False) -> Enforcement:
    """The enforcement of a check: audit unless proved by independent examples, then as pinned or as evidence allows.

    A ``wide`` rule has a condition that its check does not heed: it warns at most, unless a person pinned it.
    """
    if not proved or has_only_own_examples(rule):
        return "audit"
    firm = wanted_enforcement(rule, active=active)
    return _warning(firm) if wide and rule.enforcement == "auto" else firm


def judge_enforcement(rule: Rule, *, active: bool, measured: bool) -> Enforcement:
    """The enforcement of a judge, which warns at most, pinned or not, until its accuracy reaches the threshold."""
    firm = wanted_enforcement(rule, active=active)
    return firm if measured else _warning(firm)


def _warning(firm: Enforcement) -> Enforcement:
    return "warn" if refuses(firm) else firm


def wanted_enforcement(rule: Rule, *, active: bool) -> Enforcement:
    """The enforcement that a person pinned, else the one that the evidence allows."""
    if rule.enforcement != "auto":
        return rule.enforcement
    return "block" if active else "audit"


def why_only_audits(rule: Rule) -> str:
    """Why a rule may only audit whatever is proved of it, in one line; "" where its examples allow more."""
    machine = any(check.kind != "judge" for check in rule.checks)
    return MADE_FROM_THE_CHECK.format(slug=rule.slug) if machine and has_only_own_examples(rule) else ""


def why_limited(rule: Rule) -> str:
    """Why a rule audits or warns at most, "" where nothing limits it."""
    return why_only_audits(rule) or why_only_warns(rule)


def why_only_warns(rule: Rule) -> str:
    """Which condition of the rule its check ignores, in one line; "" where a person pinned the enforcement."""
    from rulec.language.coverage_gaps import unheeded_conditions  # noqa: PLC0415 - language, which no gate needs

    said = unheeded_conditions(rule) if rule.enforcement == "auto" else ()
    if not said:
        return ""
    return (
        f'warns at most: no check looks at its condition "{said[0]}", so it would block too much; '
        f"narrow the check, or pin it: rulec set {rule.slug} block"
    )


def describe_end(rule: Rule, sure: Confidence, acts: str) -> str:
    """Until when the rule does what it ``acts``, or since when it no longer does; "" where it has no end.

    Time ends nothing by the default profile, nor where a person set the enforcement.
    """
    if rule.enforcement != "auto" or not sure.until:
        return ""
    if not sure.active:
        return describe_lapse(rule.slug, sure.until)
    if rule.checks and not is_shown(acts):
        return ""  # it audits for another reason, before and after
    then = "audits" if rule.checks else "is not told to agents"
    return _until(rule.slug, acts, sure.until, then)


def describe_compiled_end(facts: RuleFacts) -> str:
    """The same of a rule with checks, from its compiled facts as they are now."""
    if not facts.until:
        return ""
    over = not is_shown(facts.enforcement)
    return describe_lapse(facts.slug, facts.until) if over else _until(facts.slug, facts.enforcement, facts.until)


def _until(slug: str, acts: str, until: str, then: str = "audits") -> str:
    return f"{slug} {in_words(acts)} until {in_minutes(until)}, then {then}"
