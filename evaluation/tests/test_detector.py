"""What the detector's words are worth on people that its weights have not seen."""

import pytest

from evaluation.bench import detector


@pytest.mark.skipif(not detector.TURNS.exists(), reason="../shared/data is absent")
def test_the_bars_are_met_with_whole_sources_left_out() -> None:
    real, written = detector.rows("context.jsonl"), detector.rows("synthetic.jsonl")
    odds = detector.left_out(real, written)
    assert detector.average_precision([row.durable for row in real], odds) >= 0.19
    precision, recall, _ = detector.auto(real, odds)
    assert precision >= 0.65
    assert recall > 0
    _, recall, shown = detector.review(real, odds)
    assert recall >= 0.55
    assert shown <= 0.20


def test_training_finds_the_sign_that_tells() -> None:
    rows = [
        detector.Row(
            source=f"s{number % 3}",
            durable=number % 4 == 0,
            plain=True,
            signs=frozenset({"lasting"} if number % 4 == 0 else {"idle"} if number % 2 else set()),
            text="",
        )
        for number in range(240)
    ]
    model = detector.fit(rows, [])
    assert model.weights["lasting"] > 0 > model.weights["idle"]
    odds = [model.odds(row) for row in rows]
    assert detector.average_precision([row.durable for row in rows], odds) == pytest.approx(1.0)
    assert '"lasting": ' in detector.table(model)
