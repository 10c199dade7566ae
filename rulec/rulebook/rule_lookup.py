"""A rule by its name, or a refusal that says which rules there are."""

from rulec.domain.rule import Rule
from rulec.errors import RulecError
from rulec.rulebook import file_paths
from rulec.rulebook.rulebook import Rulebook


def require_team_rule(book: Rulebook, slug: str) -> Rule:
    """The team's rule of that name that is in force, or a refusal that says what it is instead."""
    rule = book.rule(slug)
    if rule is None and slug in book.archived:
        hint = f"rulec rollback {slug} brings it back"
        raise RulecError(f"{slug} is in the archive, no rule in force", where=file_paths.archive_path(slug), hint=hint)
    rule = require_rule(book, slug)
    if rule.layer != "team":
        hint = "change it there; a rule of your own with this name goes before it"
        raise RulecError(f"{slug} is not of this rulebook but {rule.layer}", where=rule.source, hint=hint)
    return rule


def require_rule(book: Rulebook, slug: str) -> Rule:
    """The rule of that name, or a refusal that names its neighbours."""
    rule = book.rule(slug)
    if rule is None:
        names = ", ".join(r.slug for r in book.rules[:10])
        hint = f"the rules are {names}" if names else "there are none yet; rulec add writes one"
        raise RulecError(f"no rule {slug!r}", where=file_paths.RULES, hint=hint)
    return rule
