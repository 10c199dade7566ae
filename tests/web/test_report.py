"""Report: refusals, repeats and the time to fix, by rule and week."""

import html
import json
import re
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from rulec.checkout import ledger
from rulec.domain.evidence import LedgerLine
from rulec.reports.followed_findings import follow_findings, in_words
from rulec.services.history.activity import followed_findings
from tests.conftest import Run

LINE = {"event": "ask", "agent": "codex", "slug": "use-pnpm", "outcome": "block", "kind": "command", "of": "npm"}
NASTY = "<script>alert(1)</script> \u202e{{ 7 * 7 }} sk-ant-api03-AAAAAAAAAAAAAAAAAAAAAAAAAAAA"
LINES = [
    {"at": "2026-11-02T10:00:00Z", "session": "a"},
    {"at": "2026-11-02T10:06:00Z", "session": "a", "outcome": "fixed"},
    {"at": "2026-11-04T10:00:00Z", "session": "b"},
    {"at": "2026-11-10T10:00:00Z", "session": "c", "times": 2},
    {"at": "2026-11-10T10:02:00Z", "session": "c", "outcome": "fixed", "times": 2},
    {"at": "2026-11-11T10:00:00Z", "session": "d", "slug": "no-stash", "outcome": "warn"},
]


def words(text: str) -> str:
    """What a person reads of it."""
    return " ".join(html.unescape(re.sub(r"<[^>]+>", " ", text)).split())


@pytest.fixture
def book(ruled: Path) -> Path:
    """A rulebook whose gates found something in two weeks."""
    (ruled / ".git/rulec").mkdir(exist_ok=True)
    texts = (json.dumps({**LINE, **line, "id": f"{number:012x}"}) for number, line in enumerate(LINES))
    (ruled / ".git/rulec" / ledger.NAME).write_text("\n".join(texts) + "\n")
    return ruled


@pytest.mark.usefixtures("book")
def test_weeks_tell_what_was_new_what_was_repeated_and_how_soon_it_was_fixed(page: TestClient) -> None:
    text = words(page.get("/report").text)
    assert "2026-11-02 1 1 1 6 min" in text  # one on the first day, one again, one fixed
    assert "2026-11-09 1 2 2 2 min" in text
    assert "shown again on a later day 3" in text
    since = words(page.get("/report?since=2026-11-09").text)
    assert "2026-11-02" not in since.partition("By week")[2]


@pytest.mark.usefixtures("book")
def test_the_plots_need_no_style_of_their_own(page: TestClient) -> None:
    text = page.get("/report").text
    assert "style=" not in text
    assert "<style" not in text
    assert text.count('<rect class="f-again"') >= 2
    assert page.get("/report/plots.css").headers["content-type"].startswith("text/css")
    assert ".f-again" in page.get("/report/plots.css").text


@pytest.mark.usefixtures("book")
def test_a_day_that_is_none_is_refused(page: TestClient) -> None:
    answer = page.get("/report?since=soon")
    assert (answer.status_code, "is no day" in words(answer.text)) == (422, True)


def test_nothing_found_is_said(ruled: Path, page: TestClient) -> None:
    assert "Nothing fired" in page.get("/report").text


def test_words_of_strangers_are_shown_and_secrets_are_not(book: Path, page: TestClient, rulec: Run) -> None:
    rule = book / ".rules/use-pnpm.yaml"
    rule.write_text(rule.read_text().replace("Use pnpm, never npm.", json.dumps(NASTY)))
    rulec("compile")
    text = page.get("/report").text
    assert "<script>alert" not in text
    assert "&lt;script&gt;alert(1)" in text
    assert "AAAAAAAAAAAA" not in text
    assert "\u202e" not in text


def line(outcome: str, minute: int, session: str = "a", of: str = "npm", times: int = 1) -> LedgerLine:
    at = f"2026-11-02T10:{minute:02}:00Z"
    return LedgerLine(slug="x", at=at, event="ask", outcome=outcome, of=of, session=session, times=times)


@pytest.mark.parametrize(
    ("lines", "wanted"),
    [
        ([line("block", 0), line("block", 1), line("fixed", 5)], [(2, "fixed", 300.0)]),
        ([line("block", 0), line("fixed", 5, "b")], [(1, "", None)]),
        ([line("block", 0), line("warn", 1, "b"), line("fixed", 5, "")], [(1, "fixed", 300.0), (1, "fixed", 240.0)]),
        ([line("warn", 0), line("excepted", 2), line("warn", 3)], [(1, "excepted", None), (1, "", None)]),
        ([line("audit", 0), line("fixed", 1), line("lost", 2), line("fault", 3)], []),
        ([line("block", 9), line("fixed", 5)], [(1, "fixed", 0.0)]),
        ([line("block", 0), line("fixed", 5, of="yarn")], [(1, "", None)]),
    ],
)
def test_a_finding_is_followed_to_its_end(lines: list[LedgerLine], wanted: list[tuple[int, str, float | None]]) -> None:
    assert [(one.times, one.end, one.seconds) for one in follow_findings(lines)] == wanted


def test_findings_of_the_ledger_have_their_sessions(book: Path) -> None:
    assert [one.seconds for one in followed_findings(book)] == [360.0, None, 120.0, None]
    assert len(followed_findings(book, "2026-11-05")) == 2


@pytest.mark.parametrize(
    ("seconds", "text"), [(None, ""), (0, "0 s"), (119, "119 s"), (120, "2 min"), (7200, "2 h"), (172800, "2 d")]
)
def test_a_time_is_told_in_the_unit_that_fits(seconds: float | None, text: str) -> None:
    assert in_words(seconds) == text
