"""Modules that the words name, the offence imported and the correction of the same file imports no more."""

import re
from collections.abc import Iterator, Sequence

from rulec.fits._pair import added, draft_from_pair, offences
from rulec.fits._words import kin, language_of
from rulec.fits.imports import modules
from rulec.language import Clause
from rulec.language.terms import table
from rulec.model.candidate import Draft
from rulec.model.rule import Check
from rulec.model.transcript import Action

_WORD = re.compile(r"[A-Za-z@][\w./-]*\w")
_OWN = table("time os path fs re sys app src lib test tests utils util types config")  # said of other things too
_LANGUAGES = ("python", "javascript", "typescript", "go", "java", "ruby", "rust")


def imported(clause: Clause, before: Sequence[Action], after: Sequence[Action]) -> Iterator[Draft]:
    """Drafts of forbid-import, whatever form the words have."""
    wanted = {word.lower() for thing in clause.preferred for word in _WORD.findall(thing)}
    said = {word.lower() for word in _WORD.findall(clause.text)} - wanted - _OWN
    for action in offences(before) if said else ():
        language = language_of(action.path)
        later = [one for one in after if one.path == action.path and one.kind in ("write", "edit")]
        if later and language in _LANGUAGES:
            left = {_root(module) for one in later for module in modules(one.new, language)}
            gone = dict.fromkeys(_root(module) for module in modules(added(action), language))
            for module in (one for one in gone if one.lower() in said and one not in left):
                yield from _draft(module, language, before, after)


def _root(module: str) -> str:
    """The name by which people call a module: its first part, but for scoped and relative ones."""
    return module if module.startswith(("@", ".")) else re.split(r"[./\\]", module)[0]


def _draft(module: str, language: str, before: Sequence[Action], after: Sequence[Action]) -> Iterator[Draft]:
    def caught(action: Action) -> bool:
        return language_of(action.path) in kin(language) and any(
            _root(one) == module for one in modules(added(action), language)
        )

    checks = tuple(
        Check(kind="semgrep", template="forbid-import", parameters={"modules": [module], "language": one})
        for one in kin(language)
    )
    because = f"the words name {module}, and the same file did not import it afterwards"
    yield from draft_from_pair(checks, caught, before, after, kinds=("write", "edit"), because=because)
