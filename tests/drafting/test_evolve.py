"""Three counterexamples of like scope make a case for an exception, and an exception has examples to be proved by."""

from dataclasses import replace
from typing import Any

import pytest

from rulec.domain.evidence import Evidence
from rulec.domain.files import globs
from rulec.domain.rule import Example, Exemption, Rule, Scope
from rulec.drafting.exception_drafts import command_form, offences_within, propose_exceptions

NPM = Example(kind="command", text="npm ci")
RULE = Rule(slug="use-pnpm", statement="Use pnpm.", invalid=(NPM,))


def against(number: int, **more: Any) -> Evidence:
    values = {"quote": "it is old", "at": f"2026-11-2{number}", **more}
    return Evidence(slug="use-pnpm", kind="counterexample", weight=1.0, **values)


def three(**more: Any) -> list[Evidence]:
    return [against(number, **{key: value.format(number) for key, value in more.items()}) for number in range(3)]


def folder(*globs: str) -> Scope:
    return Scope(include=globs)


@pytest.mark.parametrize(
    ("evidence", "scope", "commands"),
    [
        (three(path="legacy/{}.py"), folder("legacy/**"), ()),
        (three(path="legacy/deep/{}.py", accepted="npm ci", agent="codex"), folder("legacy/deep/**"), ()),
        (three(accepted="npm publish --tag {}"), Scope(), ("npm publish",)),
        (three(accepted="cd {} && npm publish", path="{}/x.py"), None, ()),  # cd is no form that says anything
        (three(accepted="npm -v"), Scope(), ("npm",)),
        (three(agent="codex"), Scope(agents=("codex",)), ()),
        (three(path="{}/a.py", accepted="npm {}", agent="codex"), Scope(agents=("codex",)), ()),
        (three(path="a{}.py"), None, ()),  # the top of a repository is no folder to except
        (three(path="{}/a.py"), None, ()),
        (three(path="legacy/{}.py")[:2], None, ()),
        ([*three(path="legacy/{}.py")[:2], against(5, path="web/x.py")], None, ()),
        ([replace(one, kind="correction") for one in three(path="legacy/{}.py")], None, ()),
        (three(), None, ()),
    ],
)
def test_like_scope_is_a_folder_a_form_of_a_command_or_an_agent(
    evidence: list[Evidence], scope: Scope | None, commands: tuple[str, ...]
) -> None:
    wanted = () if scope is None else (Exemption(because="it is old", scope=scope, commands=commands),)
    assert propose_exceptions(RULE, evidence) == wanted


def test_each_counterexample_speaks_for_one_exception_only() -> None:
    evidence = [*three(path="legacy/{}.py", agent="codex"), *three(accepted="npm publish", agent="codex")]
    assert [(one.scope.include, one.commands) for one in propose_exceptions(RULE, evidence)] == [
        (("legacy/**",), ()),
        (("**",), ("npm publish",)),
    ]


def test_reasons_are_told_once_each_the_oldest_first() -> None:
    evidence = [replace(one, quote=quote) for one, quote in zip(three(path="a/{}"), ["b.", "a", "b"], strict=True)]
    assert [one.because for one in propose_exceptions(RULE, evidence)] == ["b; a"]
    assert [one.because for one in propose_exceptions(RULE, [replace(one, quote="") for one in evidence])] == [
        "it did not hold there 3 times"
    ]


def test_what_is_excepted_already_is_no_case_again() -> None:
    evidence = three(path="legacy/{}.py")
    (proposed,) = propose_exceptions(RULE, evidence)
    assert propose_exceptions(replace(RULE, exceptions=(proposed,)), evidence) == ()
    wider = replace(proposed, scope=folder("leg*/**"))
    assert propose_exceptions(replace(RULE, exceptions=(wider,)), evidence) == ()
    other = replace(wider, commands=("npm ci",))
    assert propose_exceptions(replace(RULE, exceptions=(other,)), evidence) == (proposed,)


@pytest.mark.parametrize(
    ("typed", "wanted"),
    [
        ("npm ci", "npm ci"),
        ("  npm   publish  --access public", "npm publish --access public"),
        ("/usr/bin/npm ci", "npm ci"),
        ("CI=1 npm ci", "npm ci"),
        ("git commit -m wip", "git commit -m wip"),
        ("git commit -m 'two words'", ""),
        ("npm ci && rm -rf x", ""),
        ("npm ci | cat", ""),
        ("npm ci > log", ""),
        ("bash -c 'npm ci; npm i'", ""),
        ("npm ci $(id)", ""),
        ("", ""),
    ],
)
def test_a_form_is_one_plain_command(typed: str, wanted: str) -> None:
    assert command_form(typed) == wanted


PRINT = Example(kind="file", path="src/app.py", text="print(1)\n")


@pytest.mark.parametrize(
    ("place", "path"),
    [
        ("legacy/**", "legacy/app.py"),
        ("legacy/", "legacy/app.py"),
        ("legacy", "legacy/app.py"),
        ("*.min.py", "app.min.py"),
        ("tests/**/test_*.py", "tests/test_app.py"),
        ("legacy/old.py", "legacy/old.py"),
        ("{a,b}/**", "a/app.py"),
        ("**/gen/**", "gen/app.py"),
        ("docs/*.md", "docs/app.md"),
        ("src/[ab]/**", None),
        ("/old/**", "old/app.py"),
        ("~/x/**", None),
    ],
)
def test_an_offence_is_moved_to_where_the_exception_holds(place: str, path: str | None) -> None:
    one = Exemption(because="x", scope=folder(place))
    made = [example.path for example in offences_within(replace(RULE, invalid=(PRINT,)), one)]
    assert made[:1] == ([path] if path else [])
    assert all(globs.match([place], name) for name in made)


def test_offences_of_every_kind_can_be_within_an_exception() -> None:
    edit = replace(PRINT, kind="edit", old="x")
    commit = Example(kind="commit", text="Add", files=(("src/a.py", "1"), ("b.py", "2")))
    session = Example(kind="session", text="", steps=(edit, NPM))
    rule = replace(RULE, invalid=(NPM, edit, commit, session, Example(kind="message", text="wip")))
    made = list(offences_within(rule, Exemption(because="x", scope=folder("legacy/**"))))
    assert made[0].text == "cd legacy && npm ci"
    assert replace(edit, path="legacy/app.py") in made
    assert replace(commit, files=(("legacy/a.py", "1"), ("legacy/b.py", "2"))) in made
    assert [step.path or step.text for step in made[-1].steps] == ["legacy/app.py", "cd legacy && npm ci"]
    named = Exemption(because="x", commands=("npm test",))
    assert [
        one.text or one.steps[-1].text for one in offences_within(replace(RULE, invalid=(NPM, session)), named)
    ] == [
        "npm test",
        "npm test",
    ]
