"""Verdicts as the summary of a pull request."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby

from rulec.domain.enforcement import MODES, refuses
from rulec.domain.finding import ProofRow, Verdict
from rulec.domain.plugs import Reporter
from rulec.reports import proof_table
from rulec.reports.wording import as_many_as_fit, code_span, file_of, path_of, summary

LARGEST = 60_000  # bytes; a comment of GitHub's holds 65,536 signs
SHOWN = 20  # findings of one rule
_HEAD = {name: mode.heading.capitalize() for name, mode in MODES.items()} | {"excepted": "Excepted:"}


def report(verdicts: Sequence[Verdict], counts: Mapping[str, int], rows: Sequence[ProofRow] = ()) -> str:
    """A heading, a list for each rule, the table of rules by step, and the line that counts everything."""
    shown = [verdict for verdict in verdicts if verdict.outcome in _HEAD]
    groups = [list(own) for _, own in groupby(shown, key=lambda v: (v.outcome, v.facts.slug))]
    refused = any(refuses(verdict.outcome) for verdict in verdicts)
    head = "## rulec: refused" if refused else "## rulec: nothing is refused"
    table = proof_table.markdown_table(rows)
    room, more = LARGEST - len(table.encode()), "… and {} more rules; the log has them all.\n"
    rules = as_many_as_fit(["\n".join(_rule(own)) for own in groups], room, more)
    return "\n".join([f"{head}\n", *rules, *filter(None, [table]), summary(verdicts, counts)])


def _rule(verdicts: Sequence[Verdict]) -> Iterator[str]:
    facts = verdicts[0].facts
    yield f"### {_HEAD[verdicts[0].outcome]} {code_span(facts.slug)}\n"
    yield f"{code_span(facts.statement)}\n"
    for verdict in verdicts[:SHOWN]:
        yield f"- {_place(verdict)}"
    if len(verdicts) > SHOWN:
        yield f"- … and {len(verdicts) - SHOWN} more"
    cure = next((v.finding.cure for v in verdicts if v.finding and v.finding.cure), "") or facts.do
    if cure:
        yield f"\nInstead: {code_span(cure)}"
    if facts.quote:
        yield f"\nSaid: {code_span(facts.quote)}" + (f" ({code_span(facts.said)})" if facts.said else "")
    yield ""


def _place(verdict: Verdict) -> str:
    finding = verdict.finding
    if finding is None:
        unheard = verdict.fault is not None and verdict.fault.unheard
        broke = "not judged" if unheard else "its check broke"
        return f"{broke}: {code_span(verdict.fault.what if verdict.fault else '')}"
    at = f":{finding.line}" if finding.line else ""
    words = [
        code_span(f"{path_of(file_of(verdict))}{at}"),
        code_span(finding.text),
        code_span(verdict.because or verdict.lost),
    ]
    words += [f"judged by {code_span(finding.by)}"] * bool(finding.by)
    return " · ".join(filter(None, words))


PLUG = Reporter(name="markdown", report=report)
