"""How well the rules that a task has to do with are found.

``bench rank measure [FOLDER]`` plays the cases in FOLDER/*.jsonl, evaluation/cases/attach by default: each
step is a task, and the rules labelled for it are those that it has to do with. It prints recall of the first three,
mean average precision, the area under the curve, and precision and recall where rules are said or not; in each case's
own rulebook, and in one rulebook of all their rules (in which a rule of another case that fits a step counts as wrong).
``fit`` prints the calibration's constants, fitted to the cases in evaluation/cases/attach.

``bench rank slots [COUNT]`` makes so many rulebooks, 200 by default, with more rules than are said, and
tasks that name some of them, and prints how often a rule that is named was left out for one that is not.

``bench rank speed`` prints how long the hook takes to rank 1,000 rules whose records are loaded, and to
load these and their index.
"""

import math
import sys
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any

from evaluation.bench.plans import IN_VIEW, cases_in, record_of
from evaluation.bench.snapshot import RULES, TASKS, book, once, settled
from rulec.reminders import relevance, rule_index, rule_records, selection
from tests.support.crowded_rulebooks import crowded_rulebook, displaced

Scorer = Callable[[list[dict[str, Any]], str], list[float]]
Pairs = list[tuple[float, bool]]  # the points of a rule for a task, and whether it is labelled for it
FIRST = 3  # rules that are said at a message
STEPS = 30  # of Newton's method, far more than it takes


@dataclass(frozen=True)
class Ranking:
    """A rulebook, and tasks with the rules that each has to do with."""

    rules: list[dict[str, Any]]
    tasks: list[tuple[str, frozenset[str]]]


def rankings(folder: Path) -> list[Ranking]:
    """Each case with its own rulebook."""
    found = []
    for case in cases_in(folder):
        labels = [frozenset(case["labels"].get(str(number), ())) for number in range(len(case["steps"]))]
        found.append(Ranking([record_of(one) for one in case["rules"]], list(zip(case["steps"], labels, strict=True))))
    return found


def joined(cases: Sequence[Ranking]) -> Ranking:
    """All of them as one; names that two rulebooks have are told apart by the case's number."""

    def key(number: int, slug: str) -> str:
        return f"{slug}/{number}"

    rules = [{**rule, "slug": key(number, rule["slug"])} for number, case in enumerate(cases) for rule in case.rules]
    tasks = [
        (text, frozenset(key(number, slug) for slug in labels))
        for number, case in enumerate(cases)
        for text, labels in case.tasks
    ]
    return Ranking(rules, tasks)


def points(rules: list[dict[str, Any]], task: str) -> list[float]:
    """The points of each rule by BM25."""
    found = rule_index.match_task([_index(rules)], task)
    return [found[at].points if at in found else 0.0 for at in range(len(rules))]


_made: dict[int, tuple[list[dict[str, Any]], Any]] = {}


def _index(rules: list[dict[str, Any]]) -> Any:
    if id(rules) not in _made:
        _made[id(rules)] = rules, rule_index.build_index(rules)
    return _made[id(rules)][1]


def figures(cases: Sequence[Ranking], scorer: Scorer, enough: float) -> str:
    """Recall of the first few, mean average precision, area under the curve, precision and recall of what is said."""
    recalls, precisions, pairs = [], [], []
    above = below = 0.0
    for case in cases:
        for text, labels in case.tasks:
            scores = scorer(case.rules, text)
            pairs += [(score, rule["slug"] in labels) for rule, score in zip(case.rules, scores, strict=True)]
            order = sorted(range(len(scores)), key=lambda at: (-scores[at], case.rules[at]["slug"]))
            hits = [case.rules[at]["slug"] in labels for at in order]
            if labels:
                recalls.append(sum(hits[:FIRST]) / min(FIRST, len(labels)))
                precisions.append(
                    sum(sum(hits[: at + 1]) / (at + 1) for at, hit in enumerate(hits) if hit) / len(labels)
                )
                good = [score for score, hit in pairs[-len(scores) :] if hit]
                bad = [score for score, hit in pairs[-len(scores) :] if not hit]
                above += sum((one > other) + (one == other) / 2 for one in good for other in bad)
                below += len(good) * len(bad)
    said = [hit for score, hit in pairs if score >= enough]
    return (
        f"recall@{FIRST} {sum(recalls) / len(recalls):.3f}, MAP {sum(precisions) / len(precisions):.3f}, "
        f"AUC {above / below:.3f}; said: precision {sum(said) / max(1, len(said)):.2f}, "
        f"recall {sum(said) / sum(hit for _, hit in pairs):.2f}"
    )


def pairs_of(cases: Sequence[Ranking]) -> Pairs:
    """Each task and rule: its points, and whether it is labelled."""
    return [
        (score, rule["slug"] in labels)
        for case in cases
        for text, labels in case.tasks
        for rule, score in zip(case.rules, points(case.rules, text), strict=True)
    ]


def fit(pairs: Pairs) -> tuple[float, float]:
    """Slope and shift of the logistic regression, by Newton's method."""
    slope = shift = 0.0
    for _ in range(STEPS):
        one = other = first = mixed = second = 0.0
        for x, hit in pairs:
            p = 1 / (1 + math.exp(-(slope * x + shift)))
            one, other = one + (hit - p) * x, other + (hit - p)
            first, mixed, second = first + p * (1 - p) * x * x, mixed + p * (1 - p) * x, second + p * (1 - p)
        size = first * second - mixed * mixed
        slope += (one * second - other * mixed) / size
        shift += (other * first - one * mixed) / size
    return slope, shift


def loss(pairs: Pairs, slope: float, shift: float) -> float:
    """The mean logarithmic loss of a calibration."""
    chances = [(1 / (1 + math.exp(-(slope * x + shift))), hit) for x, hit in pairs]
    return -sum(math.log(p if hit else 1 - p) for p, hit in chances) / len(pairs)


def measure(folder: Path) -> list[str]:
    """A line for each kind of rulebook."""
    cases = rankings(folder)
    found = []
    for name, books in (("own rulebooks", cases), ("one rulebook", [joined(cases)])):
        found.append(f"{name}: {figures(books, points, relevance.ENOUGH)}")
    return found


def fitted() -> list[str]:
    """The calibration, and its loss beside that of the constants in use."""
    pairs = pairs_of(rankings(IN_VIEW))
    slope, shift = fit(pairs)
    share = sum(hit for _, hit in pairs) / len(pairs)
    none = -share * math.log(share) - (1 - share) * math.log(1 - share)
    losses = [loss(pairs, *constants) for constants in ((slope, shift), (relevance.SLOPE, relevance.SHIFT))]
    found = [f"slope {slope:.2f}, shift {shift:.2f} over {len(pairs)} pairs; loss {losses[0]:.3f}"]
    found.append(f"loss with the constants in use {losses[1]:.3f}, of the mere share of {share:.2f} {none:.3f}")
    return found


def slots(count: int) -> list[str]:
    """Play rulebooks with more rules than are said, each within other limits."""
    wrong, left = [], 0
    for seed in range(count):
        random = Random(seed)
        case = crowded_rulebook(random)
        limits = {"max_rules": random.choice((3, 5, 10, 20)), "max_tokens": random.choice((100, 300, 500))}
        asked = selection.Audience(**limits, only=random.random() < 0.3)
        wrong += [f"{seed}: {what}" for what in displaced(case, asked)]
        left += bool(selection.rank_rules(case.records, asked).dropped)
    names = sum(" is left out for " in one for one in wrong)
    return [
        *wrong,
        f"{count} rulebooks, rules left out in {left}: {names} named rules lost to others, {len(wrong)} wrong",
    ]


def speed() -> list[str]:
    """Milliseconds of CPU time in this process, medians."""
    with tempfile.TemporaryDirectory() as name:
        top = book(Path(name), RULES)
        settled(top, rule_records.NAME)
        rule_records.RuleWords(str(top)).index()
        words = rule_records.RuleWords(str(top))
        rules, index = words.rules, words.index()

        def ask(task: str) -> None:
            asked = selection.Audience(agent="claude-code", projects=("acme/shop",), task=task)
            if task:
                asked.only, asked.max_rules, asked.max_tokens = True, 3, 300
            selection.rank_rules(rules, asked, [index])

        found = [f"session start: {once(lambda: ask(''), 25):.2f} ms"]
        found += [f"message {task!r}: {once(lambda task=task: ask(task), 25):.2f} ms" for task in TASKS]
        load = once(lambda: rule_records.gather_rules(str(top)))
        both = once(lambda: rule_records.RuleWords(str(top)).index())
        found.append(f"records: {load:.1f} ms; with the index: {both:.1f} ms")
    return found


def main(arguments: Sequence[str]) -> int:
    """Print what the arguments ask for."""
    match arguments:
        case ["measure"]:
            lines = measure(IN_VIEW)
        case ["measure", folder]:
            lines = measure(Path(folder))
        case ["fit"]:
            lines = fitted()
        case ["speed"]:
            lines = speed()
        case ["slots"]:
            lines = slots(200)
        case ["slots", count]:
            lines = slots(int(count))
        case _:
            sys.stderr.write(f"{__doc__}\n")
            return 2
    sys.stdout.write("\n".join(lines) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
