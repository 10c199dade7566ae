"""A law of proposed exceptions: none is proposed that accepting would refuse, and what it leaves alone passes."""

from pathlib import Path

import pytest

from evaluation.bench import exceptions

pytestmark = pytest.mark.e2e  # many real processes: CI runs these

NUMBER = 10


def test_what_three_notes_propose_is_accepted_and_fits(tmp_path: Path) -> None:
    some = list(exceptions.triples(NUMBER, seed=7))
    top = exceptions.founded(tmp_path / "repo", some)
    told = {triple.rule.slug: exceptions.played(top, triple) for triple in some}
    made = [what for what, _ in told.values()]
    assert set(made) <= {"right", "none"}, told
    assert made.count("right") >= 2 * NUMBER // 3, told
