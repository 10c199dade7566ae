"""Verdicts -> report files, beside what a person is shown: ``--report FORMAT=FILE``."""

from collections.abc import Sequence

from rulec import registry
from rulec.commands._outcome import Outcome
from rulec.errors import RulecError
from rulec.host import reportfile
from rulec.ports import Reporter

Wanted = Sequence[tuple[Reporter, str]]


def wanted(asked: Sequence[str]) -> Wanted:
    """Each form with its file; RulecError before anything is judged where one of them makes no sense."""
    return [_one(text) for text in asked]


def _one(text: str) -> tuple[Reporter, str]:
    form, _, path = text.partition("=")
    if not path:
        raise RulecError(f"no file in {text!r}", where="--report", hint="write FORMAT=FILE, such as sarif=rulec.sarif")
    return registry.reporter(form), path


def write(reports: Wanted, outcome: Outcome) -> None:
    """Every report of what ``rulec check`` found, in its file."""
    verdicts, counts = outcome.data or ((), {})
    for reporter, path in reports:
        reportfile.write(path, reporter.report(verdicts, counts))
