"""The pairs of rules that may be one, by what their checks hold and what each catches of the other's examples."""

import hashlib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path
from typing import Any

from rulec.domain.rule import Example, Rule
from rulec.infra import state
from rulec.infra.rulebooks import rule_reading
from rulec.reports.rule_lines import example_line
from rulec.resolving.check_values import index_keys
from rulec.resolving.rule_pairs import (
    KINDS,
    MERGED,
    CrossedExamples,
    Opinions,
    PairRelation,
    relate_rules,
    with_opinion,
)
from rulec.rulebook.rulebook import Rulebook
from rulec.services.evolving.rule_trials import decide_examples

FEW_RULES = 60  # of which every two are compared; of more those whose checks have a value in common
REJECTED = "kept-apart"  # a folder of local state


@dataclass(frozen=True, slots=True, kw_only=True)
class RulePair:
    """Two rules in force and how they stand to each other; the first is the one that would be kept."""

    first: Rule
    second: Rule
    relation: PairRelation

    @property
    def name(self) -> str:
        """What a person calls it."""
        return f"{self.first.slug}+{self.second.slug}"

    @property
    def mergeable(self) -> bool:
        """Whether one rule in place of both is proposed."""
        return self.relation.kind in MERGED

    def lines(self) -> Iterator[str]:
        """The pair in a list."""
        said = self.relation
        titles = {"same": "the same wish", "contrary": "contradict each other, so they are not merged"}
        yield f"{self.first.slug} and {self.second.slug}: {titles.get(said.kind, said.kind)}"
        if said.kind != "contrary":
            yield from (f"  {rule.slug}: {' '.join(rule.statement.split())}" for rule in (self.first, self.second))
        witness = f": `{' '.join(example_line(said.witness).split())}`" if said.witness else ""
        yield f"  because: {said.because}{witness}"
        if said.kind == "contrary":
            yield "  next: rulec retire OLD --for NEW settles it"
        else:
            yield f"  next: rulec evolve {self.name}"

    def data(self) -> dict[str, Any]:
        """The pair for programs."""
        said = self.relation
        return {
            "name": self.name,
            "kept": self.first.slug,
            "other": self.second.slug,
            "kind": said.kind,
            "because": said.because,
            "statement": said.statement,
            "contained": said.contained,
            "witness": example_line(said.witness) if said.witness else "",
        }


def related_pairs(top: Path, book: Rulebook, opinions: Opinions | None = None) -> list[RulePair]:
    """Every pair of the team's rules that are no strangers, the surest first; ``opinions`` are a model's."""
    own = [rule for rule in book.rules if rule.layer == "team"]
    near = list(combinations(own, 2)) if len(own) <= FEW_RULES else list(_with_shared_values(own))
    known = {frozenset((one.slug, other.slug)) for one, other in near}
    for pair in sorted(map(sorted, set(opinions or ()) - known)):
        one, other = (book.rule(slug) for slug in pair)
        near += [(one, other)] if one and other else []
    found = [one for one in relate_pairs(top, book, near, opinions) if one.relation.kind != "other"]
    return sorted(found, key=lambda one: (KINDS.index(one.relation.kind), one.name))


def _with_shared_values(rules: Sequence[Rule]) -> Iterator[tuple[Rule, Rule]]:
    """Each two rules that have a value of a check in common, once."""
    holding: dict[str, list[int]] = {}
    for at, rule in enumerate(rules):
        for key in {key for check in rule.checks for key in index_keys(check)}:
            holding.setdefault(key, []).append(at)
    pairs = {pair for some in holding.values() for pair in combinations(some, 2)}
    yield from ((rules[one], rules[other]) for one, other in sorted(pairs))


def relate_pairs(
    top: Path, book: Rulebook, pairs: Sequence[tuple[Rule, Rule]], opinions: Opinions | None = None
) -> list[RulePair]:
    """How the rules of each pair stand to each other: all checks run once over all examples."""
    rules = list({rule.slug: rule for pair in pairs for rule in pair}.values())
    examples = list(dict.fromkeys(example for rule in rules for example in (*rule.invalid, *rule.valid)))
    decided = decide_examples(top, book, rules, examples) if examples else [[] for _ in rules]
    caught = {
        rule.slug: frozenset(example for example, verdict in zip(examples, verdicts, strict=True) if verdict)
        for rule, verdicts in zip(rules, decided, strict=True)
    }

    def crossed(catching: Rule, other: Rule) -> CrossedExamples:
        def some(side: Iterable[Example]) -> tuple[Example, ...]:
            return tuple(one for one in side if one in caught[catching.slug])

        return CrossedExamples(invalid=some(other.invalid), of=len(other.invalid), valid=some(other.valid))

    found = []
    for one, other in pairs:
        first, second = (one, other) if _keeps(book, one, other) else (other, one)
        relation = relate_rules(first, second, crossed(first, second), crossed(second, first))
        said = (opinions or {}).get(frozenset((one.slug, other.slug)))
        found.append(RulePair(first=first, second=second, relation=with_opinion(relation, said)))
    return found


def _keeps(book: Rulebook, one: Rule, other: Rule) -> bool:
    """Whether the first is to be kept: the one with checks, then the better observed, then the older name."""

    def weight(rule: Rule) -> tuple[bool, float, int]:
        return bool(rule.checks), book.sure(rule).weight, rule.revision

    return weight(one) > weight(other) or (weight(one) == weight(other) and one.slug <= other.slug)


def keep_apart(top: Path, one: Rule, other: Rule) -> None:
    """Remember that these two, as they stand, are not to be one rule."""
    state.write_state_text(top, f"{REJECTED}/{_key(one, other)}", f"{one.slug} {other.slug}\n")


def kept_apart(top: Path, pairs: Iterable[RulePair]) -> list[RulePair]:
    """Those of the pairs that a person keeps apart, and of which neither rule has changed since."""
    keys = frozenset(state.state_names(top, REJECTED))
    return [one for one in pairs if _key(one.first, one.second) in keys]


def _key(one: Rule, other: Rule) -> str:
    """The same in either order, and another one once either rule's file says something else."""
    texts = sorted(rule_reading.write_rule(rule) for rule in (one, other))
    return hashlib.sha256("\0".join(texts).encode("utf-8", "surrogatepass")).hexdigest()[:24]
