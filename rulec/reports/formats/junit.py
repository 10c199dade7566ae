"""Verdicts as JUnit XML: a test case for each rule with a verdict."""

import re
from collections.abc import Iterator, Mapping, Sequence
from html import escape
from itertools import groupby

from rulec.domain.enforcement import refuses
from rulec.domain.finding import ProofRow, Verdict
from rulec.domain.plugs import Reporter
from rulec.reports.wording import clip_line, describe_verdict, place_of, summary, to_utf8

_NO_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
LISTED = 200  # findings of one rule
LONGEST = 1_000  # signs of one line


def report(verdicts: Sequence[Verdict], counts: Mapping[str, int], _: Sequence[ProofRow] = ()) -> str:
    """A blocking rule fails, a broken check is an error, any other rule passes with its findings as output."""
    named = sorted(verdicts, key=lambda v: v.facts.slug)
    rules = [(slug, list(own)) for slug, own in groupby(named, key=lambda v: v.facts.slug)]
    cases = [_case(slug, own) for slug, own in rules] or ['<testcase classname="rulec" name="all rules"/>']
    states = [_state(own) for _, own in rules]
    told = f'name="rulec" tests="{len(cases)}" failures="{states.count("failure")}" errors="{states.count("error")}"'
    last = f"<system-out>{_text(summary(verdicts, counts))}</system-out>"
    head = '<?xml version="1.0" encoding="UTF-8"?>'
    return "\n".join(
        [head, f"<testsuites {told}>", f"<testsuite {told}>", *cases, last, "</testsuite>", "</testsuites>"]
    )


def _case(slug: str, verdicts: Sequence[Verdict]) -> str:
    state, body = _state(verdicts), _text("\n".join(_lines(verdicts)))
    inner = f"<system-out>{body}</system-out>"
    if state:
        message = next(v.facts.statement if v.finding else describe_verdict(v) for v in verdicts if refuses(v.outcome))
        inner = f'<{state} type="{_text(slug)}" message="{_text(clip_line(message))}">{body}</{state}>'
    return f'<testcase classname="rulec" name="{_text(slug)}">{inner}</testcase>'


def _state(verdicts: Sequence[Verdict]) -> str:
    refusing = [verdict for verdict in verdicts if refuses(verdict.outcome)]
    return "failure" if any(v.finding for v in refusing) else "error" if refusing else ""


def _lines(verdicts: Sequence[Verdict]) -> Iterator[str]:
    for verdict in verdicts[:LISTED]:
        at = place_of(verdict.finding) if verdict.finding else ""
        yield (
            f"{verdict.outcome}: {clip_line(at, LONGEST)} ({describe_verdict(verdict)})"
            if at
            else f"{verdict.outcome}: {describe_verdict(verdict)}"
        )
    if len(verdicts) > LISTED:
        yield f"… and {len(verdicts) - LISTED} more"


def _text(text: str) -> str:
    return escape(_NO_XML.sub("\ufffd", to_utf8(text)))


PLUG = Reporter(name="junit", report=report)
