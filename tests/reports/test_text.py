import json

from rulec.reports import wording
from rulec.reports.formats import text
from rulec.reports.formats.json import report
from tests.reports.support import COUNTS, EVERY, broke, found, hostile


def test_the_last_line_counts_everything_that_is_not_shown():
    last = text.report(EVERY, {**COUNTS, "unjudged": 2}).splitlines()[-1]
    assert last == (
        "rulec: 4 files, 2 rules: 5 refused, 2 warned, 1 audited, 1 pre-existing, 2 excepted, 2 broken checks, "
        "1 file not read, 2 files not judged"
    )


def test_what_was_meant_to_be_excepted_says_why_it_is_not():
    told = text.report([found(because="the exception ended on 2026-01-01")], COUNTS)
    assert "  src/a.py:3: npm i\n    the exception ended on 2026-01-01\n" in told


def test_a_broken_check_says_what_to_mend():
    assert "its check broke: it hung" in text.report([broke()], COUNTS)
    assert "fix: .rules/use-pnpm.yaml" in text.report([broke()], COUNTS)


def test_any_verdict_can_be_written():
    text.report(hostile(), COUNTS).encode()
    told = report(hostile(), COUNTS)
    told.encode()
    assert len(json.loads(told)["verdicts"]) == len(hostile())


def test_json_holds_why_a_finding_is_excepted():
    (one,) = json.loads(report([found("excepted", because="by Dev")], COUNTS))["verdicts"]
    assert (one["outcome"], one["because"], one["finding"]["line"]) == ("excepted", "by Dev", 3)


def test_a_hidden_sign_beyond_the_first_plane_is_told_by_its_own_name():
    assert wording.clip_line("npm i \U000e0041") == "npm i \\udb40\\udc41"
    assert wording.clip_line("npm i \U0001f600") == "npm i \U0001f600"
