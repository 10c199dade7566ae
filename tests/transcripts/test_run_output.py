"""What the output of a run tells of failures."""

import pytest

from rulec.transcripts.run_output import shows_failure

FAILED = [
    "1 failed, 12 passed in 0.31s", "=== 2 errors in 0.1s ===", "FAILED (failures=1)", "5 examples, 1 failure",
    "Tests run: 5, Failures: 1, Errors: 0", "test result: FAILED. 3 passed; 1 failed", "# fail 2",
    "--- FAIL: TestX (0.00s)",
    "FAIL\texample.com/x\t0.01s", "Tests:       1 failed, 3 passed, 4 total", "  2 failing", "Found 3 errors.",
    "x\nTraceback (most recent call last):\n  File", "not ok 3 - adds",
]  # fmt: skip
PASSED = [
    "12 passed in 0.31s", "0 failed, 12 passed", "10 passed, 1 xfailed", "Tests run: 5, Failures: 0, Errors: 0",
    "5 examples, 0 failures", "# fail 0", "0 errors, 3 warnings", "ok 3 - reports 0 failures", "test_failed PASSED",
    "test result: ok. 3 passed; 0 failed", "PASS src/fail.test.ts", "no errors", "OK (skipped=1)",
]  # fmt: skip


@pytest.mark.parametrize("output", FAILED)
def test_a_failure_shows_in_the_output(output):
    assert shows_failure(output)


@pytest.mark.parametrize("output", PASSED)
def test_a_good_run_shows_none(output):
    assert not shows_failure(output)
