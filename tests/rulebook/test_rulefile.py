"""Rule files: what people write, and what they get told when it is wrong."""

from dataclasses import replace
from pathlib import Path

import pytest

from rulec.domain.evidence import Evidence, JudgeMeasure
from rulec.domain.rule import Check, Example, Rule
from rulec.errors import RulecError
from rulec.rulebook import evidence_file, rule_file, yaml_text
from rulec.rulebook.yaml_text import YamlNode

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


MEASURE = JudgeMeasure(model="m-1", wording=1, repeats=3, precision=1.0, recall=0.833, agreement=0.9)
JUDGED = Evidence(slug="be-plain", kind="proved", revision=2, digest="0123456789ab", measured=MEASURE)


def _of_evidence(text: str) -> Evidence:
    return evidence_file.parse_evidence(text, source=f"{evidence_file.evidence_id(JUDGED)}.yaml")


def test_what_a_judge_reached_survives_the_round_trip_and_is_part_of_its_name() -> None:
    assert _of_evidence(evidence_file.dump_evidence(JUDGED)) == JUDGED
    other = replace(JUDGED, measured=replace(MEASURE, recall=0.9))
    assert evidence_file.evidence_id(other) != evidence_file.evidence_id(JUDGED)


@pytest.mark.parametrize(
    ("was", "now", "told"),
    [
        ("recall: 0.833", "recall: 1.5", "measured.recall must lie between 0 and 1"),
        ("recall: 0.833", "recall: .nan", "measured.recall must lie between 0 and 1"),
        ("recall: 0.833", "recal: 0.833", "measured.recal is not a known key"),
        ("repeats: 3", "repeats: 0", "must be 1 or more"),
        ("recall: 0.833", "recall: 1.0", "is not the evidence"),
    ],
)
def test_what_no_judge_can_reach_is_refused(was: str, now: str, told: str) -> None:
    text = evidence_file.dump_evidence(JUDGED)
    assert was in text
    with pytest.raises(RulecError, match=told):
        _of_evidence(text.replace(was, now))


def test_evidence_that_was_edited_is_refused() -> None:
    item = Evidence(slug="use-pnpm", kind="correction", quote="pnpm, not npm")
    path = f".rules/evidence/use-pnpm/{evidence_file.evidence_id(item)}.yaml"
    text = evidence_file.dump_evidence(item).replace("not npm", "or npm")
    with pytest.raises(RulecError, match="is not the evidence"):
        evidence_file.parse_evidence(text, source=path)


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
    assert yaml_text.top_level_list(text, "repos", "f.yaml") == place


@pytest.mark.parametrize(
    "text",
    ["package a\n\nfunc f() {\n\treturn\n}\n", "\tx\n", "a\tb", "{\n\t\t'x': 1,\t\n}\n" * 9, "\tw, err := f() " * 20],
)
def test_tabs_in_an_example_come_back_as_they_were(text: str) -> None:
    rule = Rule(slug="a", statement="A.", invalid=(Example(kind="file", path="a.go", text=text),))
    assert rule_file.parse_rule(rule_file.dump_rule(rule), source="a.yaml").invalid[0].text == text


@pytest.mark.parametrize("words", range(14, 30))
def test_two_blanks_where_a_long_quote_would_be_folded_are_kept(words: int) -> None:
    item = Evidence(
        slug="use-pnpm", kind="correction", quote="word " * words + " ~/a/path/that/is/long/enough/to/fold.md"
    )
    kept = evidence_file.parse_evidence(
        evidence_file.dump_evidence(item), source=f"{evidence_file.evidence_id(item)}.yaml"
    )
    assert kept.quote == item.quote


@pytest.mark.parametrize("words", range(1, 60))
def test_a_long_pattern_is_the_same_wherever_it_would_be_folded(words: int) -> None:
    pattern = rf"(?i)\b(?:{'|'.join(['word'] * words)})\b(?:x|y z)\bend \bof it\b"
    check = Check(kind="guard", template="forbid-command", parameters={"commands": ["npm"], "arguments": pattern})
    rule = Rule(slug="use-pnpm", statement="Use pnpm.", checks=(check,))
    assert rule_file.parse_rule(rule_file.dump_rule(rule), source="a.yaml").checks[0].parameters["arguments"] == pattern


TRICKY = """
schema: 1
slug: tricky
revision: 0x10
statement: "Keep: # this"
rationale: |
  two
  lines
category: "yes"
severity: must
checks:
  - {kind: guard, template: forbid-command, with: {commands: [on, "off", '012', 2026-11-23, 0o17, 017, 1_000, ~, 1e3]}}
examples:
  invalid: [{command: "a: b"}]
  valid:
    - command: >-
        folded
        text
"""


def test_the_fast_reading_and_the_one_that_knows_lines_agree() -> None:
    texts = [path.read_text() for path in Path(__file__).parents[2].glob(".rules/*.yaml")]
    assert len(texts) > 5
    for text in [*texts, TRICKY]:
        fast, slow = YamlNode._quick(text, "r"), YamlNode.load(text, "r")
        assert fast.plain() == slow.plain()
        assert [node.line for node in fast.items("checks")] == [node.line for node in slow.items("checks")]
