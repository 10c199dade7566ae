from xml.etree import ElementTree as ET

import pytest

from rulec.reports.formats.junit import LISTED, report
from tests.reports.support import COUNTS, EVERY, STYLE, broke, found, hostile


def suite(verdicts):
    return ET.fromstring(report(verdicts, COUNTS).encode())[0]  # our own text, no stranger's document


@pytest.mark.parametrize("verdicts", [[], EVERY, hostile()], ids=["none", "every sort", "hostile"])
def test_it_is_xml_and_counts_itself(verdicts):
    told = suite(verdicts)
    cases = told.findall("testcase")
    assert int(told.get("tests")) == len(cases) >= 1
    assert int(told.get("failures")) == len(told.findall("testcase/failure"))
    assert int(told.get("errors")) == len(told.findall("testcase/error"))


def test_a_rule_that_refuses_fails_and_one_that_warns_passes():
    told = suite([found(), found("warn", STYLE)])
    by_name = {case.get("name"): case for case in told}
    assert "src/a.py:3: npm i" in by_name["use-pnpm"].find("failure").text
    assert by_name["short-names"].find("failure") is None
    assert "warn: src/a.py:3" in by_name["short-names"].find("system-out").text


def test_a_check_that_broke_is_an_error_unless_its_rule_found_something():
    assert suite([broke()]).find("testcase/error").get("message") == "its check broke: it hung"
    told = suite([broke(), found()])
    assert told.find("testcase/error") is None
    assert "its check broke" in told.find("testcase/failure").text


def test_the_whole_is_told_at_the_end_and_nothing_is_a_pass_too():
    assert suite([]).find("testcase").get("name") == "all rules"
    assert suite([]).find("system-out").text.startswith("rulec: 4 files, 2 rules: no findings")


def test_many_findings_of_a_rule_are_counted():
    body = suite([found(line=n + 1) for n in range(LISTED + 2)]).find("testcase/failure").text
    assert body.endswith("… and 2 more")
