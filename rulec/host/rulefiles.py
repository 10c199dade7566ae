"""Rule files, read with what rulec's own templates say of the kinds of check that they make."""

from collections.abc import Sequence
from functools import cache

from rulec import rulefile
from rulec.errors import RulecError
from rulec.host import templates
from rulec.model.rule import CheckKind, Rule


def loads(text: str, *, source: str) -> Rule:
    """A rule from the text of its file, where a check may leave out its kind."""
    return rulefile.loads(text, source=source, kinds=kinds)


def dumps(rule: Rule, old: str = "") -> str:
    """The text of a rule's file, in the style and with the comments of its old text."""
    return rulefile.dumps(rule, old, kinds)


@cache
def kinds(template: str) -> Sequence[CheckKind]:
    """What a template of ours makes; () where it is none of them.

    A rule file means the same in every clone and at every commit, whatever templates of the team's own lie beside it.
    """
    try:
        return templates.library().template(template).kinds
    except RulecError:
        return ()
