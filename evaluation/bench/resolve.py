"""What resolve makes of the same wish, a refined, a contrary and an unrelated one, and how long it takes.

``bench resolve`` at the root of the repository prints, for each kind of pair in evaluation/cases/resolve, how many
become what without a model, and how many of the rest are shown beside the rule in similar words; ``wrong`` prints the
pairs in which values decide something else than the label says. Each side is read as ``rulec add`` reads it, so only
pairs in which both sentences name their parts literally have values to compare.
"""

import sys
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from ruamel.yaml import YAML

from rulec.domain.candidate import Candidate
from rulec.domain.rule import Rule
from rulec.errors import RulecError
from rulec.resolving.resolver import Resolution, resolve
from rulec.rulebook.rulebook import Rulebook
from rulec.sentences.candidates import typed_candidates
from tests.support.sentences import NAMES

CASES = Path(__file__).parents[1] / "cases" / "resolve"
EXPECTED = {"same": "NOOP", "refine": "UPDATE", "contradict": "SUPERSEDE", "unrelated": "NEW"}
MANY = (100, 10_000)  # rules of the rulebooks that are timed


@dataclass(frozen=True)
class Pair:
    """A rule, what a person says, and what that is to the rule."""

    label: str
    rule: str
    said: str


def pairs() -> Iterator[Pair]:
    """All pairs of the folder."""
    for label in EXPECTED:
        for case in YAML(typ="safe").load((CASES / f"{label}.yaml").read_text("utf-8")):
            yield Pair(label, case["rule"], case["said"])


def candidates(text: str) -> tuple[Candidate, ...]:
    """What rulec reads in a typed text; words in which it reads nothing are a reminder."""
    try:
        return typed_candidates(text, NAMES)
    except RulecError:
        return (Candidate(rule=Rule(slug="said", statement=text), drafts=()),)


def in_force(text: str) -> Rule:
    """The text as a rule, with the check that is read in it."""
    first = candidates(text)[0]
    rule = Rule(slug="the-rule", statement=text)
    if not first.drafts:
        return rule
    return Rule(slug="the-rule", statement=text, checks=first.drafts[0].checks, scope=first.drafts[0].scope)


def resolved(pair: Pair) -> Resolution:
    """The pair resolved; of several wishes in one text the one that has most to do with the rule counts."""
    order = ("NEW", "UPDATE", "SUPERSEDE", "NOOP")
    book = Rulebook(rules=(in_force(pair.rule),))
    made = [resolve(one, book) for one in candidates(pair.said)]
    return max(made, key=lambda one: (order.index(one.decision), len(one.similar)))


def what_becomes(pair: Pair) -> str:
    """The decision in a word, or that the rule is shown as similar."""
    found = resolved(pair)
    return "similar" if found.similar else found.decision


def main() -> None:
    """Print the table, or the pairs that values decide otherwise."""
    every = list(pairs())
    if sys.argv[1:] == ["wrong"]:
        for pair in every:
            if what_becomes(pair) not in (EXPECTED[pair.label], "similar", "NEW"):
                print(f"{pair.label:10} {resolved(pair).line()}\n    {pair.rule} | {pair.said}")
        return
    columns = ("NOOP", "UPDATE", "SUPERSEDE", "similar", "NEW")
    print(f"{'':10} {'pairs':>6} " + " ".join(f"{name:>9}" for name in columns))
    for label in EXPECTED:
        counted = Counter(what_becomes(pair) for pair in every if pair.label == label)
        print(f"{label:10} {counted.total():6} " + " ".join(f"{counted[name]:9}" for name in columns))
    for many in MANY:
        rules = tuple(in_force(every[at % len(every)].rule) for at in range(many))
        book, said = Rulebook(rules=rules), candidates("Use pnpm, never npm.")[0]
        start = time.perf_counter()
        resolve(said, book)
        first = time.perf_counter()
        resolve(said, book)
        print(f"{many} rules: index {first - start:.2f} s, a candidate {(time.perf_counter() - first) * 1000:.1f} ms")


if __name__ == "__main__":
    main()
