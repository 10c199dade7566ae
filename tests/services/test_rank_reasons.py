"""``rulec snapshot --explain``: which rules are said, in which turn, and every part of why."""

import json

import pytest

from tests.services.test_snapshot import CONFIG, PNPM, SHORT, write

SECRETS = """\
schema: 1
slug: no-secrets
statement: Never commit a secret.
severity: must
enforcement: block
"""
TASK = "add left-pad with `npm` and mend tests/a_test.py"


@pytest.fixture
def book(repo):
    for name, text in {"config": CONFIG, "use-pnpm": PNPM, "short-tests": SHORT, "no-secrets": SECRETS}.items():
        write(repo, name, text)
    write(repo, "one-parser", "schema: 1\nslug: one-parser\nstatement: One parser.\nwhen: parsing\nenforcement: warn\n")
    return repo


def rows(done):
    data = json.loads(done.stdout)
    return data, {row["slug"]: row for row in data["ranked"]}


def test_the_rules_stand_in_the_turns_in_which_they_get_their_places(book, rulec):
    said = rulec("snapshot", "--task", "install left-pad, then mend tests/a_test.py", "--explain").stdout
    assert [line for line in said.splitlines() if line.startswith("  ") and line[2] in "1234"] == [
        "  1. SHOULD: Tests are short. (`short-tests` in tests/**)",
        "  2. MUST: Never commit a secret. (`no-secrets`)",
        "  3. MUST: Use pnpm, never npm or yarn. When: installing packages. (`use-pnpm`)",
        "  4. SHOULD: One parser. When: parsing. (`one-parser`)",
    ]


def test_what_is_said_is_what_a_snapshot_says(book, rulec):
    for asked in ((), ("--task", TASK), ("--path", "tests/a_test.py"), ("--agent", "codex", "--task", "parse it")):
        told, ranked = rows(rulec("snapshot", *asked, "--explain", "--format", "json"))
        assert {slug for slug, row in ranked.items() if row["said"]} == {row["slug"] for row in told["rules"]}


def test_every_part_of_a_score_is_explained_and_adds_up(book, rulec):
    data, found = rows(rulec("snapshot", "--task", TASK, "--explain", "--format", "json"))
    assert data["dropped"] == []
    short, secrets = found["short-tests"], found["no-secrets"]
    assert (short["path"], short["matches"], short["always"]) == ("tests/a_test.py", True, False)
    assert short["points"] == pytest.approx(sum(short["terms"].values()) + 2.0, abs=0.001)
    assert (secrets["terms"], secrets["points"], secrets["always"]) == ({}, 0.0, True)
    assert found["use-pnpm"]["terms"].keys() >= {"npm", "#install"}
    assert [row["turn"] for row in data["ranked"]] == [1, 2, 3, 4]
    assert [row["tokens"] for row in data["ranked"]] == sorted(row["tokens"] for row in data["ranked"])
    assert all(row["score"] == row["log_probability"] < 0 for row in data["ranked"])


def test_the_explanation_is_readable(book, rulec):
    lines = rulec("snapshot", "--task", "what use-pnpm means for tests/a_test.py", "--explain").stdout.splitlines()
    assert lines[0].startswith("  1. MUST: Use pnpm")
    assert "     turn: the task names it (use-pnpm), so it goes before all that it does not name" in lines
    assert "     turn: it is for every task, and takes turns with those that match" in lines
    assert any("tests/a_test.py in its scope 2.00" in line for line in lines)
    assert any(line.startswith("     said: ") and line.endswith(" of 1500 tokens with it") for line in lines)
    at_start = rulec("snapshot", "--explain").stdout
    assert "turn: by precedence" in at_start
    assert "probability" not in at_start
