"""How far a judge's word can be relied on: its rulings on the rule's own examples, several times over."""

from collections.abc import Iterator, Sequence
from itertools import combinations

from rulec.checks.judge.rulings import Ruling
from rulec.domain.evidence import JudgeBar, JudgeMeasure

LEAST_EXAMPLES = 2  # examples of either sort
_DIGITS = 3  # of what is kept: more than few examples can tell


def measure_judge(
    invalid: Sequence[bool], rounds: Sequence[Sequence[Ruling]], *, model: str, wording: int
) -> JudgeMeasure:
    """How often a fail is an offence, an offence a fail, and one round's ruling another's.

    ``invalid`` says of each example whether it is an offence; each round has a ruling on every one. What is unsure
    fails nothing, so an offence on which it is unsure was missed.
    """
    rulings = [pair for said in rounds for pair in zip(invalid, said, strict=True)]
    fails = [is_invalid for is_invalid, ruling in rulings if ruling == "fail"]
    offences = sum(invalid) * len(rounds)
    alike = [one == two for of_example in zip(*rounds, strict=True) for one, two in combinations(of_example, 2)]
    return JudgeMeasure(
        model=model,
        wording=wording,
        repeats=len(rounds),
        precision=_rate(sum(fails), len(fails)),
        recall=_rate(sum(fails), offences),
        agreement=_rate(sum(alike), len(alike)),
    )


def _rate(part: int, whole: int) -> float:
    """Nothing seen is nothing to rely on."""
    return round(part / whole, _DIGITS) if whole else 0.0


def why_too_few(invalid: Sequence[bool]) -> str:
    """Why examples are not enough to measure by, "" where they are."""
    offences = sum(invalid)
    innocent = len(invalid) - offences
    if min(offences, innocent) >= LEAST_EXAMPLES:
        return ""
    return f"too few examples to measure: {offences} invalid and {innocent} valid that it reads, {LEAST_EXAMPLES} each are needed"


def wrong_rulings(invalid: Sequence[bool], rounds: Sequence[Sequence[Ruling]]) -> Iterator[tuple[int, int, int]]:
    """The examples that were not decided as they should be: which, how often, and how often it was unsure."""
    for number, (is_invalid, rulings) in enumerate(zip(invalid, zip(*rounds, strict=True), strict=True)):
        should = "fail" if is_invalid else "pass"
        bad = [ruling for ruling in rulings if ruling != should]
        if bad:
            yield number, len(bad), bad.count("unsure")


def describe_measure(found: JudgeMeasure, bar: JudgeBar) -> str:
    """A measure in a line, with what it has to reach."""
    rates = " ".join(f"{name} {getattr(found, name):.2f}" for name in JudgeBar.__dataclass_fields__)
    wanted = "/".join(f"{getattr(bar, name):g}" for name in JudgeBar.__dataclass_fields__)
    return f"{rates}, bar {wanted}, {found.repeats} times, model {found.model}"
