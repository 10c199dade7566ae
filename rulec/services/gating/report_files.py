"""Writes reports into files, beside what a person is shown."""

from collections.abc import Sequence

from rulec import registry
from rulec.domain.outcome import Outcome
from rulec.domain.plugs import Reporter
from rulec.errors import RulecError
from rulec.infra import text_files

ReportFiles = Sequence[tuple[Reporter, str]]


def report_files(asked: Sequence[str]) -> ReportFiles:
    """Each form with its file; RulecError before anything is judged where one of them makes no sense."""
    return [_one(text) for text in asked]


def _one(text: str) -> tuple[Reporter, str]:
    form, _, path = text.partition("=")
    if not path:
        raise RulecError(f"no file in {text!r}", where="--report", hint="write FORMAT=FILE, such as sarif=rulec.sarif")
    return registry.reporter(form), path


def write_reports(reports: ReportFiles, outcome: Outcome) -> None:
    """Every report of what ``rulec check`` found, in its file."""
    verdicts, counts = outcome.data or ((), {})
    for reporter, path in reports:
        text_files.write_report(path, reporter.report(verdicts, counts))
