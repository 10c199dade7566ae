"""A person's leave for an act is a request or an assent, and never the mere mention of its name."""

import pytest

from rulec.runtime import permits
from rulec.runtime.acts import Act

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
    assert permits.permits(r"\bcommit", _says(text))


@pytest.mark.parametrize("text", MENTIONED)
def test_a_mention_is_no_leave(text):
    assert not permits.permits(r"\bcommit", _says(text))


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
    assert permits.permits(r"\b(?:schema|migrations?)\b", _says(text)) == allowed


def test_a_yes_answers_the_question_that_was_asked():
    assert permits.permits(r"\bcommit", _says("yes", "Done. Shall I commit?"))
    assert not permits.permits(r"\bcommit", _says("yes", "Done. Shall I push?"))
    assert not permits.permits(r"\bcommit", _says("no, wait", "Done. Shall I commit?"))


def test_a_very_long_turn_costs_no_more_than_its_length():
    assert not permits.permits(r"\bcommit", _says("the commit " * 20_000))
    assert permits.permits(r"\bcommit", _says("the commit is bad. " * 500 + "commit it"))
