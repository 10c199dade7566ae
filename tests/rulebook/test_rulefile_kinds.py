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
  - {kind: shell, template: no-lock, with: {globs: [package-lock.json]}}  # a template of the team's own
examples:
  invalid:
    - {command: npm ci}
    - {file: package-lock.json, content: "{}"}
  valid:
    - {command: pnpm i}
"""


def test_the_kind_of_a_template_with_one_is_known_and_the_file_keeps_its_bytes() -> None:
    rule = rule_reading.read_rule(TEXT, source="use-pnpm.yaml")
    assert [check.kind for check in rule.checks] == ["guard", "shell"]
    assert rule_reading.write_rule(rule, TEXT) == TEXT
    again = rule_reading.write_rule(replace(rule, statement="Use pnpm, not npm."), TEXT)
    assert again == TEXT.replace("Use pnpm.   #", "Use pnpm, not npm. #")
    new = rule_file.dump_rule(rule)
    assert new.count("kind:") == 2, "where no template is known each kind is written"


MISSING = [
    ("our-own", r"use-pnpm.yaml:10: .*no template 'our-own' of rulec's own; .* say its kind: semgrep"),
]


@pytest.mark.parametrize(("template", "says"), MISSING)
def test_otherwise_the_refusal_says_what_to_write(template: str, says: str) -> None:
    with pytest.raises(RulecError, match=says):
        rule_reading.read_rule(
            TEXT.replace("template: forbid-command", f"template: {template}"), source="use-pnpm.yaml"
        )


def test_such_a_rule_is_compiled_and_proved(gated: Path, rulec: Run) -> None:
    (gated / ".rules/use-pnpm.yaml").write_text(TEXT.replace("kind: shell, template: no-lock", "template: forbid-path"))
    assert "proved  use-pnpm" in rulec("compile").stdout
    assert (gated / ".rules/compiled/guard/use-pnpm.json").is_file()
