"""The table of strict and testable rules, drawn for Markdown, for logs and in one line."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence

from rulec.domain.finding import HOW, ProofRow
from rulec.reports.wording import as_many_as_fit, clip_line, code_span, count_of

SHOWN = 100  # rows
LARGEST = 24_000  # bytes of a table; a comment has room for twice as much beside it
LONGEST = 120  # characters of a cell
HEADING = "### Strict and testable rules"
_PIPE = re.compile(r"\\*\|")  # backslashes before a bar would take back its own


def markdown_table(rows: Sequence[ProofRow]) -> str:
    """The rows as a table of GitHub's and GitLab's Markdown; no text in a cell can end it, link or call people."""
    if not rows:
        return ""
    lines = as_many_as_fit([_line(row) for row in rows[:SHOWN]], LARGEST, "")
    left = len(rows) - len([line for line in lines if line])
    more = f"… and {count_of(left, 'more row')}. {proof_summary(rows)}\n" if left else ""
    head = [f"{HEADING}\n", "| rule | level | proof |", "|---|---|---|"]
    return "\n".join([*head, *filter(None, lines), "", *filter(None, [more])])


def _line(row: ProofRow) -> str:
    by = f": {_cell(row.by)}" if row.by else ""
    return f"| {_cell(row.rule)} | {row.level} | {row.how}{by} |"


def _cell(text: str) -> str:
    return _PIPE.sub(r"\\|", code_span(text, LONGEST))


def plain_rows(rows: Sequence[ProofRow]) -> Iterator[str]:
    """The rows as lines of a log; none begins as a command of a runner does."""
    if not rows:
        return
    yield "strict and testable rules:"
    for row in rows[:SHOWN]:
        cells = (row.rule, row.level, ": ".join(filter(None, (row.how, row.by))))
        yield f"- {' | '.join(clip_line(cell, LONGEST) for cell in cells)}".replace("##[", "## [")
    if len(rows) > SHOWN:
        yield f"- … and {count_of(len(rows) - SHOWN, 'more row')}"


def proof_summary(rows: Sequence[ProofRow]) -> str:
    """How many such rules are proved and how, in one line."""
    number = Counter(row.how for row in rows)
    told = ", ".join(f"{number[how]} {how}" for how in HOW if number[how])
    return f"{count_of(len(rows), 'strict or testable rule')}: {told}"
