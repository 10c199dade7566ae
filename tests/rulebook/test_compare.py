"""Two states of the rulebook side by side."""

from dataclasses import replace

import pytest

from rulec.domain.rule import Check, Example, Rule
from rulec.rulebook.rule_diff import ComparedRule, compare_rulebooks

RULE = Rule(slug="use-pnpm", statement="Use pnpm.", checks=(Check(kind="guard", template="forbid-command"),))
NPM, YARN = Example(kind="command", text="npm ci"), Example(kind="command", text="yarn add x")


def held(npm: str, yarn: str, acts: str = "block", **changes: object) -> ComparedRule:
    rule = replace(RULE, **changes)  # type: ignore[arg-type]  # the fields of a rule, whatever their types
    return ComparedRule(rule=rule, acts=acts, decided={NPM: npm, YARN: yarn})


@pytest.mark.parametrize(
    ("before", "after", "kind"),
    [
        (held("block", "pass"), held("block", "block"), "tightened"),
        (held("block", "block"), held("block", "pass"), "loosened"),
        (held("block", "pass"), held("pass", "block"), "changed"),
        (held("warn", "pass", "warn"), held("block", "pass"), "tightened"),
        (held("block", "pass"), held("audit", "pass", "audit"), "loosened"),
        (held("pass", "pass", "audit"), held("pass", "pass", "block"), "tightened"),
        (held("block", "pass"), held("block", "pass", statement="Use pnpm, please."), "reworded"),
    ],
)
def test_a_change_is_named_by_what_its_examples_say(before: ComparedRule, after: ComparedRule, kind: str) -> None:
    (found,) = compare_rulebooks({"use-pnpm": before}, {"use-pnpm": after}, {})
    assert found.kind == kind


def test_a_rule_that_only_gained_a_revision_is_no_news() -> None:
    assert (
        compare_rulebooks({"use-pnpm": held("block", "pass")}, {"use-pnpm": held("block", "pass", revision=7)}, {})
        == ()
    )


@pytest.mark.parametrize(
    ("archived", "kind"),
    [
        (replace(RULE, superseded_by="use-npm"), "superseded"),
        (replace(RULE, retired="nobody uses it"), "retired"),
        (None, "removed"),
    ],
)
def test_what_is_gone_says_where_it_went(archived: Rule | None, kind: str) -> None:
    (found,) = compare_rulebooks({"use-pnpm": held("block", "pass")}, {}, {"use-pnpm": archived} if archived else {})
    assert (found.kind, found.slug) == (kind, "use-pnpm")


def test_each_example_that_turned_is_told_with_both_verdicts() -> None:
    (found,) = compare_rulebooks({"use-pnpm": held("block", "pass")}, {"use-pnpm": held("block", "block")}, {})
    assert found.turned == ((YARN, "pass", "block"),)
