"""Code that the words name and the correction took out: what the patterns of a draft find, and what they pass."""

import re

import pytest

from rulec.fits._contrast_names import patterns
from rulec.fits.contrasts import fit
from rulec.language import clauses
from rulec.model.transcript import Action


def write(path: str, text: str) -> Action:
    return Action(kind="write", path=path, new=text)


def drafts(said: str, path: str, wrong: str, right: str) -> list[list[str]]:
    before, after = (write(path, wrong),), (write(path, right),)
    found = (draft for clause in clauses(said) for draft in fit(clause, before, after))
    return [draft.checks[0].parameters["patterns"] for draft in found]


@pytest.mark.parametrize(
    ("said", "path", "pair", "again", "innocent"),
    [
        (
            "nextTick as a fix for that is not ok",
            "src/queue.ts",
            ("nextTick(flush);\n", "await flushed;\n"),
            "  nextTick(() => draw());\n",
            "// nextTick is not used here\nconst a = 'nextTick(flush)';\n",
        ),
        (
            "why is there a sleep in here?",
            "a.py",
            ("sleep(3)\n", "wait(done)\n"),
            "    sleep(1)\n",
            "asleep = 1\n",
        ),
        (
            "`??=` again... we don't do that here",
            "a.js",
            ("a ??= 1;\n", "a = a ?? 1;\n"),
            'get("x").y ??= 2;\n',
            'text = "a ??= b";\n',
        ),
        (
            "I see another @ts-nocheck in there",
            "a.ts",
            ("// @ts-nocheck\nlet a = 1;\n", "let a: number = 1;\n"),
            "/* @ts-nocheck */\n",
            "let nocheck = 1;\n",
        ),
        (
            "we don't do `DELETE FROM` in this code",
            "a.go",
            ('const q = "DELETE FROM users"\n', 'const q = "update users set gone = true"\n'),
            "\tq := `delete from teams`\n",
            "// delete from here on\n",
        ),
        (
            "hardcoded localhost:6379 again",
            "a.py",
            ("URL = 'redis://localhost:6379'\n", "URL = settings.redis\n"),
            "connect('localhost:6379')\n",
            "# not localhost:6379\nhost = 'localhost'\n",
        ),
        (
            "no 'Milestone 2' in the comments",
            "a.rs",
            ("// Milestone 2: keys\nlet a = 1;\n", "// keys\nlet a = 1;\n"),
            "// see milestone 7\n",
            "let milestone = 2;\n",
        ),
        (
            "no 'Hint:' comments please",
            "a.rs",
            ("// Hint: lower case\nlet a = 1;\n", "// lower case\nlet a = 1;\n"),
            "/// HINT: seconds\n",
            "struct Hint;\n",
        ),
    ],
)
def test_what_was_named_added_and_taken_out_is_found_again(
    said: str, path: str, pair: tuple[str, str], again: str, innocent: str
) -> None:
    wrong, right = pair
    (first, *_) = drafts(said, path, wrong, right)
    assert any(re.search(pattern, wrong) for pattern in first)
    assert any(re.search(pattern, again) for pattern in first)
    assert not any(re.search(pattern, text) for pattern in first for text in (right, innocent))


@pytest.mark.parametrize(
    ("said", "wrong", "right"),
    [
        ("no errors here please", "error = 1\n", "problem = 1\n"),  # a word of all code
        ("no sleep here", "sleep(3)\n", "sleep(1)\n"),  # it is there still
        ("no sleep here", "wait(3)\n", "wait(1)\n"),  # it never was
        ("you must use nextTick", "nextTick(a)\n", "later(a)\n"),  # it is wanted
        ("rename nextTick to later", "nextTick(a)\n", "later(a)\n"),  # a task, and no wish
        ("can you extract nextTick into a file", "nextTick(a)\n", "later(a)\n"),
        ("don't use sleep before the tests ran", "sleep(3)\n", "wait()\n"),  # no action shows when that is
    ],
)
def test_without_a_name_that_is_gone_nothing_is_drafted(said: str, wrong: str, right: str) -> None:
    assert drafts(said, "src/a.py", wrong, right) == []


def test_prose_is_left_to_others() -> None:
    assert drafts("no nextTick in here", "docs/a.md", "use nextTick()\n", "use wait()\n") == []


@pytest.mark.parametrize("name", ["error", "an ordinary sentence", "x", "Types"])
def test_a_word_of_every_text_is_no_name(name: str) -> None:
    assert not any(re.search(pattern, f"{name}(1)\n") for pattern in patterns(name))


def modules(said: str, wrong: str, right: str) -> list[str]:
    before, after = (write("src/a.ts", wrong),), (write("src/a.ts", right),)
    found = [draft for clause in clauses(said) for draft in fit(clause, before, after)]
    checks = [draft.checks[0] for draft in found if draft.checks[0].template == "forbid-import"]
    return [module for check in checks for module in check.parameters["modules"]]


@pytest.mark.parametrize(
    ("said", "wrong", "right", "module"),
    [
        ("luxon is what we have here", "import m from 'moment';\n", "import l from 'luxon';\n", []),
        ("moment is long dead", "import m from 'moment';\n", "import l from 'luxon';\n", ["moment"]),
        ("moment is long dead", "import { utc } from 'moment/utc';\n", "const a = 1;\n", ["moment"]),
        ("moment is long dead", "import m from 'moment';\n", "import m from 'moment';\nm();\n", []),
        ("replace moment in this file", "import m from 'moment';\n", "const a = 1;\n", []),
    ],
)
def test_a_module_that_was_named_and_taken_out_is_not_to_come_back(
    said: str, wrong: str, right: str, module: list[str]
) -> None:
    assert modules(said, wrong, right) == module
