"""Rules that contradict each other: an action that shows it, and which pairs agents are never told both of."""

from collections.abc import Container, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from rulec.checkout import contrary_rules as told_apart
from rulec.checkout import private_files
from rulec.checks.proving.example_changes import change_of
from rulec.compiling import artifacts
from rulec.domain.artifact import Artifact
from rulec.domain.finding import Finding
from rulec.domain.rule import Example, Rule
from rulec.errors import RulecError
from rulec.gates.findings.check_runs import run_checks_each
from rulec.infra import text_files
from rulec.reports.rule_lines import example_line
from rulec.resolving.check_values import index_rules
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


def refresh_conflicts(top: Path, book: Rulebook, slugs: Container[str] | None = None) -> None:
    """Compare the rules whose checks are new here, or those named, with all others; keep which contradict which."""
    kept = private_files.read_json(told_apart.contrary_file(str(top)))
    said = {_key(rule): _digest(rule) for rule in book.rules}
    known = {key: mark for key, mark in _mapping(kept.get("said")).items() if said.get(key) == mark}
    fresh = [rule for rule in book.rules if _key(rule) not in known and (slugs is None or rule.slug in slugs)]
    fresh = fresh[:MOST]  # the others wait for the next time
    if not fresh and known == kept.get("said"):
        return
    stood = [pair for pair in kept.get("pairs") or [] if isinstance(pair, list) and all(key in known for key in pair)]
    found = {tuple(sorted((_key(rule), _key(other)))) for rule in fresh for other in contrary_rules(rule, book)}
    pairs = sorted({*map(tuple, stood), *found})
    told = {**known, **{_key(rule): said[_key(rule)] for rule in fresh}}
    told_apart.store_pairs(str(top), {"said": told, "pairs": [list(pair) for pair in pairs]})


def _mapping(data: object) -> dict[str, str]:
    return {str(key): str(value) for key, value in data.items()} if isinstance(data, dict) else {}


def _key(rule: Rule) -> str:
    return f"{rule.slug}@{rule.revision}"


def _digest(rule: Rule) -> str:
    return text_files.digest_of_digests({"checks": repr(rule.checks), "scope": repr(rule.scope)})
