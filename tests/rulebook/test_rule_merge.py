"""Two revisions of a rule are merged where each side changed something else."""

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given

from rulec.domain.rule import Check, Example, Exemption, Rule, Scope
from rulec.infra.rulebooks.rule_files import is_rule_file, merge_rules, merged_rule_text
from rulec.infra.rulebooks.rule_reading import write_rule
from tests.support import strategies

NPM, CI, ADD = (Example(kind="command", text=f"npm {verb}") for verb in ("i", "ci", "add"))
OLD = Exemption(because="old", scope=Scope(include=("old/**",)))
AUDIT = Exemption(because="none", commands=("npm audit",))
CHECK = Check(kind="guard", template="forbid-command", parameters={"commands": ["npm"]})
BASE = Rule(slug="use-pnpm", statement="Use pnpm.", checks=(CHECK,), invalid=(NPM, CI), exceptions=(OLD,))


def rule(**changes: Any) -> Rule:
    return replace(BASE, revision=2, **changes)


@pytest.mark.parametrize(
    ("ours", "theirs", "wanted"),
    [
        (
            rule(exceptions=(OLD, AUDIT)),
            rule(exceptions=(OLD, replace(AUDIT, commands=("npm view",)))),
            {"exceptions": (OLD, AUDIT, replace(AUDIT, commands=("npm view",))), "revision": 3},
        ),
        (rule(exceptions=(OLD, AUDIT)), rule(exceptions=(OLD, AUDIT)), {"exceptions": (OLD, AUDIT), "revision": 2}),
        (rule(exceptions=()), rule(exceptions=(OLD, AUDIT)), {"exceptions": (AUDIT,), "revision": 3}),
        (rule(statement="Never npm."), rule(exceptions=(OLD, AUDIT)), {"statement": "Never npm.", "revision": 3}),
        (rule(invalid=(NPM,)), rule(invalid=(NPM, CI, ADD)), {"invalid": (NPM, ADD), "revision": 3}),
        (BASE, rule(enforcement="block"), {"enforcement": "block", "revision": 2}),
        (rule(statement="Never npm."), rule(statement="Always pnpm."), None),
        (rule(exceptions=(replace(OLD, because="a"),)), rule(exceptions=(replace(OLD, because="b"),)), None),
        (rule(exceptions=()), rule(exceptions=(replace(OLD, because="b"),)), None),
        (rule(checks=()), rule(checks=(CHECK, CHECK)), None),
    ],
)
def test_each_side_keeps_what_it_did(ours: Rule, theirs: Rule, wanted: dict[str, Any] | None) -> None:
    found = merge_rules(BASE, ours, theirs)
    assert (found and {key: getattr(found, key) for key in wanted or {}}) == wanted


@given(strategies.rules(), strategies.exemptions(), strategies.exemptions())
def test_two_exceptions_are_both_there_whichever_side_merges(base: Rule, one: Exemption, two: Exemption) -> None:
    sides = [replace(base, exceptions=(*base.exceptions, added)) for added in (one, two)]
    for ours, theirs in (sides, sides[::-1]):
        found = merge_rules(base, ours, theirs)
        if found is None:
            assert one != two
            assert one.bounds == two.bounds or {one.bounds, two.bounds} & {known.bounds for known in base.exceptions}
        else:
            assert {one, two} <= set(found.exceptions)
            assert set(base.exceptions) <= set(found.exceptions)


def test_the_text_keeps_our_comments_and_loses_none_of_theirs() -> None:
    base = write_rule(BASE)
    ours = write_rule(rule(exceptions=(OLD, AUDIT))).replace(
        "statement: Use pnpm.", "statement: Use pnpm.  # we say so"
    )
    theirs = write_rule(rule(when="installing"))
    text = merged_rule_text(base, ours, theirs, ".rules/use-pnpm.yaml")
    assert ("# we say so" in text, "when: installing" in text, "npm audit" in text) == (True, True, True)
    assert merged_rule_text(base, ours, theirs + "# a note of theirs\n", ".rules/use-pnpm.yaml") == ""
    assert merged_rule_text("", ours, theirs, ".rules/use-pnpm.yaml") == ""
    assert merged_rule_text(base, ours, ours, ".rules/use-pnpm.yaml") == ours


@pytest.mark.parametrize(
    ("path", "wanted"),
    [
        (".rules/use-pnpm.yaml", True),
        (".rules/config.yaml", False),
        (".rules/archive/use-pnpm.yaml", False),
        (".rules/compiled/words/use-pnpm.json", False),
        ("rules/use-pnpm.yaml", False),
    ],
)
def test_files_of_rules_are_known_by_their_path(path: str, wanted: bool) -> None:
    assert is_rule_file(path) is wanted
