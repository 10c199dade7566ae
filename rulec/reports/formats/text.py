"""Verdicts in words: which rule, where, the quote behind it, what to do instead."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby

from rulec.domain.artifact import RuleFacts
from rulec.domain.enforcement import MODES, is_shown
from rulec.domain.finding import ProofRow, Verdict
from rulec.domain.plugs import Reporter
from rulec.reports import proof_table
from rulec.reports.wording import place_of, summary, to_utf8

_SHOWN = 10  # findings of one rule; the rest are counted


def report(verdicts: Sequence[Verdict], counts: Mapping[str, int], rows: Sequence[ProofRow] = ()) -> str:
    """One paragraph for each rule, then a line that counts everything, hidden findings too."""
    lines: list[str] = []
    shown = [verdict for verdict in verdicts if is_shown(verdict.outcome)]
    for (outcome, slug), group in groupby(shown, key=lambda v: (v.outcome, v.facts.slug)):
        own = list(group)
        lines += [f"{MODES[outcome].heading} {slug}: {' '.join(own[0].facts.statement.split())}"]
        lines += _places(own)
        lines += [*_words(own[0].facts, own), ""]
    lines += [line for verdict in verdicts if verdict.lost for line in _lost(verdict)]
    steps = [proof_table.proof_summary(rows)] if rows else []
    return to_utf8("\n".join([*lines, *steps, summary(verdicts, counts)]))


def _lost(verdict: Verdict) -> Iterator[str]:
    """A finding of a rule that another rule overrides."""
    yield f"passed by {verdict.facts.slug}: {verdict.lost}"
    if verdict.finding:
        yield f"  {place_of(verdict.finding)}"
    yield ""


def _places(verdicts: Sequence[Verdict]) -> Iterator[str]:
    for verdict in verdicts[:_SHOWN]:
        if verdict.finding:
            yield f"  {place_of(verdict.finding)}"
        elif verdict.fault:
            yield f"  {'not judged' if verdict.fault.overrun else 'its check broke'}: {verdict.fault.what}"
        if verdict.because:
            yield f"    {verdict.because}"
    if len(verdicts) > _SHOWN:
        yield f"  … and {len(verdicts) - _SHOWN} more"


def _words(facts: RuleFacts, verdicts: Sequence[Verdict]) -> Iterator[str]:
    if facts.quote:
        yield f'  said: "{facts.quote}"' + (f" ({facts.said})" if facts.said else "")
    for name in dict.fromkeys(v.finding.by for v in verdicts if v.finding and v.finding.by):
        yield f"  judged by {name}"
    cures = dict.fromkeys(v.finding.cure for v in verdicts if v.finding and v.finding.cure)
    cure = next(iter(cures), "") or facts.do
    if cure:
        yield f"  instead: {cure}"
    if any(verdict.fault and not verdict.fault.overrun for verdict in verdicts):
        yield f"  fix: .rules/{facts.slug}.yaml or its template, then rulec compile"
    yield f"  more: rulec why {facts.slug}"


PLUG = Reporter(name="text", report=report)
