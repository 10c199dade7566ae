"""Judges at the end of a turn: asked where the team says so, and never a reason why a turn does not end."""

import json
import sys

import pytest

from rulec.runtime import installed, judge_after, layout
from rulec.runtime.pending import Pending
from rulec.runtime.world import World
from tests.runtime.test_hook import repository
from tests.runtime.test_stop import git

FACTS = {"slug": "be-plain", "statement": "Plain names.", "enforcement": "block", "on_unsure": "warn"}
FOUND = {"slug": "be-plain", "path": "src/b.py", "line": 1, "text": "tmp = 1", "cure": "", "unsure": False}


@pytest.fixture
def repo(tmp_path):
    repo = repository(tmp_path / "repo")
    (repo / ".git/rulec").mkdir()
    (repo / ".git/rulec/python").write_text(f"{sys.executable}\n")
    (repo / ".rules/compiled/judges.json").write_text('{"at": ["stop"]}\n')
    git(repo, "add", "-A")
    git(repo, "commit", "-qm", "x")
    (repo / "src/b.py").write_text("tmp = 1\n")
    return repo


@pytest.fixture
def asked(monkeypatch):
    """What rulec is given, and what it shall answer."""
    calls, answers = [], []

    def answer(_, arguments, seconds, given, codes=(0,)):
        calls.append((arguments, json.loads(given)))
        return answers[0] if answers else None

    monkeypatch.setattr(installed, "answer", answer)
    return calls, answers


def found(repo):
    return judge_after.found(Pending(World(str(repo)), "claude-code", 0.0))


def test_what_rulec_finds_is_a_finding_with_its_rule(repo, asked):
    calls, answers = asked
    answers.append(json.dumps({"found": [{"finding": FOUND, "facts": FACTS}], "left": False}).encode())
    ((pair,), left) = found(repo)
    assert left is False
    assert pair[0] == {**FOUND, "program": "", "fault": ""}
    assert pair[1] == FACTS
    assert calls == [(["hook", "ended"], ["src/b.py"])]


@pytest.mark.parametrize(
    "spoil",
    [
        lambda repo: (repo / ".rules/compiled/judges.json").unlink(),
        lambda repo: (repo / ".git/rulec/python").unlink(),
        lambda repo: (repo / "src/b.py").unlink(),
    ],
)
def test_nobody_is_asked_where_nothing_is_to_be_asked(repo, asked, spoil):
    spoil(repo)
    assert found(repo) == ([], False)
    assert asked[0] == []


def test_below_a_model_that_rulec_asked_nobody_is_asked(repo, asked, monkeypatch):
    monkeypatch.setenv(layout.BELOW, "1")
    assert found(repo) == ([], False)
    assert asked[0] == []


def test_rule_files_and_a_turn_that_changed_too_much_are_left_to_ci(repo, asked, monkeypatch):
    (repo / ".rules/be-plain.yaml").write_text("slug: be-plain\n")
    found(repo)
    assert asked[0][0][1] == ["src/b.py"]
    monkeypatch.setattr(judge_after, "MOST", 0)
    assert found(repo) == ([], True)
    assert len(asked[0]) == 1


@pytest.mark.parametrize(
    "answer",
    [
        None,
        b"",
        b"{",
        b"[]",
        b"7",
        b'{"found": 7, "left": false}',
        b'{"found": [{"finding": {}}], "left": false}',
        b'{"found": [{"finding": {"slug": "x"}, "facts": 7}], "left": false}',
        b"[" * 100_000,
    ],
)
def test_what_is_no_answer_ends_the_turn_and_is_told(repo, asked, answer):
    asked[1].append(answer)
    assert found(repo) == ([], True)
