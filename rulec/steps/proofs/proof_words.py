"""How a rule at a step is proved, as commands in the same words wherever a proof is asked for."""

from rulec.steps.proofs import run_records

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

ANY_SUITE = "SUITE"


def test_command(prove: str, suites: "Sequence[str]") -> str:
    """The command that proves a rule by a test of the first suite, and what the test has to be.

    ``prove`` is the command up to its options.
    """
    suite = suites[0] if suites else ANY_SUITE
    return f"{prove} --test {suite}::TEST, with a test that is red without the change"


def recorded_suites(root: str) -> "list[str]":
    """The suites that count tests and that rulec ran here, the one that ran last first.

    The hook has no reader of settings, in which suites are named.
    """
    return run_records.counted_suites(root)
