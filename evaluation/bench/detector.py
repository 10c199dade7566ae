"""The detector's weights: ``bench detector train|evaluate`` at the root of the repository.

``train`` fits the weights on ../shared/data/turns and rewrites rulec/mining/turn_weights.py; ``evaluate`` fits
them with whole sources left out and prints what the left-out turns score (average precision, precision and recall of
band auto, recall of auto and review at the share shown, and the figures for a table of thresholds). The model is a
logistic regression with ridge, in plain Python: signs (rulec/mining/turn_signs.py) in, one weight for each out.
Turns written by a model count little: they are many, and of another manner.
"""

import json
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import exp, log1p
from pathlib import Path

from rulec.mining.turn_signs import TurnContext, read_turn, signs_of

ROOT = Path(__file__).parents[2]
TURNS = ROOT.parent / "shared" / "data" / "turns"
WEIGHTS = ROOT / "rulec" / "mining" / "turn_weights.py"
ALONE = 4  # the sources with most turns are left out one by one, the small ones together
RIDGE = 10.0
SYNTHETIC = 0.05  # what a written turn counts beside a real one
RARE = 15  # a sign that holds of fewer real turns has no weight
SMALL = 0.05  # a weight below is none
ROUNDS = 25
AUTO, REVIEW = -0.2, -2.2  # thresholds in log odds, chosen from left-out scores


@dataclass(frozen=True)
class Row:
    """One labelled turn, as its signs."""

    source: str
    durable: bool
    plain: bool
    signs: frozenset[str]
    text: str


@dataclass(frozen=True)
class Model:
    """A base and one weight for each sign."""

    base: float
    weights: dict[str, float]

    def odds(self, row: Row) -> float:
        return self.base + sum(self.weights.get(sign, 0.0) for sign in row.signs)


def rows(name: str) -> list[Row]:
    lines = (TURNS / name).read_text(encoding="utf-8").splitlines()
    return [_row(json.loads(line)) for line in lines if line]


def _row(turn: dict[str, object]) -> Row:
    text, said = str(turn["text"]), str(turn["prev_text"] or "")
    read = read_turn(text)
    around = TurnContext(
        kind=str(turn["kind"]),
        interrupted=bool(turn["interrupted"]),
        acted=bool(turn["prev_tools"]) or "```" in said,
    )
    signs = frozenset(signs_of(read, around))
    return Row(str(turn["source"]), turn["label"] == "durable", read.is_plain, signs, text)


def folds(real: Sequence[Row]) -> dict[str, str]:
    """Each source and the fold it is in."""
    large = [source for source, _ in Counter(row.source for row in real).most_common(ALONE)]
    return {row.source: row.source if row.source in large else "others" for row in real}


def fit(real: Sequence[Row], written: Sequence[Row]) -> Model:
    """Newton's method with halved steps; sources count by the root of their size."""
    fold = folds(real)
    size = Counter(fold[row.source] for row in real)
    share = {name: (len(real) / len(size) / count) ** 0.5 for name, count in size.items()}
    held = Counter(sign for row in real for sign in row.signs)
    names = sorted(name for name, count in held.items() if RARE <= count < len(real) - RARE)
    place = {name: number + 1 for number, name in enumerate(names)}
    given = [(row, share[fold[row.source]]) for row in real] + [(row, SYNTHETIC) for row in written]
    sample = [([0, *sorted(place[s] for s in row.signs if s in place)], row.durable, weight) for row, weight in given]
    found = _newton(sample, len(names) + 1)
    return Model(found[0], dict(zip(names, found[1:], strict=True)))


Sample = list[tuple[list[int], bool, float]]


def _newton(sample: Sample, width: int) -> list[float]:
    ridge = [1e-3] + [RIDGE] * (width - 1)
    found = [0.0] * width
    loss = _loss(sample, found, ridge)
    for _ in range(ROUNDS):
        step = _solve(*_slopes(sample, found, ridge))
        scale = 1.0
        while scale > 1e-4:
            tried = [f - scale * s for f, s in zip(found, step, strict=True)]
            new = _loss(sample, tried, ridge)
            if new <= loss:
                break
            scale /= 2
        done = loss - new < 1e-4
        found, loss = tried, new
        if done:
            break
    return found


def _loss(sample: Sample, found: Sequence[float], ridge: Sequence[float]) -> float:
    total = sum(r * f * f for r, f in zip(ridge, found, strict=True)) / 2
    for signs, durable, weight in sample:
        odds = sum(found[sign] for sign in signs)
        total += weight * (max(odds, 0.0) + log1p(exp(-abs(odds))) - odds * durable)
    return total


def _slopes(sample: Sample, found: Sequence[float], ridge: Sequence[float]) -> tuple[list[list[float]], list[float]]:
    slope = [r * f for r, f in zip(ridge, found, strict=True)]
    bend = [[r if a == b else 0.0 for b in range(len(found))] for a, r in enumerate(ridge)]
    for signs, durable, weight in sample:
        chance = 1 / (1 + exp(-sum(found[sign] for sign in signs)))
        pull, curve = weight * (chance - durable), weight * chance * (1 - chance)
        for sign in signs:
            slope[sign] += pull
            row = bend[sign]
            for other in signs:
                row[other] += curve
    return bend, slope


def _solve(matrix: list[list[float]], right: list[float]) -> list[float]:
    """Gauss; the ridge keeps every pivot away from zero."""
    size = len(right)
    rows_ = [[*row, value] for row, value in zip(matrix, right, strict=True)]
    for k in range(size):
        for i in range(k + 1, size):
            if factor := rows_[i][k] / rows_[k][k]:
                rows_[i] = [a - factor * b for a, b in zip(rows_[i], rows_[k], strict=True)]
    found = [0.0] * size
    for k in reversed(range(size)):
        found[k] = (rows_[k][size] - sum(rows_[k][j] * found[j] for j in range(k + 1, size))) / rows_[k][k]
    return found


def left_out(real: Sequence[Row], written: Sequence[Row]) -> list[float]:
    """The log odds of each turn by a model that has seen nothing of its source."""
    fold = folds(real)
    models = {
        name: fit([row for row in real if fold[row.source] != name], written) for name in sorted(set(fold.values()))
    }
    return [models[fold[row.source]].odds(row) for row in real]


def average_precision(wanted: Sequence[bool], odds: Sequence[float]) -> float:
    ranked = sorted(zip(odds, wanted, strict=True), key=lambda pair: -pair[0])
    hits = [number for number, (_, want) in enumerate(ranked, 1) if want]
    return sum(count / place for count, place in enumerate(hits, 1)) / max(1, len(hits))


def evaluate(real: Sequence[Row], written: Sequence[Row]) -> Iterator[str]:
    """The lines of the report."""
    odds, fold = left_out(real, written), folds(real)
    durable = sum(row.durable for row in real)
    ap = average_precision([row.durable for row in real], odds)
    yield f"average precision {ap:.3f} over {durable} durable of {len(real)}"
    for name in dict.fromkeys(fold.values()):
        own = [(row.durable, o) for row, o in zip(real, odds, strict=True) if fold[row.source] == name]
        ap = average_precision([want for want, _ in own], [o for _, o in own])
        shown = sum(o >= REVIEW for _, o in own) / len(own)
        yield f"  {name:8} {ap:.3f} over {sum(w for w, _ in own):3} of {len(own):4}; {shown:.0%} shown"
    for at in (0.6, 0.4, 0.2, 0.1, 0.0, -0.1, -0.2, -0.4):
        precision, recall, shown = auto(real, odds, at)
        yield f"auto   from {at:5.2f}: precision {precision:.3f} recall {recall:.3f} by showing {shown:.1%}"
    for at in (-1.9, -2.0, -2.1, -2.2, -2.3, -2.4):
        precision, recall, shown = review(real, odds, at)
        yield f"review from {at:5.2f}: precision {precision:.3f} recall {recall:.3f} by showing {shown:.1%}"


def auto(real: Sequence[Row], odds: Sequence[float], at: float = AUTO) -> tuple[float, float, float]:
    """Precision, recall and share of the turns that are acted on alone."""
    return _band(real, [o >= at and row.plain for row, o in zip(real, odds, strict=True)])


def review(real: Sequence[Row], odds: Sequence[float], at: float = REVIEW) -> tuple[float, float, float]:
    """Precision, recall and share of the turns that are shown in either band."""
    return _band(real, [o >= at for o in odds])


def _band(real: Sequence[Row], shown: Sequence[bool]) -> tuple[float, float, float]:
    right = sum(row.durable for row, show in zip(real, shown, strict=True) if show)
    return right / max(1, sum(shown)), right / max(1, sum(row.durable for row in real)), sum(shown) / len(real)


def table(model: Model) -> str:
    """The module of weights."""
    kept = {name: round(weight, 2) for name, weight in model.weights.items() if abs(weight) >= SMALL}
    lines = "\n".join(f'    "{name}": {weight},' for name, weight in sorted(kept.items(), key=lambda pair: -pair[1]))
    return (
        '"""Log odds of the signs of a lasting wish; written by ``python -m evaluation bench detector train``."""\n\n'
        f"BASE = {model.base:.2f}  # of a turn that shows no sign at all\n"
        f"AUTO, REVIEW = {AUTO}, {REVIEW}  # from here on a turn is acted on alone, or shown to a person\n\n"
        f"WEIGHTS = {{\n{lines}\n}}\n"
    )


def main() -> None:
    real, written = rows("context.jsonl"), rows("synthetic.jsonl")
    if sys.argv[1:] == ["train"]:
        WEIGHTS.write_text(table(fit(real, written)), encoding="utf-8")
        print(f"{WEIGHTS} written")
    elif sys.argv[1:] == ["evaluate"]:
        for line in evaluate(real, written):
            print(line, flush=True)
    else:
        sys.exit(__doc__)


if __name__ == "__main__":
    main()
