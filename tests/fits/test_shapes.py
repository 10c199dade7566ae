"""Words about constructs of code -> the check that a person meant, or none."""

from typing import Any

import pytest

from rulec.fits.shapes import PLUG
from rulec.language import clauses
from rulec.model.candidate import Draft
from rulec.model.transcript import Action


def _drafts(text: str, before: tuple[Action, ...] = (), after: tuple[Action, ...] = ()) -> list[Draft]:
    return [draft for clause in clauses(text) for draft in PLUG.fit(clause, before, after)]


def _told(draft: Draft) -> tuple[str, dict[str, Any]]:
    check = draft.checks[0]
    return check.template, {key: value for key, value in check.parameters.items() if key != "language"}


STATED = [
    ("Prefer a switch over long else-ifs in Go", "else-if-chain"),
    ("Don't write long else-if chains in Python", "else-if-chain"),
    ("Avoid chained ifs in Java", "else-if-chain"),
    ("No nested ternaries in TypeScript", "nested-ternary"),
    ("never use nested ternary operators", "nested-ternary"),
    ("No default exports", "default-export"),
    ("Use named exports, not default exports", "default-export"),
    ("Always use named exports instead of default exports", "default-export"),
    ("no star imports in Python", "star-import"),
    ("Don't use wildcard imports", "star-import"),
    ("Never use relative imports", "relative-import"),
    ("use absolute imports instead of relative imports", "relative-import"),
    ("No mutable default arguments", "mutable-default"),
    ("Don't use inline styles in React", "inline-style"),
    ("No inline CSS", "inline-style"),
    ("Use function declarations instead of arrow functions", "arrow-function"),
    ("Use arrow functions instead of function declarations", "function-keyword"),
    ("Use async/await instead of .then chains", "then-chain"),
    ("Prefer async/await over promise chains", "then-chain"),
    ("Use const or let, not var", "var"),
    ("Use strict equality instead of loose equality", "loose-equality"),
    ("no class components in React", "class"),
    ("Use string unions instead of enums", "enum"),
    ("No TypeScript enums", "enum"),
    ("Use types, not interfaces", "interface"),
    ("Avoid type assertions in TypeScript", "type-assertion"),
    ("No non-null assertions", "non-null-assertion"),
    ("Use for...of instead of forEach", "for-each"),
    ("No lambdas in Python", "lambda"),
    ("Use f-strings instead of .format", "string-format"),
    ("use pathlib instead of os.path", "os-path"),
    ("No unsafe blocks in Rust", "unsafe"),
    ("Never use unwrap in Rust", "unwrap"),
    ("No panics in Go", "panic"),
    ("Use the logger instead of print statements", "print"),
    ("Use slog instead of fmt.Println", "print"),
    ("no console.log calls, use the logger", "print"),
    ("Log warnings through the logger instead of printing to stderr", "print-to-stderr"),
    ("Use inotify events, not polling", "sleep-loop"),
    ("no busy waiting in Go", "sleep-loop"),
    ("No mocks in tests", "test-double"),
    ("Don't mock anything in our tests", "test-double"),
    ("Use real databases instead of mocks", "test-double"),
    ("Assert exact equality rather than substrings", "contains-assertion"),
]


@pytest.mark.parametrize(("text", "shape"), STATED, ids=[text for text, _ in STATED])
def test_a_construct_is_known_by_its_words(text: str, shape: str) -> None:
    assert ("forbid-shape", {"shape": shape}) in [_told(draft) for draft in _drafts(text)]


BROAD = {"types": ["Exception", "BaseException"]}
CAUGHT: list[tuple[str, str, dict[str, Any]]] = [
    ("No bare excepts in Python", "bare-except", {}),
    ("Don't use a bare except clause", "bare-except", {}),
    ("No naked rescues in Ruby", "bare-except", {}),
    ("Never use catch (...) in C++", "bare-except", {}),
    ("avoid broad exceptions in Python", "bare-except", BROAD),
    ("Don't catch generic exceptions", "bare-except", BROAD),
    ("Never rescue Exception in Ruby", "bare-except", {"types": ["Exception"]}),
    ("Don't catch Throwable in Java", "bare-except", {}),
    ("Never swallow errors", "swallowed-error", {}),
    ("Don't silently ignore exceptions in Python", "swallowed-error", {}),
    ("No empty catch blocks in JavaScript", "swallowed-error", {}),
    ("Errors must never be ignored in Go", "swallowed-error", {}),
    ("Don't discard errors in Rust", "swallowed-error", {}),
    ("Never use `|| true` in shell scripts", "swallowed-error", {}),
    ("no empty rescue blocks", "swallowed-error", {}),
]


@pytest.mark.parametrize(("text", "template", "given"), CAUGHT, ids=[text for text, _, _ in CAUGHT])
def test_words_about_caught_errors_reach_their_own_templates(text: str, template: str, given: dict[str, Any]) -> None:
    assert (template, given) in [_told(draft) for draft in _drafts(text)]


@pytest.mark.parametrize(
    "text",
    [
        "Use an interface, not an if-else over plan kinds in the billing code",
        "Add a switch to turn the sound off",
        "switch to the other branch",
        "The default export of the report should be a PDF",
        "Users should be able to use nested comments",
        "Use print layout for the invoice page",
        "Don't print the invoice twice",
        "We use global search here",
        "use the global css file instead of a second one",
        "Do not poll me for every little thing",
        "Make the inline editor blue",
        "Never close the class list when a pupil is open",
        "Write an interface for the payment provider",
        "Always include the type of the file in the table",
        "Don't contain yourself",
        "The result contains too many rows",
        "Do not assert that you know better",
        "The mock-up should use our colours",
        "let's panic less about the deadline",
        "Don't ignore my questions",
        "Don't read more than 200 lines of a file at once",
        "Show at most 50 lines of the log file",
        "It returns many rows, sort them",
        "Multiple return values are fine in Go",
        "Repeat the request every 5 seconds",
        "Don't duplicate rows when importing data",
        "Do not send the same message twice",
        "the build is green now, thanks",
    ],
)
def test_look_alikes_say_nothing_about_code(text: str) -> None:
    assert _drafts(text) == []


@pytest.mark.parametrize(
    ("text", "template", "given"),
    [
        ("Functions must not be longer than 40 lines", "max-function-lines", {"lines": 40}),
        ("Keep functions under 30 lines", "max-function-lines", {"lines": 30}),
        ("No method over 25 lines in Java", "max-function-lines", {"lines": 25}),
        ("Never write functions with more than 60 lines", "max-function-lines", {"lines": 60}),
        ("Keep files under 300 lines", "max-file-lines", {"lines": 300}),
        ("No file over 500 lines", "max-file-lines", {"lines": 500}),
        ("Avoid multiple returns per function", "max-returns", {"most": 4}),
        ("Don't use more than two returns in a function", "max-returns", {"most": 2}),
        ("No functions with lots of returns", "max-returns", {"most": 4}),
    ],
)
def test_a_limit_is_read_with_its_number(text: str, template: str, given: dict[str, int]) -> None:
    drafts = dict(map(_told, _drafts(text)))
    assert given.items() <= drafts[template].items()


@pytest.mark.parametrize(
    "text",
    [
        "Keep it DRY",
        "Don't duplicate code, share it",
        "Never copy-paste functions between modules",
        "Never have the same logic in two jobs",
        "no code duplication please",
        "Do not write the same function twice",
    ],
)
def test_words_against_repeated_code_forbid_copies(text: str) -> None:
    assert ("forbid-copies", {"least": 4}) in [_told(draft) for draft in _drafts(text)]


@pytest.mark.parametrize(
    ("text", "stays", "goes"),
    [
        ("The database must be SQLite and nothing else", "better-sqlite3", "mongodb"),
        ("Only Postgres as the database", "pg", "mysql2"),
        ("Auth provider: Clerk", "@clerk/nextjs", "next-auth"),
        ("The ORM must be Drizzle and nothing else", "drizzle-orm", "typeorm"),
        ("No other test framework besides vitest", "vitest", "jest"),
        ("Allow no other HTTP client but httpx", "httpx", "requests"),
    ],
)
def test_what_alone_is_allowed_rules_its_rivals_out(text: str, stays: str, goes: str) -> None:
    checks = [check for draft in _drafts(text) for check in draft.checks if check.template == "forbid-import"]
    modules = {module for check in checks for module in check.parameters["modules"]}
    assert goes in modules
    assert stays not in modules


def _write(path: str, text: str) -> Action:
    return Action(kind="write", path=path, new=text)


GO = "package a\n\n"
CHAIN = GO + "func f(x int) {\n\tif x == 1 {\n\t\tg()\n\t} else if x == 2 {\n\t\th()\n\t} else {\n\t\ti()\n\t}\n}\n"
SWITCH = GO + "func f(x int) {\n\tswitch x {\n\tcase 1:\n\t\tg()\n\t}\n}\n"
MANY = "def f(x):\n" + "".join(f"    if x == {n}:\n        return {n}\n" for n in range(6))
TABLE = 'var cartRoute = &web.Route{\n\tPath: "/cart",\n\tHandle: cart,\n}\n'
STDERR = GO + 'import (\n\t"fmt"\n\t"os"\n)\n\nfunc f() {\n\tfmt.Fprintln(os.Stderr, "oops")\n}\n'
LOGGED = GO + 'import "example.org/log"\n\nfunc f() {\n\tlog.Warn("oops")\n}\n'
WRAPPER = GO + 'import "x.org/lru"\n\nfunc priceCache() *lru.Cache {\n\treturn lru.New(64)\n}\n'
PLAIN = GO + 'import "x.org/lru"\n\nfunc f() {\n\tg(lru.New(64))\n}\n'
IF_KIND = "def read(p):\n    if p.kind == 'csv':\n        return read_csv(p)\n    return read_json(p)\n"
POLL = "import time\n\ndef run(d):\n    while True:\n        scan(d)\n        time.sleep(1)\n"
WATCHED = "from watchdog.observers import Observer\n\ndef run(d):\n    Observer().start()\n"
JOIN = "import os\n\ndef f(base, size):\n    return os.path.join(base, 'thumbnails', size, 'index.json')\n"
CASES = [
    ("use a switch, these else-ifs are hard to read", CHAIN, SWITCH, "a.go", "else-if-chain"),
    ("that has way too many returns", MANY, "def f(x):\n    return x\n", "a.py", {"most": 4}),
    ("use the log package for such warnings", STDERR, LOGGED, "a/b.go", "print-to-stderr"),
    ("please use the logger", STDERR, LOGGED, "a/b.go", "print-to-stderr"),
    ("drop priceCache(), simply call lru.New", WRAPPER, PLAIN, "shop/a.go", {"returns": r"\W*(?:\w+[.])*Cache$"}),
    ("no branching on the kind, give each reader its method", IF_KIND, "p.read()\n", "a.py", {"subjects": ["kind"]}),
    ("watchdog can do that without polling", POLL, WATCHED, "jobs/watch.py", "sleep-loop"),
    (
        "never join those by hand, images.py builds them",
        JOIN,
        "x = thumbnails(base)\n",
        "a.py",
        {"functions": ["os.path.join", "posixpath.join"]},
    ),
]


@pytest.mark.parametrize(("text", "wrong", "right", "path", "told"), CASES, ids=[case[0] for case in CASES])
def test_the_pair_tells_what_the_words_mean(text: str, wrong: str, right: str, path: str, told: Any) -> None:
    drafts = _drafts(text, (_write(path, wrong),), (_write(path, right),))
    wanted = {"shape": told} if isinstance(told, str) else told
    assert any(wanted.items() <= dict(_told(draft)[1]).items() for draft in drafts)


def test_what_moved_to_another_file_is_not_wanted_where_it_was() -> None:
    before = (Action(kind="edit", path="server.go", old="func serve() {\n", new=f"{TABLE}\nfunc serve() {{\n"),)
    after = (_write("routes/cart.go", f"package routes\n\n{TABLE}"),)
    [draft, *_] = _drafts("route tables belong in routes/, not in server.go", before, after)
    assert _told(draft) == ("forbid-construct", {"types": ["web.Route"], "fields": "Handle"})
    assert draft.scope.include == ("server.go",)


def test_a_text_that_is_refused_in_a_folder_may_stand_elsewhere() -> None:
    before = (_write("web/list.ts", "if (t === 'no rows were found here') skip();\n"),)
    after = (_write("web/list.ts", "skipEmpty(t);\n"), _write("data/empty.ts", "'no rows were found here'\n"))
    [draft] = _drafts('please do not check for "no rows were found" in the list', before, after)
    assert draft.scope.include == ("web/",)
    assert "no\\ rows\\ were\\ found" in draft.checks[0].parameters["patterns"][0]


@pytest.mark.parametrize(
    ("text", "wrong", "right", "path"),
    [
        ("a switch would do", SWITCH, CHAIN, "a.go"),
        ("use our logger", LOGGED, STDERR, "a.go"),
        ("that has way too many rows", MANY, "x = 1\n", "a.py"),
        ("use watchdog here", WATCHED, POLL, "a.py"),
        ("just use the other colour", WRAPPER, PLAIN, "a.go"),
        ("the routes are in server.go", GO + TABLE, "x\n", "server.go"),
    ],
)
def test_a_pair_that_shows_something_else_says_nothing(text: str, wrong: str, right: str, path: str) -> None:
    assert _drafts(text, (_write(path, wrong),), (_write(path, right),)) == []


def test_tests_are_left_out_of_what_is_said_of_code() -> None:
    [draft, *_] = _drafts("no if-else on the kind, use the interface", (_write("a.py", IF_KIND),), ())
    assert "test_*.py" in draft.scope.exclude


def test_a_repeated_function_of_the_offence_is_an_example() -> None:
    body = (
        "    out = []\n    for item in form['{0}'].split(','):\n        text = clean(item, 2)\n"
        "        if text:\n            out.append('- ' + text)\n    return out\n"
    )
    two = f"def one(form):\n{body.format('a')}\ndef two(form):\n{body.format('b')}"
    [draft] = _drafts("that's not very DRY", (_write("src/a.py", two),), ())
    assert draft.invalid[0].files == (("src/a.py", two),)
