"""Raw Semgrep rules: patterns and nothing else, compiled in a form of ours."""

import pytest

from rulec.checks.semgrep.raw_rule import LONGEST, vet_semgrep_rule
from rulec.errors import RulecError
from rulec.rulebook.yaml_text import load_yaml

_OK = "languages: [python]\n"
_REFUSED = {
    "id: mine\n" + _OK + "pattern: f()": "'id' may not stand in it",
    _OK + "message: x\npattern: f()": "'message' may not stand in it",
    _OK + "pattern: f()\nfix: g()": "'fix' may not stand in it",
    _OK + "pattern: f()\nfix-regex: {regex: a, replacement: b}": "'fix-regex' may not stand in it",
    _OK + "pattern: f()\nvalidators: [{http: {request: {url: 'https://x'}}}]": "'validators' may not stand in it",
    _OK + "pattern: f()\noptions: {taint_intrafile: true}": "'options' may not stand in it",
    _OK + "pattern: f()\nmetadata: {a: b}": "'metadata' may not stand in it",
    _OK + "mode: join\njoin: {refs: [{rule: r/x}]}": "'join' may not stand in it",
    _OK + "mode: join\npattern: f()": "mode 'join' cannot be run",
    _OK + "mode: extract\npattern: f()": "mode 'extract' cannot be run",
    _OK + "pattern-regex: '(a+)+$'": "runs away",
    _OK + "patterns: [{pattern: f($X)}, {metavariable-regex: {metavariable: $X, regex: '(a|a)*b'}}]": "runs away",
    _OK + "pattern: 'f(\"=~/(a+)+/\")'": "regular expression within a pattern",
    _OK + "patterns: [{metavariable-comparison: {comparison: \"re.match('(a+)+', str($X))\"}}]": "compares",
    _OK + "patterns: [{pattern: f($X)}, {metavariable-analysis: {analyzer: entropy, metavariable: $X}}]": "analysis",
    _OK + "patterns: [{pattern: f($X)}, {semgrep-internal-metavariable-name: {metavariable: $X}}]": "may not stand",
    _OK + "patterns: f()": "must be a list",
    _OK + "patterns: [f()]": "must hold mappings",
    _OK + "pattern: [f]": "must be text",
    _OK + "patterns: [{pattern: f($X)}, {metavariable-regex: {metavariable: $X, regex: [a]}}]": "must be text",
    "paths: {include: ['**/**/**/**/**/**/x']}\n" + _OK + "pattern: f()": "too many stars",
    _OK + "pattern-either: [" + "{pattern: f()}, " * 80 + "]": "more than",
    _OK + "patterns: " + "[{patterns: " * 12 + "[{pattern: f()}]" + "}]" * 12: "nests deeper",
    "a: &a [x, x]\nb: [*a, *a]": "may not stand in it",
    _OK + "pattern: f()  # \u202e": "holds the sign U+202E",
    "- " + _OK: "is no mapping",
    "just words": "is no mapping",
    "languages: [python\n": "",
    _OK + "pattern: f()\n---\npattern: g()": "",
    "pattern: f()\n" * LONGEST: "is longer than",
}


@pytest.mark.parametrize("rule", _REFUSED, ids=lambda rule: rule[:60])
def test_a_rule_that_is_more_than_patterns_is_refused_in_one_line(rule: str) -> None:
    with pytest.raises(RulecError) as refusal:
        vet_semgrep_rule(rule, "raw-semgrep.rule", "a.yaml:3")
    assert _REFUSED[rule] in str(refusal.value)
    assert "\n" not in str(refusal.value)
    assert str(refusal.value).startswith("a.yaml:3: ")


def test_what_is_compiled_is_one_line_a_key_whatever_the_text_tries() -> None:
    rule = "# a comment\nlanguages: [python]\npattern: |\n  f(\n    ...\n  )\n\n  # rules:\n  - id: \u00e9\n"
    made = vet_semgrep_rule(rule, "rule")
    assert [line.partition(":")[0] for line in made.splitlines()] == ["languages", "pattern"]
    assert load_yaml(made, "made") == load_yaml(rule, "rule")


def test_two_texts_of_the_same_rule_are_compiled_alike() -> None:
    short = "languages: [python]\npattern: f(...)\n"
    assert vet_semgrep_rule(short, "rule") == vet_semgrep_rule(
        "languages:\n  - python\npattern: >-\n  f(...)\n", "rule"
    )
