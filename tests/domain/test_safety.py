"""What may hold up a hook reaches no artifact, whoever wrote it; what only looks like it passes."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from rulec.checks.proving.check_reach import reach_of_checks
from rulec.checks.semgrep.rule_artifact import regexes_of_body
from rulec.checks.template_library import open_library
from rulec.domain.patterns.safety import glob_problem, refuse_pattern, regex_problem, semgrep_regex_problem
from rulec.domain.rule import Check
from rulec.errors import RulecError
from rulec.rulebook.yaml_text import load_yaml
from tests.support.template_cases import cases_of
from tests.templates.mutants import as_rule, compiled

ROOT = Path(__file__).parents[2]
REFUSED = {
    "(a+)+$": "runs away",
    "(a|a)*b": "runs away",
    r"(\w+\s?)*$": "runs away",
    "(.*?,){11}P": "runs away",
    r"^import (a|b) (x+x+)+ as \w+$": "'(x+x+)+' can match one text in several ways",
    "(?:a?){30}a{30}": "runs away",
    ".*a.*b.*c": "the loops of '.*a.*b' can match the same signs",
    "foo.*bar.*baz": "takes too long on long lines: the loops of '.*bar.*b'",
    r"(['\"]).*\1": "refers back",
    "(?P<q>a)b*(?P=q)": "refers back",
    "(a)?b*(?(1)c|d)": "asks what it has matched",
    "(?>a+)b": "atomic",
    "a++b": "possessive",
    "(": "is no pattern",
    "[[:alpha:]]+": "may be read otherwise",
    "(" * 300 + "a" + ")*" * 300: "",
    "a*" + "b" * 20_000: "longer than",
}
ALLOWED = (
    r"(?:\w+,)*\w+", r"^\s*(?:import|from)\s+foo\b", r"\btodo\b", "a+b+c+", "foo[^,]*,[^;]*;bar",
    r"(?<![\w.])v?0\.9(?!\d)", r"\(a+\)+", "[(a+)+]", r"foo\(.{0,30}bar.{0,30}\)", "(?i)x+y", "",
)  # fmt: skip


@pytest.mark.parametrize("pattern", REFUSED, ids=range(len(REFUSED)))
def test_what_may_hang_is_refused_with_a_cure(pattern: str) -> None:
    found = regex_problem(pattern)
    assert found is not None
    assert REFUSED[pattern] in found[0]
    assert found[1]


@pytest.mark.parametrize("pattern", ALLOWED)
def test_what_only_looks_like_it_passes(pattern: str) -> None:
    assert regex_problem(pattern) is None
    assert semgrep_regex_problem(pattern) is None


def test_semgrep_counts_its_steps_so_that_it_may_take_more() -> None:
    assert semgrep_regex_problem("foo.*bar.*baz") is None
    assert semgrep_regex_problem(r"(['\"]).*\1") is None
    assert semgrep_regex_problem("a.*b.*c.*d.*e") is not None
    assert semgrep_regex_problem("(a+)+$") is not None


def test_a_glob_has_few_stars() -> None:
    assert glob_problem("src/**/gen/**/*_test.*") is None
    assert glob_problem("**/a/**/b/**/c/**/d/**/e") is not None
    assert glob_problem("a*b*c*d*e*f") is not None


def test_a_refusal_names_place_pattern_and_cure() -> None:
    with pytest.raises(RulecError) as refused:
        refuse_pattern(regex_problem("(a+)+$"), "(a+)+$", "forbid-text.patterns", ".rules/x.yaml:7")
    assert str(refused.value).startswith(
        ".rules/x.yaml:7: forbid-text.patterns: '(a+)+$' runs away on long lines: '(a+)+' can match one text in "
        "several ways; let "
    )


@pytest.mark.parametrize(
    ("pattern", "cure"),
    [
        ("(unbalanced", "close it"),
        ("unbalanced)", "open it"),
        ("[a-", "close it"),
        ("a**", "for the sign itself"),
        ("*.py", "for the sign itself"),
        ("a{3,2}", "smaller number first"),
        (r"\p{L}", "[A-Za-z]"),
        ("[[:alpha:]]", "[A-Za-z]"),
        ("(?<=a+)b", "of one length"),
        ("(a+)+$", "in one way only"),
        (".*a.*b.*c", "[^,]*"),
        (r"(a)\1", "without that"),
        ("a" * 20_001, "split it"),
    ],
)
def test_a_refusal_is_one_line_that_says_what_to_do(pattern: str, cure: str) -> None:
    check = Check(kind="guard", template="forbid-text", parameters={"patterns": [pattern]})
    with pytest.raises(RulecError) as refused:
        open_library().parameters(check, "a-rule")
    line = str(refused.value)
    assert line.startswith(f"a-rule: forbid-text.patterns: {pattern[:200]!r} ")
    assert cure in line.rpartition("; ")[2]
    assert "\n" not in line


@pytest.mark.parametrize(
    ("template", "given", "name"),
    [
        ("forbid-import", {"modules": ["lodash"], "except": ["lodash/f*"], "language": "javascript"}, "except"),
        ("forbid-import", {"modules": ["lodash*"], "language": "javascript"}, "modules"),
        ("forbid-import", {"modules": ["os.*"], "prefer": "pathlib", "language": "python"}, "modules"),
    ],
)
def test_a_wildcard_in_a_module_is_refused(template: str, given: dict[str, object], name: str) -> None:
    check = Check(kind="semgrep", template=template, parameters=given)
    with pytest.raises(
        RulecError, match=rf"a-rule: {template}\.{name}: .* contains a wildcard.*; name the module alone"
    ):
        open_library().parameters(check, "a-rule")


def _ours() -> Iterator[tuple[str, str]]:
    for name, template in open_library().templates().items():
        for case in cases_of(template):
            rule = as_rule(template, case, template.kind, "a-case")
            if template.kind in ("guard", "semgrep"):
                yield from ((name, pattern) for pattern in reach_of_checks(rule, [compiled(rule)]).patterns)


def test_no_template_renders_what_would_be_refused() -> None:
    assert len(set(_ours())) > 100  # building them is what refuses


@pytest.mark.parametrize("kind", ["guard", "semgrep", "shell"])
@pytest.mark.parametrize("pattern", ["(a+)+$", r"(\w+\s?)*$", "x(.*?,){11}P"])
def test_a_parameter_that_may_hang_is_refused_for_every_kind(kind: str, pattern: str) -> None:
    template, given = {
        "guard": ("forbid-text", {"patterns": [pattern]}),
        "semgrep": ("name-pattern", {"what": "class", "language": "java", "must": pattern}),
        "shell": ("commit-message", {"forbid": [pattern]}),
    }[kind]
    check = Check(kind=kind, template=template, parameters=given)  # type: ignore[arg-type]  # one of the kinds
    with pytest.raises(RulecError, match="runs away"):
        open_library().parameters(check, ".rules/a.yaml:3")


def test_our_own_rules_are_judged_alike() -> None:
    rules = [load_yaml(path.read_text(), path.name)["rules"] for path in ROOT.glob(".rules/compiled/semgrep/*.yaml")]
    found = list(regexes_of_body(rules))
    assert found
    assert [pattern for pattern in found if semgrep_regex_problem(pattern)] == []
