import json

import pytest

from rulec.reports.formats.gitlab import report
from tests.reports.support import COUNTS, EVERY, STYLE, broke, found, hostile

SEVERITIES = {"info", "minor", "major", "critical", "blocker"}


def entries(verdicts):
    return json.loads(report(verdicts, COUNTS))


@pytest.mark.parametrize("verdicts", [[], EVERY, hostile()], ids=["none", "every sort", "hostile"])
def test_every_entry_has_what_gitlab_asks_for(verdicts):
    report(verdicts, COUNTS).encode()
    for entry in entries(verdicts):
        assert set(entry) == {"description", "check_name", "fingerprint", "severity", "location"}
        assert entry["severity"] in SEVERITIES
        assert entry["location"]["path"]
        assert entry["location"]["lines"]["begin"] >= 1
    marks = [entry["fingerprint"] for entry in entries(verdicts)]
    assert len(set(marks)) == len(marks)


def test_a_mark_stays_when_lines_move():
    assert entries([found()])[0]["fingerprint"] == entries([found(line=70)])[0]["fingerprint"]


def test_what_is_old_or_excepted_is_no_news():
    assert entries([found("old"), found("excepted")]) == []


def test_what_has_no_file_is_told_at_its_rule():
    (entry,) = entries([broke()])
    assert entry["location"] == {"path": ".rules/use-pnpm.yaml", "lines": {"begin": 1}}


def test_how_grave_it_is_follows_outcome_and_severity():
    assert [e["severity"] for e in entries([found(), found("warn", STYLE), found("audit")])] == [
        "blocker",
        "minor",
        "info",
    ]
