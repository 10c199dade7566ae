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
from rulec.language.semantics.meaning import meaning_of
from rulec.language.semantics.relation import relate
from rulec.reports.rule_lines import example_line
from rulec.resolving.resolver import AUTO
from rulec.resolving.sense_index import index_rules, nearest_rules
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
    artifacts = _built_checks(book, refusing, top)
    if not artifacts:
        return None
    seen = run_checks_each(artifacts, [change_of(example) for example in wanting.valid])
    caught = (
        example
        for example, found in zip(wanting.valid, seen, strict=True)
        if any(isinstance(item, Finding) for item in found)
    )
    example = next(caught, None)
    return ConflictWitness(example=example, wants=wanting.slug, refuses=refusing.slug) if example else None


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
    """The rules that certainly contradict this one."""
    said = meaning_of(rule.statement, rule.when)
    stands = (
        (other, relate(meaning_of(other.statement, other.when), said))
        for other in nearest_rules(index_rules(book), said, ())
    )
    return [one for one, how in stands if one.slug != rule.slug and how.kind == "contrary" and how.score >= AUTO]


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
