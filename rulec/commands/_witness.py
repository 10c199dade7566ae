"""Two rules -> one concrete action that one of them wants and the other forbids, found by running their checks."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from rulec.commands import _build
from rulec.commands._lines import example_line
from rulec.commands._observe import observe_each
from rulec.errors import RulecError
from rulec.model.artifact import Artifact
from rulec.model.finding import Finding
from rulec.model.rule import Example, Rule
from rulec.model.rulebook import Rulebook
from rulec.stages.verify import change_of

NONE = "no action found that one wants and the other forbids"


@dataclass(frozen=True, slots=True, kw_only=True)
class Witness:
    """What nobody can do right by both rules."""

    example: Example
    wants: str  # slug of the rule whose valid example it is
    refuses: str  # slug of the rule whose compiled check catches it


def witness(book: Rulebook, one: Rule, other: Rule, top: Path) -> Witness | None:
    """The first valid example of either rule that the other's checks catch, those of the first rule first."""
    return _between(book, one, other, top) or _between(book, other, one, top)


def _between(book: Rulebook, wanting: Rule, refusing: Rule, top: Path) -> Witness | None:
    artifacts = _checks(book, refusing, top)
    if not artifacts:
        return None
    seen = observe_each(artifacts, [change_of(example) for example in wanting.valid])
    caught = (
        example
        for example, found in zip(wanting.valid, seen, strict=True)
        if any(isinstance(item, Finding) for item in found)
    )
    example = next(caught, None)
    return Witness(example=example, wants=wanting.slug, refuses=refusing.slug) if example else None


def _checks(book: Rulebook, rule: Rule, top: Path) -> Sequence[Artifact]:
    try:
        return _build.of_rule(book, rule, top) if rule.checks else ()
    except RulecError:
        return ()  # a rule whose check cannot even be built refuses nothing; compile and test say so


def told(found: Witness | None) -> str:
    """A witness in a sentence."""
    if found is None:
        return NONE
    return (
        f"`{' '.join(example_line(found.example).split())}` is what {found.wants} asks for and {found.refuses} refuses"
    )


def data(found: Witness | None) -> dict[str, str] | None:
    """A witness for programs."""
    return {"action": example_line(found.example), "wants": found.wants, "refuses": found.refuses} if found else None
