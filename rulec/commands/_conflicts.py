"""Rules in force that nobody can obey at once, with the action that shows it."""

from collections.abc import Iterator
from pathlib import Path

from rulec.commands._witness import told as told_witness
from rulec.commands._witness import witness
from rulec.language.meaning import meaning
from rulec.language.nearness import known, near
from rulec.language.relation import relate
from rulec.model.rule import Rule
from rulec.model.rulebook import Rulebook
from rulec.stages.resolve import AUTO

MOST = 300  # rules that are compared with their neighbours; more would make a person wait


def opposing(rule: Rule, book: Rulebook) -> list[Rule]:
    """The rules that surely ask for the contrary of this one."""
    said = meaning(rule.statement, rule.when)
    stands = ((other, relate(meaning(other.statement, other.when), said)) for other in near(known(book), said, ()))
    return [one for one, how in stands if one.slug != rule.slug and how.kind == "contrary" and how.score >= AUTO]


def conflicts(book: Rulebook) -> list[tuple[Rule, Rule]]:
    """Pairs of rules that ask for the contrary of each other."""
    found: dict[frozenset[str], tuple[Rule, Rule]] = {}
    for rule in book.rules[:MOST]:
        for other in opposing(rule, book):
            found.setdefault(frozenset((rule.slug, other.slug)), (rule, other))
    return list(found.values())


def told(book: Rulebook, top: Path) -> Iterator[str]:
    """A line or two for each pair, with the way out."""
    for one, other in conflicts(book):
        yield f"two rules ask for the contrary: {one.slug} and {other.slug}"
        yield f"  {told_witness(witness(book, one, other, top))}; rulec supersede OLD NEW settles it"
