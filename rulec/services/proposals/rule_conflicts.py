"""Rules that contradict each other, and an action that shows it."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from rulec.checks.proving.example_changes import change_of
from rulec.compiling import artifacts
from rulec.domain.artifact import Artifact
from rulec.domain.finding import Finding
from rulec.domain.rule import Example, Rule
from rulec.errors import RulecError
from rulec.gates.findings.check_runs import run_checks_each
from rulec.reports.rule_lines import example_line
from rulec.resolving.rule_index import index_rules
from rulec.resolving.rule_pairs import contrary_values
from rulec.rulebook.rulebook import Rulebook

NO_WITNESS = "no action found that one requires and the other forbids"


@dataclass(frozen=True, slots=True, kw_only=True)
class ConflictWitness:
    """An action that one rule requires and the other forbids."""

    example: Example
    wants: str  # slug of the rule whose valid example it is
    refuses: str  # slug of the rule whose compiled check catches it


def find_witness(book: Rulebook, one: Rule, other: Rule, top: Path) -> ConflictWitness | None:
    """The first valid example of either rule that the other's checks catch, those of the first rule first."""
    return _between(book, one, other, top) or _between(book, other, one, top)


def _between(book: Rulebook, wanting: Rule, refusing: Rule, top: Path) -> ConflictWitness | None:
    caught = caught_examples(book, refusing, wanting.valid, top)
    return ConflictWitness(example=caught[0], wants=wanting.slug, refuses=refusing.slug) if caught else None


def caught_examples(book: Rulebook, rule: Rule, examples: Sequence[Example], top: Path) -> list[Example]:
    """Those of the examples that the rule's compiled checks catch."""
    built = _built_checks(book, rule, top)
    if not built or not examples:
        return []
    seen = run_checks_each(built, [change_of(example) for example in examples])
    return [
        example
        for example, found in zip(examples, seen, strict=True)
        if any(isinstance(item, Finding) for item in found)
    ]


def _built_checks(book: Rulebook, rule: Rule, top: Path) -> Sequence[Artifact]:
    try:
        return artifacts.compile_rule(book, rule, top) if rule.checks else ()
    except RulecError:
        return ()  # a rule whose check cannot even be built refuses nothing; compile and test say so


def describe_witness(found: ConflictWitness | None) -> str:
    """A witness in a sentence."""
    if found is None:
        return NO_WITNESS
    return (
        f"`{' '.join(example_line(found.example).split())}` is what {found.wants} asks for and {found.refuses} refuses"
    )


def witness_json(found: ConflictWitness | None) -> dict[str, str] | None:
    """A witness for programs."""
    return {"action": example_line(found.example), "wants": found.wants, "refuses": found.refuses} if found else None


MOST = 300  # rules that are compared with their neighbours; more would make a person wait


def contrary_rules(rule: Rule, book: Rulebook) -> list[Rule]:
    """The rules whose checks ask for other values than this one's, where both hold."""
    near = index_rules(book).with_values(rule.checks)
    return [one for one in near if one.slug != rule.slug and contrary_values(rule, one)]


def contrary_pairs(book: Rulebook) -> list[tuple[Rule, Rule]]:
    """Pairs of rules that contradict each other."""
    found: dict[frozenset[str], tuple[Rule, Rule]] = {}
    for rule in book.rules[:MOST]:
        for other in contrary_rules(rule, book):
            found.setdefault(frozenset((rule.slug, other.slug)), (rule, other))
    return list(found.values())


def conflict_lines(book: Rulebook, top: Path) -> Iterator[str]:
    """One or two lines for each pair, with the command that settles it."""
    for one, other in contrary_pairs(book):
        yield f"two rules contradict each other: {one.slug} and {other.slug}"
        yield f"  {describe_witness(find_witness(book, one, other, top))}; rulec retire OLD --for NEW settles it"
