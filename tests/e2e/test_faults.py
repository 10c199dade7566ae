"""A few of the trials of ``evaluation/bench/faults.py``, which has the whole."""

import os
import sys

import pytest

from evaluation.bench import faults

SAMPLES = {"kills": 6, "disk": 2, "writers": 1}


@pytest.mark.parametrize("kind", SAMPLES)
def test_no_fault_leaves_anything_half_done(kind: str) -> None:
    if kind == "disk" and (sys.platform != "linux" or os.geteuid() != 0):
        pytest.skip("only root can mount a small file system")
    assert [(name, wrong) for name, wrong in faults.failures(kind, SAMPLES[kind], seed=3) if wrong] == []
