"""A rule that is not run on a file, since the file lacks what it needs, would have found nothing there."""

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rulec.checkout import learned_needs
from rulec.checks.semgrep.checker import PLUG
from rulec.checks.semgrep.scan_targets import SearchedTexts, find_targets, printed_conditions
from rulec.domain.artifact import Artifact
from rulec.domain.change import Change
from rulec.domain.plugs import JobOutput
from rulec.infra import jobs
from tests.checks.support import artifact, change, observe, places

NAMES = st.sampled_from(
    [
        "foo",
        "Foo",
        "foobar",
        "bar",
        "os",
        "key_1",
        "x",
        "tést",
        "FOO",
        "ba",
        "alpha",
        "beta",
        "alphabet",
        "_a",
        "a1",
        "Key",
        "pay",
        "load",
    ]
)
ODD = st.sampled_from(["o\u017f", "\u212aey_1", "FOOBAR", "foo_bar", "a.foo", "xé", "\r", "\0foo"])


def bodies() -> st.SearchStrategy[str]:
    """Rules of every form whose condition Semgrep's core states in another way."""
    code = st.builds(
        lambda form, one, two: form % {"a": one, "b": two},
        st.sampled_from(
            [
                "pattern: %(a)s(...)",
                "pattern: %(a)s.%(b)s($X)",
                "pattern: $X = %(a)s",
                "pattern: import %(a)s",
                "pattern-either: [{pattern: %(a)s(...)}, {pattern: %(b)s = $X}]",
                "patterns: [{pattern: %(a)s(...)}, {pattern-not: %(a)s(%(b)s)}]",
                "patterns: [{pattern: $F(...)}, {metavariable-regex: {metavariable: $F, regex: '^(%(a)s|%(b)s)$'}}]",
                "patterns: [{pattern: $F(...)}, {metavariable-regex: {metavariable: $F, regex: '(?i)%(a)s'}}]",
                "patterns: [{pattern-inside: 'def %(a)s(...): ...'}, {pattern: %(b)s(...)}]",
                "mode: taint\npattern-sources: [{pattern: %(a)s(...)}]\npattern-sinks: [{pattern: %(b)s(...)}]",
                "pattern: '%(a)s(\"=~/%(b)s/\")'",
                "pattern: '%(a)s(\"...\")'",
            ]
        ),
        NAMES,
        NAMES,
    )
    text = st.builds(
        lambda form, one, two: f"pattern-regex: '{form % {'a': one, 'b': two}}'",
        st.sampled_from(
            [
                "%(a)s",
                "(?i)%(a)s",
                "%(a)s|%(b)s",
                "(?i)(%(a)s|%(b)s)",
                "(%(a)s|%(b)s)x?",
                "%(a)s\\s+%(b)s",
                "[fF]oo",
                "\\b%(a)s\\b",
                "%(a)s\\.%(b)s",
                "(?i:%(a)s)%(b)s",
                "%(a)s.*%(b)s",
                "^%(a)s$",
                "(?m)%(a)s$",
                "%(a)s\\r",
            ]
        ),
        NAMES,
        NAMES,
    )
    loose = st.builds(lambda one, two: f"pattern: {one} ... {two}", NAMES, NAMES)
    return st.one_of(
        st.builds(lambda body: f"languages: [python]\n{body}\n", code),
        st.builds(lambda body: f"languages: [regex]\n{body}\n", text),
        st.builds(lambda body: f"languages: [generic]\n{body}\n", loose),
    )


def files() -> st.SearchStrategy[str]:
    """Python in which such rules find something every now and then."""
    line = st.builds(
        lambda form, one, two: form % (one, two),
        st.sampled_from(
            ["%s(%s)", "%s.%s(1)", "y = %s  # %s", "import %s, %s", "%s = '%s'", "def %s(%s): pass", "%s %s"]
        ),
        st.one_of(NAMES, ODD),
        st.one_of(NAMES, ODD),
    )
    return st.lists(line, max_size=4).map("\n".join)


@settings(max_examples=10)
@given(st.lists(bodies(), min_size=40, max_size=60), st.lists(files(), min_size=1, max_size=3))
def test_rules_find_the_same_whether_or_not_it_is_known_what_they_need(rules: list[str], texts: list[str]) -> None:
    made = [artifact(PLUG, f"r-{number}", body) for number, body in enumerate(rules)]
    looked_at = change({f"f{number}.py": text for number, text in enumerate(texts)})
    knowing = learned(made)
    assert all(one.needs for one in knowing)
    assert sorted(places(observe(PLUG, knowing, looked_at))) == sorted(places(observe(PLUG, made, looked_at)))


def learned(made: list[Artifact]) -> list[Artifact]:
    """The artifacts with what the real core says that they need."""
    return list(PLUG.learned(made, jobs.run_jobs(PLUG.learn(made), Change())))


def test_what_is_needed_saves_the_run() -> None:
    made = [artifact(PLUG, f"r-{n}", f"languages: [python]\npattern: forbidden_{n}(...)\n") for n in range(9)]
    looked_at = change({"a.py": "print(forbidden_3)\n", "b.py": "x = 1\n", "c.py": "forbidden_33()\n"})
    knowing = learned(made)
    assert [one.needs for one in knowing[:2]] == ['"forbidden_0"', '"forbidden_1"']
    met = find_targets(knowing, looked_at)
    assert [met.rules[n].name for n in met.rules] == ["r-3"]
    assert sorted(met.targets) == ["text/a.py", "text/c.py"], "within a longer word it may stand, too"
    assert PLUG.jobs(knowing, change({"b.py": "x = 1\n"})) == [], "nothing is left to run"


def test_rules_whose_needs_nobody_knows_always_run() -> None:
    made = [artifact(PLUG, "good", "languages: [python]\npattern: f(...)\n")]
    for left in (
        [],
        [JobOutput(code=2, out="")],
        [JobOutput(code=0, out="")],
        [JobOutput(code=0, out='[{"rule_id": 1}]')],
    ):
        assert [one.needs for one in PLUG.learned(made, left)] == [""]
    bad = artifact(PLUG, "bad", "languages: [python]\npattern: import import ((\n")
    seen = observe(PLUG, learned([bad, *made]), change({"a.py": "f()\n"}))
    assert sorted(places(seen)) == [("bad", "fault", -1), ("good", "a.py", 1)]


def test_a_file_that_is_too_large_is_told_although_nothing_in_it_is_needed() -> None:
    knowing = learned([artifact(PLUG, "r", "languages: [python]\npattern: forbidden(...)\n")])
    assert places(observe(PLUG, knowing, change({"a.py": b"# x\n" * 300_000}))) == [("r", "fault", -1)]


@pytest.mark.parametrize(
    ("said", "need"),
    [
        ("None", True),
        (["Some", ["Pred", ["Idents", ["a", "b"]]]], ["&", "a", "b"]),
        (["Some", ["Pred", ["Idents", []]]], True),
        (["Some", ["Or", [["Pred", ["Idents", ["a"]]], ["Pred", ["Idents", ["b"]]]]]], ["|", "a", "b"]),
        (["Some", ["Or", [["Pred", ["Idents", ["a"]]], ["Pred", ["Regexp", "[b]"]]]]], True),
        (["Some", ["And", [["Pred", ["Idents", ["a"]]], ["Pred", ["Regexp", "[b]"]]]]], "a"),
        (["Some", ["Pred", ["Regexp", "(?i)todo"]]], ["i", "todo"]),
        (["Some", ["Pred", ["Regexp", "(a|bc)"]]], ["|", "a", "bc"]),
        (["Some", ["Pred", ["Regexp", "(?:a|bc)"]]], ["|", "a", "bc"]),
        (["Some", ["Pred", ["Regexp", "(?i)a.c"]]], True),
        (["Some", ["New", ["a"]]], True),
        (["Some"], True),
    ],
)
def test_a_condition_that_is_not_understood_holds_everywhere(said: Any, need: Any) -> None:
    assert printed_conditions(json.dumps([{"rule_id": "r0", "filter": said}])) == {"r0": need}


WORDS = st.text(alphabet="abAB_1.- \n\u017fé\u212ak", max_size=12)


@given(st.dictionaries(st.sampled_from("pqrs"), WORDS), WORDS)
def test_texts_that_hold_a_literal_are_found(texts: dict[str, str], literal: str) -> None:
    assert SearchedTexts(texts).meeting(literal) == {name for name, text in texts.items() if literal in text}


@given(st.dictionaries(st.sampled_from("pqrs"), WORDS), st.text(alphabet="abAB_1k", min_size=1, max_size=4))
def test_case_is_folded_as_far_as_any_engine_does(texts: dict[str, str], literal: str) -> None:
    held = {name for name, text in texts.items() if literal.lower() in text.lower().replace("\u017f", "s")}
    assert SearchedTexts(texts).meeting(["i", literal]) >= held


LITERALS = st.text(alphabet="abAB_1k", min_size=1, max_size=3)
NEEDS = st.recursive(
    st.just(True) | LITERALS | LITERALS.map(lambda one: ["i", one]),
    lambda inner: st.builds(
        lambda sign, parts: [sign, *parts], st.sampled_from("&|"), st.lists(inner, min_size=1, max_size=3)
    ),
    max_leaves=6,
)


@given(st.dictionaries(st.sampled_from("pqrs"), WORDS), NEEDS)
def test_the_hook_asks_wherever_the_gate_would_run_a_rule(texts: dict[str, str], need: Any) -> None:
    held = {name for name, text in texts.items() if learned_needs.may_match(need, text)}
    assert SearchedTexts(texts).meeting(need) <= held


@pytest.mark.parametrize("odd", [None, 3, {}, [], ["&"], ["?", "a"], ["i", 3], [["a"], "b"], [True, "a"]])
def test_a_condition_that_the_hook_cannot_read_holds_everywhere(odd: Any) -> None:
    assert learned_needs.may_match(odd, "")
