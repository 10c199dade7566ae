"""Which rules a task has to do with."""

import pytest

from rulec.compiling.agent_briefing import rule_record
from rulec.domain.rule import Check, Rule, Scope
from rulec.reminders.relevance import RELEVANT, relevance_scores, task_words

FORBID = Check(kind="guard", template="forbid-command", parameters={"commands": ["npm", "yarn"], "instead": "pnpm"})
RULES = [
    Rule(slug="use-pnpm", statement="Use pnpm, never npm or yarn.", checks=(FORBID,)),
    Rule(slug="never-force-push", statement="Never force-push.", category="git"),
    Rule(slug="no-mocks", statement="Tests use no mocks.", category="testing", scope=Scope(include=("tests/**",))),
    Rule(slug="changelog", statement="Name every change.", when="releasing a version"),
    Rule(slug="british", statement="Write British English.", scope=Scope(tags=("docs",))),
    Rule(slug="only-terminal-prints", statement="Only `terminal.py` prints."),
]
TASKS = {
    "add left-pad with npm": ["use-pnpm"],
    "Yarn is broken": ["use-pnpm"],
    "push it": ["never-force-push"],
    "write a test for the parser": ["no-mocks"],
    "mend tests/parser/test_a.py": ["no-mocks"],
    "we are releasing 2.0 today": ["changelog"],
    "update the docs": ["british"],
    "print a table": ["only-terminal-prints"],
    "support more printers": [],
    "make it fast": [],
    "": [],
    "??? !!!": [],
    "\x00\ud800 \u202e": [],
}


@pytest.mark.parametrize("task", TASKS)
def test_a_task_leads_to_the_rules_that_its_words_name(task):
    found = relevance_scores([rule_record(rule) for rule in RULES], task)
    assert [rule.slug for rule, score in zip(RULES, found, strict=True) if score >= RELEVANT] == TASKS[task]


def test_a_word_that_many_rules_share_says_nothing():
    many = [rule_record(Rule(slug=f"queue-{n}", statement="Mind the queue.")) for n in range(11)]
    assert not any(relevance_scores(many, "mend the queue"))
    assert all(score >= RELEVANT for score in relevance_scores(many[:10], "mend the queue"))


def test_words_are_compared_by_their_stems_and_pieces():
    assert task_words("committing Commits commitMessages pre-commit") >= {"commit", "messag", "pre-commit"}
    assert task_words("do the work and make it so") == set()


def test_a_task_without_end_is_read_to_a_limit():
    assert len(task_words("word" * 1_000_000)) <= 1
    assert len(task_words(" ".join(f"w{n}x" for n in range(100_000)))) < 5_000
