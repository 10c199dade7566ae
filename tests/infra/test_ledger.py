"""What a commit gate notes: each rule and place once, what broke, what was excepted, and what is put right by now."""

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rulec.domain.artifact import RuleFacts
from rulec.domain.finding import Fault, Finding, Outcome, Verdict
from rulec.gates import gate_ledger
from rulec.reports.ledger_counts import fold_into_evidence
from rulec.rulebook import evidence_file

FACTS = RuleFacts(slug="no-print", revision=1, statement="No print.")


def verdict(outcome: Outcome = "block", path: str = "a.py", **more: str) -> Verdict:
    return Verdict(outcome=outcome, facts=FACTS, finding=Finding(slug="no-print", path=path, text="print()"), **more)


def broken(outcome: Outcome = "warn") -> Verdict:
    return Verdict(outcome=outcome, facts=FACTS, fault=Fault(slug="no-print", what="no such tool"))


def noted(top: Path) -> list[tuple[str, str, int]]:
    return [(one.outcome, one.of, one.times) for one in gate_ledger.ledger_entries(top)]


LOOKS = [
    ([verdict(), verdict()], [("block", "a.py", 2)]),
    ([verdict(), verdict("warn")], [("block", "a.py", 1), ("warn", "a.py", 1)]),
    ([verdict(), verdict(path="b.py")], [("block", "a.py", 1), ("block", "b.py", 1)]),
    ([verdict("old")], []),
    ([verdict("excepted")], [("excepted", "a.py", 1)]),
    ([verdict("audit", lost="to another")], [("lost", "a.py", 1)]),
    ([broken()], [("fault", "", 1)]),
    ([broken("block")], [("block", "", 1)]),
]  # fmt: skip


@pytest.mark.parametrize(("verdicts", "lines"), LOOKS)
def test_a_line_stands_for_all_findings_of_a_rule_in_one_place(
    repo: Path, verdicts: list[Verdict], lines: list[tuple[str, str, int]]
) -> None:
    gate_ledger.record_verdicts(repo, "commit", verdicts)
    assert noted(repo) == lines


NEXT = [
    ([], ("a.py",), {"no-print"}, True),
    ([], ("b.py",), {"no-print"}, False),  # the file is not part of it any more
    ([], ("a.py",), {"other"}, False),  # the rule was not asked
    ([], ("",), {"no-print"}, False),  # only the message was looked at
    ([verdict("warn")], ("a.py",), {"no-print"}, False),
    ([verdict("old")], ("a.py",), {"no-print"}, False),
    ([verdict("excepted")], ("a.py",), {"no-print"}, False),
    ([verdict(path="b.py")], ("a.py", "b.py"), {"no-print"}, True),
    ([broken()], ("a.py",), {"no-print"}, False),
]


@pytest.mark.parametrize(("verdicts", "paths", "slugs", "right"), NEXT)
def test_what_the_next_look_at_the_file_does_not_find_was_put_right(
    repo: Path, verdicts: list[Verdict], paths: tuple[str, ...], slugs: set[str], *, right: bool
) -> None:
    gate_ledger.record_verdicts(repo, "commit", [verdict(), verdict()], paths=["a.py"], slugs={"no-print"})
    gate_ledger.record_verdicts(repo, "commit", verdicts, paths=paths, slugs=slugs)
    assert [one for one in noted(repo) if one[0] == "fixed"] == [("fixed", "a.py", 2)] * right


def test_a_message_is_put_right_by_the_next_message(repo: Path) -> None:
    gate_ledger.record_verdicts(repo, "commit", [verdict(path="")], paths=[""], slugs={"no-print"})
    gate_ledger.record_verdicts(repo, "commit", [], paths=["a.py"], slugs={"no-print"})
    assert noted(repo) == [("block", "", 1)]
    gate_ledger.record_verdicts(repo, "commit", [], paths=[""], slugs={"no-print"})
    assert noted(repo)[1:] == [("fixed", "", 1)]


def test_what_is_put_right_is_so_once(repo: Path) -> None:
    for verdicts in ([verdict()], [], []):
        gate_ledger.record_verdicts(repo, "commit", verdicts, paths=["a.py"], slugs={"no-print"})
    assert noted(repo) == [("block", "a.py", 1), ("fixed", "a.py", 1)]


def test_the_marks_of_lines_that_are_gone_go_too(repo: Path) -> None:
    gate_ledger.record_verdicts(repo, "commit", [verdict()])
    (line,) = gate_ledger.ledger_entries(repo)
    gate_ledger.record_folded(repo, {"one": [line.id, "0" * 12], "two": ["f" * 12]})
    assert gate_ledger.folded_entries(repo) == {"one": [line.id]}


TIMES = st.sampled_from(
    ["20261120T10", "2026-W47-5", "2026-11-20T10:00:00.5+01:00", "2026-11-31T10:00:00Z", "2026-11-20", "-"]
)
WORDS = st.one_of(
    TIMES, st.text(max_size=45), st.none(), st.booleans(), st.integers(), st.lists(st.integers(), max_size=2)
)
GOOD = {"at": "2026-11-20T10:00:00Z", "event": "ask", "slug": "x", "outcome": "block"}
LINES = st.one_of(
    st.binary(max_size=60),
    st.dictionaries(st.sampled_from([*GOOD, "of", "agent", "times", "unsure", "id"]), WORDS).map(
        lambda given: json.dumps({**GOOD, **given}).encode()
    ),
)


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A ledger that anybody may write to."""
    top = tmp_path_factory.mktemp("book")
    (top / ".git/rulec").mkdir(parents=True)
    return top / ".git/rulec/ledger.jsonl"


@given(found=st.lists(LINES, max_size=4))
def test_whatever_stands_in_the_file_is_a_line_of_ours_or_nothing(place: Path, found: list[bytes]) -> None:
    place.write_bytes(b"\n".join(found))
    noted = gate_ledger.ledger_entries(place.parents[2])
    for made in fold_into_evidence(noted):
        text = evidence_file.dump_evidence(made.evidence)
        assert (
            evidence_file.parse_evidence(text, source=f"{evidence_file.evidence_id(made.evidence)}.yaml")
            == made.evidence
        )
    for one in noted:
        assert one.slug.islower() or one.slug.isdigit()
        assert one.times >= 1
        assert all(part.isprintable() and " " not in part for part in (one.event, one.agent, one.outcome))
        json.dumps([one.of, one.at], ensure_ascii=False).encode()


def test_a_name_that_is_no_utf_8_can_be_written_down(repo: Path) -> None:
    gate_ledger.record_verdicts(repo, "commit", [verdict(path="a\udcff.py")])
    assert noted(repo) == [("block", "a?.py", 1)]
