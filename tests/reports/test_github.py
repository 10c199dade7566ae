import re

import pytest

from rulec.reports.formats.github import LISTED, SHOWN, report
from tests.reports.support import COUNTS, EVERY, HOSTILE, STYLE, broke, found, hostile

_COMMAND = re.compile(r"::(error|warning) ((?:[a-zA-Z]+=[^:,\r\n]*,?)*)::[^\r\n]*")


def lines(verdicts):
    return report(verdicts, COUNTS).split("\n")


def test_a_refusal_is_an_error_at_its_lines():
    first, last = lines([found(line=9, last=11)])
    assert first.startswith("::error file=src/a.py,line=9,endLine=11,title=rulec%3A use-pnpm::Use pnpm.")
    assert "found: npm i" in first
    assert "instead: run `pnpm add`" in first
    assert last.startswith("rulec: 4 files, 2 rules: 1 refused")


def test_only_what_refuses_or_warns_is_annotated():
    told = lines(EVERY)
    assert sum(line.startswith("::error") for line in told) == 5
    assert sum(line.startswith("::warning") for line in told) == 2
    assert told[-1].endswith("1 audited, 1 pre-existing, 2 excepted, 2 broken checks, 1 file not read")


def test_what_the_step_does_not_show_is_listed_and_then_counted():
    told = lines([found(line=n + 1) for n in range(SHOWN + LISTED + 3)] + [found("warn", STYLE)])
    assert sum(line.startswith("::error") for line in told) == SHOWN
    assert sum(line.startswith("::warning") for line in told) == 1, "errors take nothing from the warnings' room"
    assert told[-2] == "- … and 3 more"
    assert told[-3].startswith(f"- block use-pnpm src/a.py:{SHOWN + LISTED}: ")


@pytest.mark.parametrize("word", HOSTILE)
def test_no_word_of_a_stranger_is_a_command_of_its_own(word):
    many = [found(text=word, path=word.replace("\0", "") or "x", line=n) for n in range(SHOWN + 5)]
    faults = [broke("warn", word, word.replace("\0", "")) for _ in range(SHOWN + 5)]
    for line in lines([*many, *faults]):
        shown = line.splitlines() or [""]
        assert len(shown) == 1, "nothing ends a line but a line's end"
        if line.lstrip().startswith("::"):
            assert _COMMAND.fullmatch(line)
        else:
            assert "##[" not in line


def test_a_property_ends_only_where_it_ends():
    (first, _) = lines([found(path="a,line=9:b%.py")])
    assert "file=a%2Cline=9%3Ab%25.py,line=3," in first


def test_any_verdict_can_be_written():
    report(hostile(), COUNTS).encode()
