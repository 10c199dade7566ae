"""Why a rule may do no more than audit or warn, whatever is proved of it."""

from rulec.compiling.effective_enforcement import why_only_audits
from rulec.domain.rule import Rule
from rulec.language.coverage.gaps import unheeded_conditions


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
