"""The pairs of rules that may be one, each with what its checks catch of the other's examples."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path

from rulec.checks.proving.example_changes import change_of
from rulec.compiling.artifacts import compile_rule
from rulec.domain.artifact import Artifact, is_judge_check
from rulec.domain.finding import Finding
from rulec.domain.rule import Example, Rule
from rulec.errors import RulecError
from rulec.gates.findings.check_runs import run_checks_each
from rulec.resolving.pair_questions import Opinions, with_opinion
from rulec.resolving.rule_pairs import CrossedExamples, PairRelation, merge_rank, relate_rules
from rulec.resolving.sense_index import index_rules, meaning_of_rule, nearest_rules
from rulec.rulebook.rulebook import Rulebook

MOST_RULES = 1000  # that are compared with their neighbours; more would make a person wait
FEW_RULES = 60  # of which every two are compared
NEAREST = 8  # neighbours of each


@dataclass(frozen=True, slots=True, kw_only=True)
class RulePair:
    """Two rules in force and how they stand to each other; the first is the one that would be kept."""

    first: Rule
    second: Rule
    relation: PairRelation


def related_pairs(book: Rulebook, top: Path, opinions: Opinions | None = None) -> list[RulePair]:
    """Every pair of the team's rules that is the same, overlaps, perhaps does, or is contrary; the surest first.

    ``opinions`` are a reader's, of whatever pairs it has one.
    """
    near = list(_near_pairs(book))
    known, named = {frozenset((a.slug, b.slug)) for a, b in near}, [sorted(pair) for pair in opinions or ()]
    near += [
        (one, other)
        for a, b in named
        if (one := book.rule(a)) and (other := book.rule(b)) and frozenset((a, b)) not in known
    ]
    return sorted(
        (found for found in relate_pairs(book, near, top, opinions) if found.relation.kind != "other"),
        key=lambda found: (merge_rank(found.relation), found.first.slug, found.second.slug),
    )


def relate_pairs(
    book: Rulebook, pairs: Sequence[tuple[Rule, Rule]], top: Path, opinions: Opinions | None = None
) -> list[RulePair]:
    """How the rules of each pair stand to each other: all checks run once over all examples that they meet."""
    rules = {rule.slug: rule for pair in pairs for rule in pair}
    caught = _caught(book, rules, top)
    found = []
    for one, other in pairs:
        first, second = (one, other) if _keeps(book, one, other) else (other, one)
        crossed = [_crossed(caught, a.slug, b) for a, b in ((first, second), (second, first))]
        said = (opinions or {}).get(frozenset((one.slug, other.slug)))
        relation = with_opinion(relate_rules(first, second, *crossed), said)
        found.append(RulePair(first=first, second=second, relation=relation))
    return found


def _near_pairs(book: Rulebook) -> Iterable[tuple[Rule, Rule]]:
    """Each pair of neighbours once; all pairs of few rules, for the same wish may share no word that a table knows."""
    own = [rule for rule in book.rules if rule.layer == "team"]
    if len(own) <= FEW_RULES:
        yield from combinations(own, 2)
        return
    index, seen = index_rules(book), set[frozenset[str]]()
    for rule in book.rules[:MOST_RULES]:
        near = [other for other in nearest_rules(index, meaning_of_rule(rule), rule.checks) if other is not rule]
        for other in near[:NEAREST]:
            pair = frozenset((rule.slug, other.slug))
            if pair not in seen and rule.layer == other.layer == "team":
                seen.add(pair)
                yield rule, other


def _keeps(book: Rulebook, one: Rule, other: Rule) -> bool:
    """Whether the first is to be kept: the one with checks, then the better observed, then the older name."""

    def weight(rule: Rule) -> tuple[bool, float, int]:
        return bool(rule.checks), book.sure(rule).weight, rule.revision

    return weight(one) > weight(other) or (weight(one) == weight(other) and one.slug <= other.slug)


def _caught(book: Rulebook, rules: Mapping[str, Rule], top: Path) -> Mapping[Example, frozenset[str]]:
    """By example, the rules whose checks find something in it."""
    artifacts = [one for rule in rules.values() for one in machine_checks(book, rule, top)]
    examples = list(dict.fromkeys(example for rule in rules.values() for example in (*rule.invalid, *rule.valid)))
    if not artifacts or not examples:
        return {}
    seen = run_checks_each(artifacts, [change_of(example) for example in examples])
    return {
        example: frozenset(item.slug for item in found if isinstance(item, Finding))
        for example, found in zip(examples, seen, strict=True)
    }


def machine_checks(book: Rulebook, rule: Rule, top: Path) -> list[Artifact]:
    """The compiled checks that no model decides; none of a rule whose checks cannot even be built."""
    try:
        return [one for one in compile_rule(book, rule, top) if not is_judge_check(one)] if rule.checks else []
    except RulecError:
        return []


def _crossed(caught: Mapping[Example, frozenset[str]], catching: str, other: Rule) -> CrossedExamples:
    def some(examples: Iterable[Example]) -> tuple[Example, ...]:
        return tuple(one for one in examples if catching in caught.get(one, ()))

    return CrossedExamples(invalid=some(other.invalid), of=len(other.invalid), valid=some(other.valid))
