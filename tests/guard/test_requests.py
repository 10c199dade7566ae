"""A person's leave for an act is a request or an assent, and never the mere mention of its name."""

import pytest

from rulec.guard.session import permissions
from rulec.guard.session.acts import Act

ASKED = [
    "commit it",
    "commit.",
    "ok, commit and push",
    "Fix the parser, then commit.",
    "please commit this on a branch",
    "can you commit what we have so far",
    "could you make a commit first",
    "let's commit the batch as it is",
    "you may commit",
    "I want you to commit the fix",
    "go ahead and commit",
    "Run the tests. If they pass commit everything",
    "get it all committed please",
    "the docs should be updated and committed",
    "group the changes into sensible commits",
    "commit as you go",
    "write a short commit message and commit",
    "commit message: Fix the parser",
    "git commit -am 'Fix the parser'",
    "show me the diff, then commit",
    "the last run is green, so commit it",
    "no issues, commit it",
    "and if not, commit it anyway",
    "bitte commit",
]
MENTIONED = [
    "the last commit is broken",
    "look at the commit before this one",
    "what does this commit change?",
    "did you commit that",
    "is it committed yet?",
    "why did you commit that",
    "I committed the rest myself",
    "I already commit every evening",
    "the pre-commit hook fails",
    "the commit message is too long",
    "explain the commit hooks to me",
    "show the commits of this branch",
    "which commits are missing on main",
    "see the commit history",
    "don't commit",
    "do we even need to commit this?",
    "are you committing as you go?",
    "it broke since the previous commit",
    "should we commit now?",
]


def _says(text: str, asked: str = "") -> Act:
    said = Act("says", {}, text=text)
    said.asked = asked
    return said


@pytest.mark.parametrize("text", ASKED)
def test_a_request_is_leave(text):
    assert permissions.permits(r"\bcommit", _says(text))


@pytest.mark.parametrize("text", MENTIONED)
def test_a_mention_is_no_leave(text):
    assert not permissions.permits(r"\bcommit", _says(text))


FILES = [
    ("change the schema", True),
    ("add a column to the schema of users", True),
    ("the migration needs a fix, rewrite the migration", True),
    ("update schema and docs", True),
    ("the schema is hard to read", False),
    ("explain the schema to me", False),
    ("where is the schema?", False),
]


@pytest.mark.parametrize(("text", "allowed"), FILES)
def test_leave_to_touch_files_is_asked_for_as_well(text, allowed):
    assert permissions.permits(r"\b(?:schema|migrations?)\b", _says(text)) == allowed


NUMBERS = [
    ("looks good. yes, make it 1.4.0", True),
    ("make it 1.4.0", True),
    ("bump it to 1.4.0", True),
    ("ok, 1.4.0 it is", True),
    ("can you tag it 1.4.0", True),
    ("I would not make it 1.4.0", False),
    ("is it 1.4.0 already?", False),
    ("it was 1.4.0 that broke", False),
    ("the docs make it 1.4.0", False),
]


def test_a_number_is_asked_for_where_somebody_is_told_to_make_it_so():
    wrong = [text for text, allowed in NUMBERS if permissions.permits(r"\b\d+[.]\d+", _says(text)) is not allowed]
    assert wrong == []


NAMED = [  # the agent's question about src/a.py
    ("Is `no-secrets` kept in src/a.py?", True),
    ("The rule without-prints is about src/a.py. May it stay?", True),
    ("May it stay as it is, but not src/a.py?", False),
    ("Shall I go on without src/a.py?", False),
]


def test_a_name_that_holds_a_no_speaks_against_nothing():
    wrong = [text for text, allowed in NAMED if permissions.permits(r"src/a[.]py", _says("yes", text)) is not allowed]
    assert wrong == []


PATHS = [
    ("yes, please edit docs/adr/1.md", True),
    ("please write docs/adr/1.md", True),
    ("update docs/adr/1.md", True),
    ("update `./docs/adr/1.md`.", True),
    ("can you rewrite @docs/adr/1.md", True),
    ("fix the typo in docs/adr/1.md", True),
    ("read src/a.py, then put it into docs/adr/1.md", True),
    ("you may change docs/adr/", True),
    ("please update adr/1.md", True),
    ("update docs/adr/2.md", False),
    ("look at docs/adr/1.md", False),
    ("docs/adr/1.md is wrong", False),
    ("fix the parser as docs/adr/1.md says", False),
    ("write the parser that docs/adr/1.md describes", False),
    ("fix the bug described in docs/adr/1.md", False),
    ("add a link to docs/adr/1.md", False),
    ("copy docs/adr/1.md to docs/b.md", False),
    ("read docs/adr/1.md and update src/a.py", False),
    ("do not edit docs/adr/1.md", False),
    ("update the tests, not docs/adr/1.md", False),
    ("I edit docs/adr/1.md every week", False),
    ("yesterday I edited docs/adr/1.md", False),
    ("why did you edit docs/adr/1.md?", False),
    ("if you edit docs/adr/1.md, tell me", False),
    ("before you edit docs/adr/1.md run the tests", False),
    ("delete docs/adr/1.md", False),
]


@pytest.mark.parametrize(("text", "allowed"), PATHS)
def test_a_request_that_names_the_path_is_leave_for_it(text, allowed):
    assert permissions.permits(r"\b(?:adr)", _says(text), "docs/adr/1.md") == allowed
    assert text.count(" adr/") or not permissions.permits(r"\b(?:adr)", _says(text))


def test_leave_to_delete_is_asked_for_as_such():
    for text, allowed in (("delete docs/adr/1.md", True), ("update docs/adr/1.md", False)):
        assert permissions.permits(r"\b(?:adr)", _says(text), "docs/adr/1.md", deletes=True) == allowed


@pytest.mark.parametrize(
    ("text", "allowed"),
    [
        ("run terraform apply, please", True),
        ("apply it and do not forget to log", True),
        ("plan it, then apply", True),
        ("yesterday I ran terraform apply, never do that", False),
        ("I ran terraform apply", False),
        ("last time you did terraform apply, it broke", False),
        ("terraform apply last week broke everything", False),
        ("we always apply by hand", False),
        ("terraform apply, never do that again", False),
    ],
)
def test_what_was_done_or_is_never_to_be_done_is_no_leave(text, allowed):
    assert permissions.permits(r"\b(?:apply)", _says(text)) == allowed


@pytest.mark.parametrize(
    ("text", "allowed"),
    [
        ("yes", True),
        ("yes, please", True),
        ("yes, just do it", True),
        ("ok, only this once", True),
        ("yes, but only apply staging", True),
        ("yes but only plan it", False),
        ("yes, but plan it first", False),
        ("ok, just show me the plan", False),
        ("yes, rather destroy it", False),
        ("sure, but wait", False),
        ("yes, but only plan it, do not apply", False),
    ],
)
def test_a_yes_to_something_else_is_no_leave(text, allowed):
    assert permissions.permits(r"\b(?:apply)", _says(text, "Shall I run terraform apply?")) == allowed


def test_a_yes_answers_the_question_that_was_asked():
    assert permissions.permits(r"\bcommit", _says("yes", "Done. Shall I commit?"))
    assert not permissions.permits(r"\bcommit", _says("yes", "Done. Shall I push?"))
    assert not permissions.permits(r"\bcommit", _says("no, wait", "Done. Shall I commit?"))


def test_a_very_long_turn_costs_no_more_than_its_length():
    assert not permissions.permits(r"\bcommit", _says("the commit " * 20_000))
    assert permissions.permits(r"\bcommit", _says("the commit is bad. " * 500 + "commit it"))
    for text in ("adr" * 6_000, "/adr," * 4_000, "," * 19_000 + "/adr/", "edit " * 3_900 + "docs/adr/1.md!"):
        permissions.permits(r"\b(?:adr)", _says(text), "docs/adr/1.md")
