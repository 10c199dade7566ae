"""Why a rule may do no more than it does, whatever is proved of it, in one plain line."""

from rulec.literals import unheeded
from rulec.model.enforcement import why_audits
from rulec.model.rule import Rule


def why(rule: Rule) -> str:
    """Why it audits or warns at most, "" where nothing holds it back."""
    return why_audits(rule) or why_warns(rule)


def why_warns(rule: Rule) -> str:
    """Which of its conditions its check does not heed; "" also where a person pinned how firm it is."""
    said = unheeded(rule) if rule.enforcement == "auto" else ()
    if not said:
        return ""
    return (
        f'warns at most: it says "{said[0]}", and no check of it heeds that, so it would block more than it says; '
        f"narrow the check, or pin it: rulec promote {rule.slug}"
    )
