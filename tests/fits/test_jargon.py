"""Pieces of code by what people call them: each is found where it stands, and nowhere near."""

import re

import pytest

from rulec.fits._jargon_words import JARGON, Jargon
from rulec.fits.jargon import fit, pattern_of
from rulec.language import clauses
from rulec.model.candidate import Draft
from rulec.model.transcript import Action
from rulec.patterns.safety import wrong, wrong_for_semgrep


def drafts(words: str, before: tuple[Action, ...] = (), after: tuple[Action, ...] = ()) -> list[Draft]:
    return [draft for clause in clauses(words) for draft in fit(clause, before, after)]


@pytest.mark.parametrize("jargon", JARGON, ids=lambda jargon: jargon.bad[:30])
def test_a_line_that_has_it_is_told_from_one_that_only_looks_like_it(jargon: Jargon) -> None:
    pattern = pattern_of(jargon)
    assert wrong(pattern) is None
    assert wrong_for_semgrep(pattern) is None
    assert re.search(pattern, jargon.bad)
    assert not re.search(pattern, jargon.good)
    assert not re.search(pattern, f"// {jargon.bad}")


SAID = [
    ("Never use the !! operator in Kotlin.", "val a = b!!.c", 'println("Done!!")'),
    ("No SELECT * please", "q = 'select * from users'", "# select * from"),
    ("no raw SQL in the handlers", 'db.run("INSERT INTO users VALUES (1)")', "insert(users)"),
    ("no inline SQL", 'db.run("SELECT id FROM users")', 'label = "Select an item from the list"'),
    ("No raw SQL.", "db.run('select id, name from users')", '<button title="Delete from cart">'),
    ("never write raw SQL", 'db.run("delete from users where id = 1")', 'title = "select one from the list"'),
    ("Do not use string formatting in SQL queries", 'db.execute("SELECT %s" % name)', 'log("%s" % name)'),
    ("no package-level variables in Go", "var count int", "\tvar count int"),
    ("Do not use !important in CSS", ".a { top: 0 !important }", ".important {}"),
    ("never throw strings", 'throw "gone"', "throw new Gone()"),
    ("no sleep in tests", "await delay(100)", "send.delay(1)"),
    ("don't skip tests", "test.skip('adds')", "skip_header(rows)"),
    ("no hardcoded UI strings", "<h1>Welcome back</h1>", "<h1>{t('welcome')}</h1>"),
    ("no f-strings in log calls", "log.info(f'{a}')", "print(f'{a}')"),
    ("No literal values for timeouts", "get(u, timeout=5)", "get(u, retries=5)"),
    ("Do not create a new ApiClient", "const a = new ApiClient();", "constructor(private a: ApiClient) {}"),
    ("never instantiate HttpPool", "pool = HttpPool(4)", "class HttpPool(Pool):"),
    ("Do not call Clock.now(); ask the watch", "a = Clock.now()", "a = clock.now"),
    ("do not import the store in components", 'import { a } from "../store/a";', 'import { a } from "../restore/a";'),
    ("never import db.raw in services", "from db.raw import run", "from db.rawest import run"),
    ("no class components", "class Menu extends Component {", "class Gone extends Error {"),
]


@pytest.mark.parametrize(("words", "bad", "good"), SAID)
def test_the_words_give_a_check_that_finds_it(words: str, bad: str, good: str) -> None:
    (pattern,) = drafts(words)[0].checks[0].parameters["patterns"]
    assert re.search(pattern, bad)
    assert not re.search(pattern, good)


@pytest.mark.parametrize(
    "words",
    [
        "do not touch the SQL",
        "skip the slow tests for now",
        "never use string formatting",
        "why is there a timeout?",
        "create a new UserCard",
        "no latest news",
        "do not create new things",
        "never use frob()",
        "never import the store",
    ],
)
def test_words_that_only_sound_alike_give_none(words: str) -> None:
    assert drafts(words) == []


def test_a_pair_must_show_it() -> None:
    bad = Action(kind="write", path="a/b.py", new="rows = db.query('SELECT id FROM users')\n")
    good = Action(kind="write", path="a/b.py", new="rows = users.all()\n")
    assert drafts("no raw sql", (bad,), (good,))
    assert drafts("no raw sql", (good,), (good,)) == []
    assert drafts("no raw sql", (bad,), (bad,)) == []
