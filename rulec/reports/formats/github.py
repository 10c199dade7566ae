"""Verdicts as GitHub annotations: the most severe ones, as many as a step shows, and the rest as plain lines."""

from collections.abc import Iterator, Mapping, Sequence

from rulec.domain.enforcement import MODES, is_shown
from rulec.domain.finding import ProofRow, Verdict
from rulec.domain.plugs import Reporter
from rulec.reports import proof_table
from rulec.reports.wording import clip_line, describe_verdict, file_of, path_of, summary, to_utf8

SHOWN = 10  # errors of one step that GitHub shows, and as many warnings
LISTED = 500  # plain lines


def report(verdicts: Sequence[Verdict], counts: Mapping[str, int], rows: Sequence[ProofRow] = ()) -> str:
    """One workflow command for each finding; no text of a change can make the runner obey it."""
    lines: list[str] = []
    rest: list[Verdict] = []
    for outcome in filter(is_shown, reversed(MODES)):
        own = [verdict for verdict in verdicts if verdict.outcome == outcome]
        lines += [_annotation(verdict) for verdict in own[:SHOWN]]
        rest += own[SHOWN:]
    lines += [*_plain(rest), *proof_table.plain_rows(rows)]
    return "\n".join([*lines, summary(verdicts, counts)])


def _annotation(verdict: Verdict) -> str:
    finding, at = verdict.finding, file_of(verdict)
    properties = {"file": to_utf8(at)} if at else {}
    if finding and finding.line:
        properties |= {"line": str(finding.line), "endLine": str(max(finding.last, finding.line))}
    properties["title"] = f"rulec: {verdict.facts.slug}"
    given = ",".join(f"{name}={_property(value)}" for name, value in properties.items())
    return f"::{MODES[verdict.outcome].level} {given}::{_data(describe_verdict(verdict))}"


def _plain(verdicts: Sequence[Verdict]) -> Iterator[str]:
    if verdicts:
        yield f"GitHub shows no more annotations of one step; here are the other {len(verdicts)}:"
    for verdict in verdicts[:LISTED]:
        at = f":{verdict.finding.line}" if verdict.finding and verdict.finding.line else ""
        place = f"{clip_line(path_of(file_of(verdict)))}{at}"
        told = f"{verdict.outcome} {verdict.facts.slug} {place}: {describe_verdict(verdict)}"
        yield f"- {told.replace('##[', '## [')}"
    if len(verdicts) > LISTED:
        yield f"- … and {len(verdicts) - LISTED} more"


def _data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")


PLUG = Reporter(name="github", report=report)
