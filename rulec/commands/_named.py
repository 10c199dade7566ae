"""A rule by its name, or a refusal that says which names there are."""

from rulec.errors import RulecError
from rulec.host import worktree
from rulec.model.rule import Rule
from rulec.model.rulebook import Rulebook


def known(book: Rulebook, slug: str) -> Rule:
    """The rule of that name, or a refusal that names its neighbours."""
    rule = book.rule(slug)
    if rule is None:
        names = ", ".join(r.slug for r in book.rules[:10])
        hint = f"the rules are {names}" if names else "there are none yet; rulec add writes one"
        raise RulecError(f"no rule {slug!r}", where=worktree.RULES, hint=hint)
    return rule
