"""What a statement names, and what of it a draft leaves unseen."""

import json
from pathlib import Path

import pytest

from rulec.domain.rule import Check, Example, Rule, Scope
from rulec.drafting import draft_json
from rulec.language.coverage_gaps import unexplained
from rulec.language.statement_parts import examples_contradict, literals_of, split_statement

CASES = Path(__file__).parents[1] / "cases"

NAMED = [
    ("Use `pnpm`, never `npm install`.", ["pnpm", "npm install"]),
    ("**DO NOT** touch src/api/ and/or `gen/**`.", ["src/api/", "gen/**"]),
    ("**NEVER use git push --force**", ["--force"]),
    ('Never write "TODO" in a comment.', ["TODO"]),
    ("Don't use parseInt() or os.path, e.g. in user_id.", ["parseInt()", "os.path", "user_id"]),
    ("1. Functions have at most 40 lines.", ["40"]),
    ("Target Python 3.11 and keep utf-8.", ["3.11"]),
    ("No .env files, no *.log files.", [".env", "*.log"]),
    ("Say it's done; don't say 'should work'.", ["should work"]),
    ("Keep package.json and getUserName in step.", ["package.json", "getUserName"]),
    ("Write short sentences.", []),
]

CLAUSES = [
    ("Use pnpm, never npm.", ["Use pnpm", "never npm"]),
    ("Use pnpm; write the changelog in German.", ["Use pnpm", "write the changelog in German"]),
    ("Run the tests, and tell me the result, because I forget.", ["Run the tests", "tell me the result"]),
    ("Never push to main unless I ask.", ["Never push to main unless I ask"]),
    ("Use black and isort.", ["Use black and isort"]),
    ("Use real git and files; no mocks.", ["Use real git and files", "no mocks"]),
    ("No mocks of git, semgrep, and files.", ["No mocks of git, semgrep, and files"]),
    ("Run ruff. Then fix what it finds.", ["Run ruff", "fix what it finds"]),
]


def _guard(template="forbid-command", **parameters):
    return Check(kind="guard", template=template, parameters=parameters)


NPM = _guard(commands=["npm install|i"])
EXAMPLE = Example(kind="command", text="pnpm add x")
GAPS = [
    ("Use `pnpm`, never `npm install`.", [NPM], {}, ["pnpm"]),
    ("Use `pnpm`, never `npm install`.", [NPM], {"valid": [EXAMPLE]}, []),
    ("Use `pnpm`, never `npm install`.", [NPM], {"not_checked": ["whether pnpm is used"]}, []),
    ("Never `npm install <name>`.", [NPM], {}, []),
    ("Never `git push --force origin`.", [_guard(commands=["git push -f|--force"])], {}, []),
    ("At most 72 characters.", [_guard("commit-message", subject=r"^.{73,}")], {}, []),
    ("At most 50 characters.", [_guard("commit-message", subject=r"^.{73,}")], {}, ["50"]),
    (
        "Never call `console.log`.",
        [_guard("forbid-text", forbid=r"console\.\w+\(")],
        {"also": ["console.log(...)"]},
        [],
    ),
    ("Never call `console.log`.", [_guard("forbid-text", forbid=r"\bconsole\.log\b")], {}, []),
    ("Never write `foo`.", [_guard("forbid-text", forbid=r".*")], {}, ["foo"]),
    ("Only in `src/api/`.", [NPM], {"scope": Scope(include=("src/api/**",))}, []),
    ("No .log files.", [_guard("forbid-path", paths=["*.log"])], {}, []),
    ("Never npm install; write the changelog in German.", [NPM], {}, ["write the changelog in German"]),
    ("Never npm install; write it in German.", [NPM], {"not_checked": ["German text"]}, []),
    ("Never npm install, and tell me what `yarn` does.", [NPM], {}, ["yarn"]),
    ("Never npm install, because yarn is here.", [NPM], {}, []),
    ("Never npm install unless I ask.", [NPM], {}, ["unless I ask"]),
    ("Never npm install; never npm ci.", [NPM, _guard(commands=["npm ci"])], {}, []),
    ("Use `pnpm`; write German.", [], {}, []),
    ("Use `pnpm`; write German.", [Check(kind="judge", template="judge")], {}, []),
]


def test_literals_of():
    wrong = [(text, got) for text, want in NAMED if (got := [one.text for one in literals_of(text)]) != want]
    assert not wrong


def test_wishes():
    wrong = [
        (text, got)
        for text, want in CLAUSES
        if (got := [one.whole for one in split_statement(text) if one.kind == "wish"]) != want
    ]
    assert not wrong


CONDITIONS = [
    ("Never deploy on Fridays.", ["on Fridays"]),
    ("If the tests fail, do not commit.", ["If the tests fail"]),
    ("Never push, because others build on it, unless I ask.", ["unless I ask"]),
    ("Never push, even in a hurry.", []),
    ("Never push so that nobody is in trouble.", []),
    ("Put it `in production; if` there.", []),
]


def test_conditions():
    wrong = [
        (text, got)
        for text, want in CONDITIONS
        if (got := [one.text for one in split_statement(text) if one.kind == "condition"]) != want
    ]
    assert not wrong


def _rule(row):
    invalid, valid = (tuple(draft_json.read_examples_by_model(row[side], "agent", 9)) for side in ("invalid", "valid"))
    check = Check(kind="guard", template=row["template"], parameters=row["with"])
    scope = Scope(**{key: tuple(value) for key, value in row.get("scope", {}).items()})
    return Rule(slug="x", statement=row["statement"], checks=(check,), invalid=invalid, valid=valid, scope=scope)


def _rows(name):
    return [json.loads(line) for line in (CASES / name).read_text().splitlines()]


def test_every_second_half_and_condition_is_told():
    told = {row["statement"]: (row["unseen"], unexplained(_rule(row))) for row in _rows("halves.jsonl")}
    missed = {text: got for text, (want, got) in told.items() if not any(want in one for one in got)}
    assert not missed


def test_what_is_checked_whole_is_left_alone():
    rules = [_rule(row) for row in _rows("whole.jsonl")]
    assert len([rule.statement for rule in rules if unexplained(rule)]) <= 2
    assert not [rule.statement for rule in rules if examples_contradict(rule)]


def _command_rule(statement, commands, invalid=(), valid=(), **more):
    examples = [tuple(Example(kind="command", text=text) for text in side) for side in (invalid, valid)]
    checks = (_guard(commands=commands),)
    return Rule(slug="x", statement=statement, checks=checks, invalid=examples[0], valid=examples[1], **more)


TURNED = [
    ("Use pnpm, never npm.", ["pnpm i"], ["npm i"], True),
    ("Never use npm, always pnpm.", ["pnpm i"], ["ls"], True),
    (
        "Never `git push --force`, always `--force-with-lease`.",
        ["git push --force-with-lease"],
        ["git push --force"],
        True,
    ),
    ("Use pnpm, never npm.", ["npm i"], ["pnpm i"], False),
    ("Use pnpm, never npm.", ["npm i", "pnpm dlx npm"], [], False),
    ("Use uv, not pip.", ["uv pip install x"], ["uv add x"], False),
    ("Never use npm unless pnpm is missing.", ["pnpm i"], ["npm i"], False),
    ("Always use pnpm.", ["pnpm i"], ["npm i"], False),
]


@pytest.mark.parametrize(("statement", "invalid", "valid", "wrong"), TURNED)
def test_examples_turned_round(statement, invalid, valid, wrong):
    assert bool(examples_contradict(_command_rule(statement, ["x"], invalid, valid))) is wrong


def test_members_of_a_list_and_comments():
    some = _command_rule("Never use `npm`, yarn or bun.", ["npm"], ["npm i # not yarn"], ["yarn i"])
    assert unexplained(some) == ("yarn", "bun")
    assert not unexplained(_command_rule("Never use npm or yarn.", ["npm", "yarn"], ["npm i"]))
    assert unexplained(_command_rule("Don't run make deploy or fab deploy.", ["make deploy"])) == ("fab deploy",)


def _gaps(statement, checks, *, also=(), **more):
    return unexplained(Rule(slug="some-rule", statement=statement, checks=tuple(checks), **more), also)


def test_gaps():
    wrong = [
        (text, checks, got) for text, checks, more, want in GAPS if (got := list(_gaps(text, checks, **more))) != want
    ]
    assert not wrong


@pytest.mark.parametrize("text", ["", "`", "``", "*", "**", "(" * 500, "and " * 500, "[" * 300 + "`a[`"])
def test_odd_statements_break_nothing(text):
    assert _gaps(text, [_guard("forbid-text", forbid="(")]) is not None
