"""What a statement names, and what of it a draft leaves unseen."""

import pytest

from rulec.literals import clauses_of, gaps, literals_of
from rulec.model.rule import Check, Example, Scope

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
    ("Use pnpm, never npm.", ["Use pnpm, never npm"]),
    ("Use pnpm; write the changelog in German.", ["Use pnpm", "write the changelog in German"]),
    ("Run the tests, and tell me the result, because I forget.", ["Run the tests", "tell me the result"]),
    ("Never push to main unless I ask.", ["Never push to main", "unless I ask"]),
    ("Use black and isort.", ["Use black and isort"]),
    ("Use real git and files; no mocks.", ["Use real git and files", "no mocks"]),
    ("No mocks of git, semgrep, and files.", ["No mocks of git, semgrep, and files"]),
    ("Run ruff. Then fix what it finds.", ["Run ruff", "Then fix what it finds"]),
]


def _guard(template="forbid-command", **parameters):
    return Check(kind="guard", template=template, parameters=parameters)


NPM = _guard(commands=["npm install|i"])
EXAMPLE = Example(kind="command", text="pnpm add x")
GAPS = [
    ("Use `pnpm`, never `npm install`.", [NPM], {}, ["pnpm"]),
    ("Use `pnpm`, never `npm install`.", [NPM], {"examples": [EXAMPLE]}, []),
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


def test_clauses_of():
    wrong = [(text, got) for text, want in CLAUSES if (got := list(clauses_of(text))) != want]
    assert not wrong


def test_gaps():
    wrong = [
        (text, checks, got) for text, checks, more, want in GAPS if (got := list(gaps(text, checks, **more))) != want
    ]
    assert not wrong


@pytest.mark.parametrize("text", ["", "`", "``", "*", "**", "(" * 500, "and " * 500, "[" * 300 + "`a[`"])
def test_odd_statements_break_nothing(text):
    assert gaps(text, [_guard("forbid-text", forbid="(")]) is not None
