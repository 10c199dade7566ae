"""Whether the rules in force, the archive and the evidence agree on what became of every rule."""

from collections.abc import Mapping

from rulec.domain.rule import Rule
from rulec.errors import RulecError
from rulec.rulebook import file_paths
from rulec.rulebook.rulebook import Rulebook

_EDIT = "mend that file, or git restore it"


def require_consistent(book: Rulebook, archive: Mapping[str, Rule]) -> None:
    """RulecError at the first rule that took the place of one that still stands, or that lost its place to none."""
    own = {rule.slug: rule for rule in book.rules if rule.layer == "team"}
    for rule in own.values():
        for other in rule.supersedes:
            if other in own:
                what = f"supersedes {other}, which is in force"
                raise RulecError(what, where=rule.source, hint=f"retire {other}, or take that line out")
    standing = frozenset(rule.slug for rule in book.rules)
    for rule in archive.values():
        if bool(rule.superseded_by) == bool(rule.retired):
            what = "says both superseded_by and retired" if rule.retired else "says neither superseded_by nor retired"
            raise RulecError(f"is in the archive and {what}", where=rule.source, hint=_EDIT)
        _follow(rule, standing, archive)


def _follow(rule: Rule, standing: frozenset[str], archive: Mapping[str, Rule]) -> None:
    """Refuse a line of successors that leads nowhere, or back to where it began."""
    seen, at = [rule.slug], rule
    while at.superseded_by:
        name = at.superseded_by
        if name in seen:
            raise RulecError(f"supersedes itself: {' -> '.join([*seen, name])}", where=rule.source, hint=_EDIT)
        if name in standing:
            return
        if name not in archive:
            raise RulecError(f"was superseded by {name}, which is no rule here", where=at.source, hint=_EDIT)
        seen.append(name)
        at = archive[name]


def orphaned_evidence(book: Rulebook) -> list[str]:
    """The folders of evidence whose rule is neither in force nor in the archive."""
    known = {rule.slug for rule in book.rules} | book.archived
    return [file_paths.evidence_folder(slug) for slug in book.evidence if slug not in known]
