"""A rule file may leave out the kind of a check whose template has but one; a rewrite leaves it out again."""

from dataclasses import replace
from pathlib import Path

import pytest

from rulec.errors import RulecError
from rulec.infra.rulebooks import rule_reading
from rulec.rulebook import rule_file
from tests.conftest import Run

TEXT = """\
schema: 1
slug: use-pnpm
revision: 1
statement: Use pnpm.   # we said so
category: tooling
severity: should
enforcement: auto
checks:
  # the lockfile is pnpm's
  - template: forbid-command  # one kind
    with: {commands: [npm]}
  - {kind: shell, template: forbid-path, with: {globs: [package-lock.json]}}
examples:
  invalid:
    - {command: npm ci}
    - {file: package-lock.json, content: "{}"}
  valid:
    - {command: pnpm i}
"""


SEVERAL = TEXT.replace("{kind: shell, template: forbid-path, with", "{template: forbid-path, with")


def test_of_a_template_with_several_kinds_a_check_without_one_is_one_of_each() -> None:
    rule = rule_reading.read_rule(SEVERAL, source="use-pnpm.yaml")
    assert [(check.kind, check.implied) for check in rule.checks] == [
        ("guard", False),
        *((kind, True) for kind in rule_reading.template_kinds("forbid-path", {})),
    ]
    assert rule_reading.write_rule(rule, SEVERAL) == SEVERAL
    fewer = rule_reading.write_rule(replace(rule, checks=rule.checks[:2]), SEVERAL)
    assert rule_reading.read_rule(fewer, source="x").checks == rule.checks[:2], "what went does not come back"


def test_a_rule_without_kinds_is_proved_as_try_and_propose_prove_it(gated: Path, rulec: Run) -> None:
    (gated / ".rules/use-pnpm.yaml").write_text(SEVERAL)
    assert "proved  use-pnpm" in rulec("compile").stdout
    assert (gated / ".rules/compiled/shell/use-pnpm.sh").is_file()
    assert (gated / ".rules/compiled/guard/use-pnpm.2.json").is_file()
    rulec("compile", "--check")


def test_the_kind_of_a_template_with_one_is_known_and_the_file_keeps_its_bytes() -> None:
    rule = rule_reading.read_rule(TEXT, source="use-pnpm.yaml")
    assert [check.kind for check in rule.checks] == ["guard", "shell"]
    assert rule_reading.write_rule(rule, TEXT) == TEXT
    again = rule_reading.write_rule(replace(rule, statement="Use pnpm, not npm."), TEXT)
    assert again == TEXT.replace("Use pnpm.   #", "Use pnpm, not npm. #")
    new = rule_file.dump_rule(rule)
    assert new.count("kind:") == 2, "what is written anew says it"


MISSING = [
    ("our-own", r"use-pnpm.yaml:10: .*kind is missing; 'our-own' is no template of rulec's own"),
]


@pytest.mark.parametrize(("template", "says"), MISSING)
def test_otherwise_the_refusal_says_what_to_write(template: str, says: str) -> None:
    with pytest.raises(RulecError, match=says):
        rule_reading.read_rule(
            TEXT.replace("template: forbid-command", f"template: {template}"), source="use-pnpm.yaml"
        )


def test_such_a_rule_is_compiled_and_proved(gated: Path, rulec: Run) -> None:
    (gated / ".rules/use-pnpm.yaml").write_text(TEXT)
    assert "proved  use-pnpm" in rulec("compile").stdout
    assert (gated / ".rules/compiled/guard/use-pnpm.json").is_file()
