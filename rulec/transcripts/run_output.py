"""What test programs print."""

import re

# What test programs say where they found nothing to run: a good exit code says nothing then.
_NO_TESTS = re.compile(
    r"^\W*(?:no tests? (?:files? )?(?:ran|found|were (?:found|run)|to run|collected|executed)|ran 0 tests|"
    r"0 passing|0 examples, 0 failures|tests:\s+0 total|error: no test specified)\b",
    re.IGNORECASE | re.MULTILINE,
)
# What only a failure makes them say: a count of failures that is not zero, a verdict, an error that nobody caught.
_COUNTS_FAILURES = re.compile(
    r"(?<![.\d])[1-9]\d* (?:tests? |specs? |suites? |files? )?(?:failed|failing|failures?|errors?)\b"
    r"|\b(?:failures|errors|failed|fail)\s*[:=]\s*[1-9]|^# fail [1-9]|^not ok \d|^--- FAIL:|^FAIL\s+\S"
    r"|^test result: FAILED|^FAILED \(|^Traceback \(most recent call last\):|^BUILD FAIL(?:ED|URE)",
    re.IGNORECASE | re.MULTILINE,
)
_SIGNS_OF_OUTPUT = 20_000  # at its end, where test programs sum up


def ran_no_tests(output: str) -> bool:
    """Whether a test program says that it has run none."""
    return bool(_NO_TESTS.search(output[-_SIGNS_OF_OUTPUT:]))


def shows_failure(output: str) -> bool:
    """Whether the output tells of something that failed, whatever the exit code says."""
    return bool(_COUNTS_FAILURES.search(output[-_SIGNS_OF_OUTPUT:]))
