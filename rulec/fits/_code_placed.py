"""Drafts whose checks hold in a place of their own."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from rulec.fits._code_files import apart, excluded_tests, is_test
from rulec.fits._pair import added, draft_from_pair
from rulec.model.candidate import Draft
from rulec.model.rule import Check, Scope
from rulec.model.transcript import Action

EVERYWHERE = ("**",)


@dataclass(frozen=True, slots=True, kw_only=True)
class Wish:
    """What is not wanted: the checks, the pattern by which a text shows it, and where."""

    checks: tuple[Check, ...]
    sign: re.Pattern[str]
    because: str
    include: tuple[str, ...] = EVERYWHERE
    spared: tuple[str, ...] = ()  # where it belongs

    def caught(self, action: Action) -> bool:
        """Whether an action shows it, as far as a pattern can tell."""
        inside = any(
            action.path == glob or (glob.endswith("/") and action.path.startswith(glob)) for glob in self.include
        )
        anywhere = self.include == EVERYWHERE and not is_test(action.path)
        return (inside or anywhere) and bool(self.sign.search(added(action)))


def placed(wish: Wish, before: Sequence[Action], after: Sequence[Action]) -> Iterator[Draft]:
    """The drafts for a wish, with the place that it holds in and the tests and homes that it does not."""
    drafts = draft_from_pair(wish.checks, wish.caught, before, after, kinds=("write", "edit"), because=wish.because)
    for draft in drafts:
        own = draft.invalid[0].path
        exclude = (*apart(wish.spared, own), *excluded_tests(own)) if wish.include == EVERYWHERE else ()
        yield replace(draft, scope=Scope(include=wish.include, exclude=exclude))
