"""Mutated transcripts and rule files: a sample of ``evaluation/bench/faults.py mutated``."""

import pytest

from evaluation.bench import faults

pytestmark = pytest.mark.e2e  # many real processes: CI runs these


def test_no_mutated_input_is_a_traceback_or_half_written() -> None:
    assert [(name, wrong) for name, wrong in faults.failures("mutated", 60, seed=5) if wrong] == []
