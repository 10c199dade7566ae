"""Lines of the ledger become a few observations that weigh nothing and that are the same wherever they are made."""

from dataclasses import replace
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rulec.domain.evidence import Evidence, FiringCount, LedgerLine
from rulec.reports.ledger_counts import fold_into_evidence
from rulec.rulebook import evidence_file
from rulec.rulebook.confidence import fold_confidence

LINE = LedgerLine(
    slug="use-pnpm", at="2026-11-20T10:00:00Z", event="ask", agent="codex", outcome="block", of="npm", id="1"
)
YES = Evidence(slug="use-pnpm", kind="accepted", weight=3.0, at="2026-11-20T10:00:00Z")

lines = st.lists(
    st.builds(
        LedgerLine,
        slug=st.sampled_from(["use-pnpm", "no-stash"]),
        at=st.sampled_from(["2026-10-31T23:59:59Z", "2026-11-01T00:00:00Z", "2026-11-20T10:00:00Z", "never"]),
        event=st.sampled_from(["ask", "stop", "commit"]),
        outcome=st.sampled_from(["block", "warn", "audit", "lost", "fault", "fixed", "excepted", "unheard-of"]),
        times=st.integers(1, 5),
        unsure=st.booleans(),
        id=st.integers(0, 30).map(str),
    ),
    max_size=12,
)


@given(lines, st.randoms(use_true_random=False))
def test_neither_their_order_nor_seeing_them_twice_changes_what_lines_are_folded_to(found, random):
    each = list({line.id: line for line in found}.values())
    shuffled = random.sample([*each, *each], 2 * len(each))
    assert fold_into_evidence(shuffled) == fold_into_evidence(each)


@given(lines)
def test_every_line_of_a_known_outcome_is_in_one_observation_with_all_that_it_stands_for(found):
    each = list({line.id: line for line in found}.values())
    good = [one for one in each if one.at != "never" and one.outcome != "unheard-of"]
    folded = fold_into_evidence(each)
    assert sorted(name for one in folded for name in one.lines) == sorted(one.id for one in good)
    assert sum(count.times for one in folded for count in one.evidence.seen) == sum(one.times for one in good)


@given(lines)
def test_what_was_folded_survives_its_file_and_never_makes_a_rule_surer(found):
    evidence = [one.evidence for one in fold_into_evidence(found)]
    for item in evidence:
        text = evidence_file.dump_evidence(item)
        assert evidence_file.parse_evidence(text, source=f"{evidence_file.evidence_id(item)}.yaml") == item
        assert evidence_file._counted(text) == item
    own = [item for item in evidence if item.slug == "use-pnpm"]
    before, after = (fold_confidence(some, at="2026-11-30T00:00:00Z") for some in ([YES], [YES, *own]))
    assert (before.mean, before.weight, before.active) == (after.mean, after.weight, after.active)


def test_a_month_of_a_rule_is_one_observation_of_each_kind():
    days = [f"2026-{month:02}-{day:02}T10:00:00Z" for month in (10, 11) for day in range(1, 29)]
    found = [replace(LINE, at=at, id=f"{at} {kind}", outcome=kind) for at in days for kind in ("block", "fixed")]
    folded = [one.evidence for one in fold_into_evidence(found)]
    assert [(one.kind, one.at[:7]) for one in folded] == [
        ("fired", "2026-10"), ("fixed", "2026-10"), ("fired", "2026-11"), ("fixed", "2026-11"),
    ]  # fmt: skip
    assert folded[0].seen[0] == FiringCount(day="2026-10-01", gate="ask", agent="codex", outcome="block")
    assert all(one.day < two.day for one, two in pairwise(folded[0].seen))


def test_people_who_saw_the_same_as_often_do_not_count_as_one():
    mine, yours = (fold_into_evidence([replace(LINE, id=name)])[0].evidence for name in ("mine", "yours"))
    assert mine.seen == yours.seen
    assert evidence_file.evidence_id(mine) != evidence_file.evidence_id(yours)


BAD = ["2026-11-03 ask codex", "x ask codex block", "2026-99-03 ask codex block", "2026-11-03 ask codex block perhaps"]


@pytest.mark.parametrize("key", BAD)
def test_a_count_that_is_none_is_refused_with_its_line(key):
    text = f"schema: 1\nslug: x\nkind: fired\nseen: {{{key}: 1}}\n"
    with pytest.raises(Exception, match=r"x\.yaml:4.*is no day, gate, agent and outcome"):
        evidence_file.parse_evidence(text, source="x.yaml")
