"""Rule files: what people write, and what they get told when it is wrong."""

import pytest

from rulec import rulefile, yamltext
from rulec.errors import RulecError
from rulec.model.evidence import Evidence

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
    rule = rulefile.loads(GOOD, source="use-pnpm.yaml")
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
        ("schema: 1", "schema: 2", 1, "schema is not 1"),
        ("schema: 1", "schema: [", 3, "not valid YAML"),
        ("schema: 1", "<<<<<<< HEAD\nschema: 1", 1, "a merge conflict stands here"),
        ("{command: npm install left-pad}", "{commnd: x}", 8, "is no example"),
        ("checks:", "scope: {include: src}\nchecks:", 5, "scope.include must be a list"),
    ],
)
def test_a_wrong_line_is_named(old: str, new: str, line: int, says: str) -> None:
    with pytest.raises(RulecError) as caught:
        rulefile.loads(GOOD.replace(old, new, 1), source="use-pnpm.yaml")
    assert says in caught.value.message
    assert caught.value.where == f"use-pnpm.yaml:{line}"
    assert caught.value.hint


def test_evidence_that_was_edited_is_refused() -> None:
    item = Evidence(slug="use-pnpm", kind="correction", quote="pnpm, not npm")
    path = f".rules/evidence/use-pnpm/{rulefile.evidence_id(item)}.yaml"
    text = rulefile.dumps_evidence(item).replace("not npm", "or npm")
    with pytest.raises(RulecError, match="is not the evidence"):
        rulefile.loads_evidence(text, source=path)


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("repos:\n- repo: x\n", (2, 0, 1)),
        ("# c\nrepos:\n  - repo: x\n    hooks:\n      - id: y\n\n# end\nci: {}\n", (5, 2, 1)),
        ("repos: []\n", (0, 0, 0)),
        ("ci: {}\n", None),
        ("", None),
    ],
)
def test_a_list_says_where_it_ends(text: str, place: tuple[int, int, int] | None) -> None:
    assert yamltext.top_level_list(text, "repos", "f.yaml") == place
