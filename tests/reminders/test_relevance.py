"""Which rules a task has to do with."""

import json
import math
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rulec.compiling.agent_briefing import rule_record
from rulec.domain.rule import Check, Rule, Scope
from rulec.reminders import rule_records
from rulec.reminders.relevance import (
    NOTHING,
    RELEVANT,
    SHIFT,
    SLOPE,
    log_probability,
    similar_rules,
)
from rulec.reminders.rule_index import build_index, match_task
from rulec.reminders.words import task_words

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


def led(rules, task):
    """The rules that a task has to do with, the likeliest first."""
    found = match_task([build_index([rule_record(rule) for rule in rules])], task)
    near = [(-match.log_probability(), rules[at].slug) for at, match in found.items()]
    return [slug for least, slug in sorted(near) if -least >= RELEVANT]


@pytest.mark.parametrize("task", TASKS)
def test_a_task_leads_to_the_rules_that_its_words_name(task):
    assert led(RULES, task) == TASKS[task]


@pytest.mark.parametrize("count", [1, 10, 100])
def test_a_word_says_the_less_the_more_rules_have_it(count):
    rules = [Rule(slug=f"queue-{n}", statement="Mind the queue.") for n in range(count)]
    others = [Rule(slug=f"topic{n}", statement=f"Mind topic{n}.") for n in range(200 - count)]
    assert len(led(rules + others, "mend the queue")) == (count if count < 100 else 0)


def test_the_calibration_gives_log_probabilities():
    assert log_probability(0.0) == NOTHING < RELEVANT < 0
    assert math.exp(log_probability(1.5)) == pytest.approx(1 / (1 + math.exp(-(SLOPE * 1.5 + SHIFT))))
    assert log_probability(1e6) == pytest.approx(0.0)
    assert log_probability(-1e6) == pytest.approx(-1e6 * SLOPE + SHIFT)


@given(
    st.lists(st.sampled_from(RULES), unique_by=lambda rule: rule.slug),
    st.sampled_from(list(TASKS)),
    st.integers(0, len(RULES)),
)
def test_an_index_in_parts_and_one_that_was_kept_lead_to_the_same(rules, task, at):
    def found(*parts):
        kept = [json.loads(json.dumps(build_index([rule_record(rule) for rule in part]))) for part in parts]
        return {place: (one.named, one.path, one.points) for place, one in match_task(kept, task).items()}

    whole, parts = found(rules), found(rules[:at], rules[at:])
    assert whole.keys() == parts.keys()
    for place, (named, path, points) in whole.items():
        assert parts[place] == (named, path, pytest.approx(points))


NAMED = {
    "what use-pnpm means": ["use-pnpm"],
    "NPM is slow": ["use-pnpm"],
    "npmrc and yarns": [],
    "mend terminal.py": ["only-terminal-prints"],
    "mend src/terminal.py:12": ["only-terminal-prints"],
    "mend src/terminal.py": ["only-terminal-prints"],
    "print a table": [],
    "put it into db/schema/001.sql": ["schema"],
    "put it into app/db/schema.py": [],
    "make it fast": [],
    "run `make` first": ["make"],
    "rename NAME": [],
    "drop SELECT from it": ["no-select"],
    "select a colour": [],
    "the config in setup.cfg": ["one-config"],
    "the config in web/setup.cfg": ["one-config"],
}


@pytest.mark.parametrize("task", NAMED)
def test_a_task_calls_rules_by_their_slugs_and_by_what_they_are_about(task):
    schema = Check(kind="guard", template="protect-path", parameters={"globs": ["db/schema/**"]})
    make = Check(kind="guard", template="forbid-command", parameters={"commands": ["make"]})
    more = [
        Rule(slug="schema-by-hand", statement="Leave it.", checks=(schema,)),
        Rule(slug="no-builds", statement="No builds.", checks=(make,)),
        Rule(slug="no-stars", statement="Name columns: no `SELECT *`.", do="run `list NAME`"),
        Rule(slug="one-config", statement="One place for all.", scope=Scope(include=("setup.cfg",))),
    ]
    rules = [*RULES, *more]
    found = match_task([build_index([rule_record(rule) for rule in rules])], task)
    short = {"schema-by-hand": "schema", "no-builds": "make", "no-stars": "no-select"}
    named = sorted(rules[at].slug for at, match in found.items() if match.named)
    assert [short.get(slug, slug) for slug in named] == NAMED[task]


def test_words_are_compared_by_their_stems_and_pieces():
    assert task_words("committing Commits commitMessages pre-commit") >= {"commit", "messag", "pre-commit"}
    assert task_words("do the work and make it so") == set()


def test_a_task_without_end_is_read_to_a_limit():
    assert len(task_words("word" * 1_000_000)) <= 1
    assert len(task_words(" ".join(f"w{n}x" for n in range(100_000)))) < 5_000


def similar(rules):
    return similar_rules([rule_record(rule) for rule in rules])


def test_rules_that_share_words_are_similar_to_each_other_and_to_nothing_else():
    found = similar(
        [*RULES, Rule(slug="pnpm-in-ci", statement="CI installs with pnpm, never yarn.", category="tooling")]
    )
    assert [slug for slug, _ in found["use-pnpm"]] == ["pnpm-in-ci"]
    assert found["pnpm-in-ci"] == [("use-pnpm", pytest.approx(found["use-pnpm"][0][1]))]
    assert found["british"] == []


@given(st.permutations(RULES), st.integers(0, len(RULES)), st.integers(0, len(RULES) - 1))
def test_what_is_added_retired_or_renamed_beside_two_rules_changes_nothing_between_them(rules, many, at):
    whole = {slug: dict(pairs) for slug, pairs in similar(rules).items()}
    for slug, pairs in similar(rules[:many]).items():
        assert dict(pairs) == pytest.approx({other: whole[slug][other] for other in dict(pairs)})
    renamed = replace(rules[at], slug="entirely-different")
    after = {slug: dict(pairs) for slug, pairs in similar([*rules[:at], renamed, *rules[at + 1 :]]).items()}
    assert after["entirely-different"] == pytest.approx(whole[rules[at].slug])


def test_a_rule_has_few_neighbours_and_only_those_asked_for_are_computed():
    many = [rule_record(Rule(slug=f"queue-{n:02}", statement="Mind the queue.")) for n in range(40)]
    found = similar_rules(many, of=["queue-07", "unknown"])
    assert list(found) == ["queue-07"]
    assert found["queue-07"] == [(f"queue-{n:02}", pytest.approx(1.0)) for n in range(21) if n != 7]


EXAMPLES = """\
slug: pnpm
examples:
  invalid:
    - {command: corepack enable, source: transcript}
    - {file: web/lockfile.yaml, content: "version: 9\\n"}
  valid:
  - command: |
      sapling push
checks:
  - {kind: guard}
"""


def test_the_examples_in_a_rules_file_lead_a_little_to_it(tmp_path):
    (tmp_path / ".rules").mkdir()
    (tmp_path / ".rules/pnpm.yaml").write_text(EXAMPLES)
    rules = [rule_record(Rule(slug=slug, statement=f"Mind {slug}.")) for slug in ("pnpm", "other")]
    words = task_words(rule_records.examples_of(str(tmp_path), rules[0]))
    assert words >= {"corepack", "web/lockfile.yaml", "sapl", "push"}
    assert not words & {"command", "valid", "transcript", "guard", "sourc"}
    found = match_task([rule_records.build_index(str(tmp_path), rules)], "corepack is gone")
    assert {at: match.points < 1 for at, match in found.items()} == {0: True}
