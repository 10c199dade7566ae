"""The table of strict and testable rules: complete, bounded, and no text in it can do more than be read."""

import json
import re

from rulec.domain.finding import ProofRow, in_order
from rulec.reports import proof_table
from rulec.reports.formats import github, gitlab, markdown, sarif, text
from rulec.reports.formats import json as json_report

CHECKED = ProofRow(rule="use-pnpm", level="strict", how="checked")
TESTED = ProofRow(rule="tested-totals", level="testable", how="tested", by="test_a of unit")
OPEN = ProofRow(rule="tested-totals", level="testable", how="not proved", by="no test")
ROWS = in_order([CHECKED, TESTED, OPEN, CHECKED])
HOSTILE = (
    "a | b", "\\|", "\\\\|", "ends \\", "`", "``` | ```", "<script>alert(1)</script>", "[x](http://e.x)", "@team #1",
    "a\nb", "::error::x", "##[error]x", "\u202eabc", "x" * 500, "--> | -->", "|" * 300,
)  # fmt: skip
_CELL = re.compile(r"(?:\\[!-/:-@\[-`{-~]|[^|\\]|\\)*")  # as GitHub splits a line of a table


def test_what_is_not_proved_comes_first_and_nothing_twice() -> None:
    assert ROWS == [OPEN, CHECKED, TESTED]


def test_markdown_has_a_line_for_each_row() -> None:
    lines = proof_table.markdown_table(ROWS).splitlines()
    assert lines[4:] == [
        "| `tested-totals` | testable | not proved: `no test` |",
        "| `use-pnpm` | strict | checked |",
        "| `tested-totals` | testable | tested: `test_a of unit` |",
    ]


def test_no_text_leaves_its_cell() -> None:
    wrong = {}
    for told in HOSTILE:
        row = ProofRow(rule="r", level="strict", how="not proved", by=told)
        *_, line = proof_table.markdown_table([row]).splitlines()
        bars = [found.group() for found in re.finditer(r"\\\||\|", line)]
        spans = re.sub(r"(`+)(?!`).*?(?<!`)\1(?!`)", "", line)
        if bars.count("|") != 4 or re.search(r"[<\[@#`]|http", spans):
            wrong[told] = line
    assert wrong == {}


def test_a_log_takes_no_text_for_a_command() -> None:
    rows = [ProofRow(rule="r", level="strict", how="not proved", by=told) for told in HOSTILE]
    lines = list(proof_table.plain_rows(rows))
    assert len(lines) == len(rows) + 1
    assert not [line for line in lines if line.startswith(("::", "##[")) or "##[" in line or "\n" in line]


def test_the_table_is_bounded_and_says_what_is_left_out() -> None:
    rows = [ProofRow(rule=f"rule-{n}", level="strict", how="checked") for n in range(250)]
    assert "… and 150 more rows. 250 strict or testable rules: 250 checked" in proof_table.markdown_table(rows)
    wide = [ProofRow(rule=f"rule-{n}", level="strict", how="checked", by="€" * 120) for n in range(100)]
    assert len(proof_table.markdown_table(wide).encode()) < proof_table.LARGEST + 1_000
    assert len(markdown.report([], {}, wide).encode()) < markdown.LARGEST
    assert list(proof_table.plain_rows(rows))[-1] == "- … and 150 more rows"


def test_each_form_tells_of_the_rows_or_stays_as_it_is() -> None:
    assert json.loads(json_report.report([], {}, ROWS))["proofs"][0] == {
        "rule": "tested-totals", "level": "testable", "how": "not proved", "by": "no test"
    }  # fmt: skip
    assert text.report([], {}, ROWS).splitlines()[0] == "3 strict or testable rules: 1 not proved, 1 checked, 1 tested"
    assert "- tested-totals | testable | not proved: no test" in github.report([], {}, ROWS).splitlines()
    for form in (sarif, gitlab):
        assert form.report([], {}, ROWS) == form.report([], {})
    for form in (json_report, text, github, markdown):
        assert form.report([], {}, ()) == form.report([], {})
