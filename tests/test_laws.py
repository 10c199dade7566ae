"""Properties that hold for every rule, every history and every order."""

import re
from dataclasses import replace
from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rulec import evidencefile, rulefile
from rulec.errors import RulecError
from rulec.model.confidence import confidence
from rulec.model.evidence import Evidence
from rulec.model.rule import Rule
from tests.support.strategies import LINE, TEXT, observations, rules


@given(rules())
def test_a_rule_survives_its_file(rule: Rule) -> None:
    path = f".rules/{rule.slug}.yaml"
    assert rulefile.loads(rulefile.dumps(rule), source=path) == replace(rule, source=path)


@given(rules())
def test_writing_a_rule_over_itself_changes_nothing(rule: Rule) -> None:
    text = rulefile.dumps(rule)
    assert rulefile.dumps(rule, text) == text


@given(rules(), LINE, st.integers(10, 99))
def test_a_persons_comments_survive_every_rewrite(rule: Rule, statement: str, revision: int) -> None:
    lines = rulefile.dumps(rule).splitlines(keepends=True)
    marked = "# at the top\n" + "".join(
        line.rstrip("\n") + "  # theirs\n" if line.startswith("revision:") else line for line in lines
    )
    again = rulefile.dumps(replace(rule, statement=statement, revision=revision), marked)
    assert "# at the top" in again
    assert re.search(rf"^revision: {revision} +# theirs$", again, re.MULTILINE)


@given(observations("use-pnpm"))
def test_evidence_survives_its_file_and_is_named_by_its_content(item: Evidence) -> None:
    path = f".rules/evidence/use-pnpm/{evidencefile.identity(item)}.yaml"
    assert evidencefile.loads(evidencefile.dumps(item), source=path) == item


@given(st.lists(observations("use-pnpm"), max_size=4))
def test_confidence_does_not_depend_on_order(items: list[Evidence]) -> None:
    assert len({confidence(tuple(order)) for order in permutations(items)}) == 1


@given(TEXT)
def test_text_that_is_no_rule_is_one_clear_refusal(text: str) -> None:
    with pytest.raises(RulecError) as caught:
        rulefile.loads(text, source="x.yaml")
    assert caught.value.where.startswith("x.yaml:")
    assert caught.value.hint
    assert "\n" not in str(caught.value)
