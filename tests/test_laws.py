"""Properties that hold for every rule, every history and every order."""

import re
from dataclasses import replace
from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rulec.domain.evidence import Evidence
from rulec.domain.rule import Rule
from rulec.errors import RulecError
from rulec.rulebook import evidence_file, rule_file
from rulec.rulebook.confidence import fold_confidence
from tests.support.strategies import LINE, TEXT, observations, rules


@given(rules())
def test_a_rule_survives_its_file(rule: Rule) -> None:
    path = f".rules/{rule.slug}.yaml"
    assert rule_file.parse_rule(rule_file.dump_rule(rule), source=path) == replace(rule, source=path)


@given(rules())
def test_writing_a_rule_over_itself_changes_nothing(rule: Rule) -> None:
    text = rule_file.dump_rule(rule)
    assert rule_file.dump_rule(rule, text) == text


@given(rules(), LINE, st.integers(10, 99))
def test_a_persons_comments_survive_every_rewrite(rule: Rule, statement: str, revision: int) -> None:
    lines = rule_file.dump_rule(rule).splitlines(keepends=True)
    marked = "# at the top\n" + "".join(
        line.rstrip("\n") + "  # theirs\n" if line.startswith("revision:") else line for line in lines
    )
    again = rule_file.dump_rule(replace(rule, statement=statement, revision=revision), marked)
    assert "# at the top" in again
    assert re.search(rf"^revision: {revision} +# theirs$", again, re.MULTILINE)


@given(observations("use-pnpm"))
def test_evidence_survives_its_file_and_is_named_by_its_content(item: Evidence) -> None:
    path = f".rules/evidence/use-pnpm/{evidence_file.evidence_id(item)}.yaml"
    assert evidence_file.parse_evidence(evidence_file.dump_evidence(item), source=path) == item


@given(st.lists(observations("use-pnpm"), max_size=4))
def test_confidence_does_not_depend_on_order(items: list[Evidence]) -> None:
    assert len({fold_confidence(tuple(order)) for order in permutations(items)}) == 1


@given(TEXT)
def test_text_that_is_no_rule_is_one_clear_refusal(text: str) -> None:
    with pytest.raises(RulecError) as caught:
        rule_file.parse_rule(text, source="x.yaml")
    assert caught.value.where.startswith("x.yaml:")
    assert caught.value.hint
    assert "\n" not in str(caught.value)
