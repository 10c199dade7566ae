"""What test programs print."""

import re

# What test programs say where they found nothing to run: a good exit code says nothing then.
_NO_TESTS = re.compile(
    r"^\W*(?:no tests? (?:files? )?(?:ran|found|were (?:found|run)|to run|collected|executed)|ran 0 tests|"
    r"0 passing|0 examples, 0 failures|tests:\s+0 total|error: no test specified)\b",
    re.IGNORECASE | re.MULTILINE,
)
_SIGNS_OF_OUTPUT = 20_000  # at its end, where test programs sum up


def ran_no_tests(output: str) -> bool:
    """Whether a test program says that it has run none."""
    return bool(_NO_TESTS.search(output[-_SIGNS_OF_OUTPUT:]))
