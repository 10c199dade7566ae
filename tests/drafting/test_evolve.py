"""Three counterexamples of like scope make a case for an exception, and an exception has examples to be proved by."""

from dataclasses import replace

import pytest

from rulec.domain.files import globs
from rulec.domain.rule import Example, Exemption, Rule, Scope
from rulec.drafting.exception_search import command_form, groups_of_like_scope, offences_within, search_exceptions

NPM = Example(kind="command", text="npm ci")
RULE = Rule(slug="use-pnpm", statement="Use pnpm.", invalid=(NPM,))


def command(text: str) -> Example:
    return Example(kind="command", text=text)


def file(path: str) -> Example:
    return Example(kind="file", path=path, text="print(1)\n")


def folder(*globs: str) -> Scope:
    return Scope(include=globs)


def three(text: str) -> list[Example]:
    return [command(text.format(number)) for number in "123"]


Bounds = tuple[tuple[str, ...], tuple[str, ...], str]  # forms of commands, their arguments, a place
SHARED: list[tuple[list[Example], list[Bounds]]] = [
    (
        three("sed -i s/a/{0}/ migrations/{0}.sql"),
        [
            (("sed -i",), ("migrations/**",), "**"),
            (("sed -i",), ("migrations/**/*.sql",), "**"),
            (("sed -i",), (), "**"),
        ],
    ),
    (three("sed -i s/{}/b/ migrations/1.sql"), [(("sed -i",), ("migrations/1.sql",), "**")]),
    (three("cd migrations && sed -i s/a/b/ {}.sql"), [(("sed -i",), ("migrations/**",), "**")]),
    (
        [*three("sed -i s/a/b/ migrations/{}.sql"), command("sed -i s/a/b/ migrations/old/4.sql")],
        [(("sed -i",), ("migrations/**",), "**"), (("sed -i",), ("migrations/**/*.sql",), "**")],
    ),
    (three("npm publish --tag v{}"), [(("npm publish --tag",), (), "**")]),
    (three("cd legacy/{} && npm ci"), [(("npm ci",), (), "legacy/**"), (("npm ci",), (), "**")]),
    (three("git push --force origin b{}"), [(("git push origin --force",), (), "**")]),
    (three("CI=1 npm ci && echo {}"), [(("npm ci",), (), "**")]),
    ([command("npm ci"), command("yarn add x"), command("pip install y")], []),
    ([file("httpx/_main.py")] * 3, [((), (), "httpx/_main.py")]),
    ([file(f"legacy/{n}.py") for n in "abc"], [((), (), "legacy/**"), ((), (), "legacy/**/*.py")]),
    ([file(f"{n}/gen/x{n}.py") for n in "abc"], [((), (), "**/gen/**"), ((), (), "**/*.py")]),
    ([file(f"src/{n}/test_{n}.py") for n in "abc"], [((), (), "src/**/test_*.py"), ((), (), "src/**")]),
    ([file(f"{n}.py") for n in "abc"], [((), (), "./*.py")]),
    ([file(f"app/[{n}].tsx") for n in "abc"], [((), (), "app/**")]),
    ([replace(file(f"old/{n}.py"), kind="edit", old="x") for n in "abc"], [((), (), "old/**")]),
    ([Example(kind="commit", text="", files=(("a.py", ""), (f"old/{n}.py", ""))) for n in "abc"], [((), (), "./a.py")]),
    (
        [Example(kind="session", text="", steps=(file("x.py"), one)) for one in three("npm ci {}")],
        [(("npm ci",), (), "**")],
    ),
    ([Example(kind="message", text=n) for n in "abc"], []),
    ([], []),
]


@pytest.mark.parametrize(("actions", "wanted"), SHARED)
def test_actions_share_bounds_and_the_narrowest_comes_first(actions: list[Example], wanted: list[Bounds]) -> None:
    found = search_exceptions(RULE, actions, because="it is old")
    seen = [(one.commands, one.arguments, one.scope.include[0]) for one in found]
    assert [one for one in seen if one in wanted] == wanted
    assert seen[:1] == wanted[:1]
    assert all(one.because == "it is old" and one.bounded for one in found)


def test_what_is_excepted_already_is_not_found_again() -> None:
    first, *others = search_exceptions(RULE, three("npm ci {}"))
    known = replace(RULE, exceptions=(first,))
    assert search_exceptions(known, three("npm ci {}")) == tuple(others)


def test_an_agent_is_the_widest_bound() -> None:
    *_, last = search_exceptions(RULE, three("npm ci {}"), agent="codex")
    assert last == Exemption(because="", scope=Scope(agents=("codex",)))
    assert search_exceptions(RULE, (), agent="codex") == (last,)


def test_of_a_made_up_action_the_place_alone_is_known() -> None:
    made = three("cd legacy && npm ci {}")
    found = search_exceptions(RULE, made, places=[f"legacy/{n}.json" for n in "abc"])
    assert [one.scope.include for one in found][:2] == [("legacy/**",), ("legacy/**/*.json",)]
    assert not any(one.commands or one.arguments for one in found)


def test_groups_are_of_three_and_the_narrowest_comes_first() -> None:
    apart = [*three("sed -i s/a/b/ migrations/{}.sql"), command("sed -i s/a/b/ src/a"), *three("npm publish {}")]
    groups = list(groups_of_like_scope(apart))
    assert groups.index((0, 1, 2)) < groups.index((0, 1, 2, 3))
    assert (4, 5, 6) in groups
    assert list(groups_of_like_scope(apart[:2])) == []
    assert list(groups_of_like_scope([file("a/x.py"), file("b/y.ts"), file("c/z.go")])) == []


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
