"""Rule files: what people write, and what they get told when it is wrong."""

import pytest

from rulec.errors import RulecError
from rulec.rulebook import rule_file

GOOD = """\
schema: 1
slug: use-pnpm
statement: Use pnpm, never npm.
severity: must  # the lockfile
checks:
  - {kind: guard, template: forbid-command, with: {commands: [npm, yarn], instead: pnpm}}
examples:
  invalid: [{command: npm install left-pad}]
  valid: [{command: pnpm add left-pad}, {file: a.md, content: npm}]
"""


def test_a_rule_is_read_as_written() -> None:
    rule = rule_file.parse_rule(GOOD, source="use-pnpm.yaml")
    assert (rule.slug, rule.severity, rule.revision, rule.enforcement) == ("use-pnpm", "must", 1, "auto")
    assert rule.checks[0].parameters == {"commands": ["npm", "yarn"], "instead": "pnpm"}
    assert [e.kind for e in rule.valid] == ["command", "file"]


@pytest.mark.parametrize(
    ("old", "new", "line", "says"),
    [
        ("severity: must", "severity: absolute", 4, "not one of must, should, style"),
        ("severity: must", "severty: must", 4, "severty is not a known key"),
        ("statement: Use pnpm, never npm.", "statement: 3", 3, "must be text, not a number"),
        ("statement: Use pnpm, never npm.", "statement: ''", 3, "statement is empty"),
        ("statement: Use pnpm, never npm.\n", "", 1, "statement is missing"),
        ("slug: use-pnpm", "slug: ../../etc/passwd", 2, "is no slug"),
        ("slug: use-pnpm", "slug: Ünicode", 2, "is no slug"),
        ("slug: use-pnpm", "slug: config", 2, "is no slug"),
        ("kind: guard", "kind: magic", 6, "checks[0].kind 'magic' is not one of"),
        ("severity: must", "scope: {include: ['a*b*c*d*e*f']}\nseverity: must", 4, "'a*b*c*d*e*f' has too many stars"),
        ("schema: 1", "schema: 2", 1, "schema is not 1"),
        ("schema: 1", "schema: [", 3, "not valid YAML"),
        ("schema: 1", "<<<<<<< HEAD\nschema: 1", 1, "a merge conflict stands here"),
        ("{command: npm install left-pad}", "{commnd: x}", 8, "is no example"),
        ("checks:", "scope: {include: src}\nchecks:", 5, "scope.include must be a list"),
    ],
)
def test_a_wrong_line_is_named(old: str, new: str, line: int, says: str) -> None:
    with pytest.raises(RulecError) as caught:
        rule_file.parse_rule(GOOD.replace(old, new, 1), source="use-pnpm.yaml")
    assert says in caught.value.message
    assert caught.value.where == f"use-pnpm.yaml:{line}"
    assert caught.value.hint


SESSION = """\
slug: tests-first
statement: Run the tests before you commit.
examples:
  invalid:
    - session:
        - {says: go on}
        - {file: a.py, content: x}
        - {read: b.py}
        - {command: pytest, failed: true}
        - {command: git commit}
  valid:
    - session: [{edit: a.py, old: x, new: y}, {stop: Shall I?}]
"""


def test_a_session_is_read_step_by_step_and_written_as_it_was() -> None:
    rule = rule_file.parse_rule(SESSION, source="x.yaml")
    (session,) = rule.invalid
    assert [step.kind for step in session.steps] == ["says", "file", "read", "command", "command"]
    assert [step.failed for step in session.steps] == [False, False, False, True, False]
    assert session.steps[2].path == "b.py"
    assert rule_file.parse_rule(rule_file.dump_rule(rule), source="x.yaml") == rule


@pytest.mark.parametrize(
    ("old", "new", "line", "says"),
    [
        ("{says: go on}", "{sais: go on}", 6, "session[0] is no step of a session"),
        ("{says: go on}", "{message: go on}", 6, "is no step of a session"),
        ("{says: go on}", "{session: []}", 6, "is no step of a session"),
        ("{says: go on}", "{says: 3}", 6, "must be text"),
        ("{read: b.py}", "{read: b.py, failed: true}", 8, "failed is not a known key"),
        ("failed: true", "failed: maybe", 9, "must be true or false"),
        ("{command: git commit}", "{command: git commit, failed: true}", 10, "the last step"),
        ("{stop: Shall I?}", "{says: Shall I?}", 12, "is 'says', and the last step"),
        ("[{edit: a.py, old: x, new: y}, {stop: Shall I?}]", "[]", 12, "session has no step"),
        ("[{edit: a.py, old: x, new: y}, {stop: Shall I?}]", "yes", 12, "must be a list"),
        ("- session: [", "- stop: [", 12, "is no example"),
    ],
)
def test_a_wrong_step_is_named(old: str, new: str, line: int, says: str) -> None:
    with pytest.raises(RulecError) as caught:
        rule_file.parse_rule(SESSION.replace(old, new, 1), source="x.yaml")
    assert says in caught.value.message
    assert caught.value.where == f"x.yaml:{line}"
    assert caught.value.hint
