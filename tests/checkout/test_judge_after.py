"""Judges at the end of a turn: asked where the team says so, and never a reason why a turn does not end."""

import json
import sys

import pytest

from rulec.agents.protocol.agent_spec import TURN_END, HookRequest
from rulec.checkout import rules_layout
from rulec.checkout.worktree import Worktree
from rulec.hook.pending_files import PendingChange
from rulec.hook.session import charging, turn_end
from tests.hook.test_hook import repository
from tests.hook.test_stop import git
from tests.support.session import unknown_work

FACTS = {"slug": "be-plain", "statement": "Plain names.", "enforcement": "block", "on_unsure": "warn"}
FOUND = {"slug": "be-plain", "path": "src/b.py", "line": 1, "text": "tmp = 1", "cure": "", "unsure": False}


@pytest.fixture
def repo(tmp_path, monkeypatch):
    """A repository in which another program stands in for the Python that runs the hook."""
    repo = repository(tmp_path / "repo")
    (repo / ".git/rulec").mkdir(exist_ok=True)
    monkeypatch.setattr(sys, "executable", f"{tmp_path}/rulec")
    (repo / ".rules/compiled/judges.json").write_text('{"at": ["stop"]}\n')
    git(repo, "add", "-A")
    git(repo, "commit", "-qm", "x")
    (repo / "src/b.py").write_text("tmp = 1\n")
    return repo


class Asked:
    """A program that says what it was told to, and keeps what it was given."""

    def __init__(self, folder):
        self.program, self.says, self.given = folder / "rulec", folder / "says", folder / "given"
        self.program.write_text(
            f'#!/bin/sh\necho "$*" >> {self.given}; cat >> {self.given}; echo >> {self.given}; cat {self.says}\n'
        )
        self.program.chmod(0o755)

    @property
    def calls(self):
        lines = self.given.read_text().splitlines() if self.given.exists() else []
        return [(call, json.loads(paths)) for call, paths in zip(lines[::2], lines[1::2], strict=True)]


@pytest.fixture
def asked(tmp_path):
    return Asked(tmp_path)


def found(repo):
    asked = HookRequest(TURN_END, "Stop")
    asked.transcript, asked.session = str(unknown_work(repo)), "s1"
    return turn_end.judge_by_model(charging.OwnWork(asked, PendingChange(Worktree(str(repo)), "claude-code", 0.0)))


def test_what_rulec_finds_is_a_finding_with_its_rule(repo, asked):
    asked.says.write_text(json.dumps({"found": [{"finding": FOUND, "facts": FACTS}], "left": False}))
    ((one,), left) = found(repo)
    assert left is False
    assert {key: getattr(one, key) for key in FOUND} == FOUND
    assert {key: getattr(one.facts, key) for key in FACTS} == FACTS
    assert asked.calls == [("-I -m rulec hook ended", ["src/b.py"])]


@pytest.mark.parametrize(
    "spoil",
    [
        lambda repo: (repo / ".rules/compiled/judges.json").unlink(),
        lambda repo: (repo / "src/b.py").unlink(),
    ],
)
def test_nobody_is_asked_where_nothing_is_to_be_asked(repo, asked, spoil):
    spoil(repo)
    assert found(repo) == ([], False)
    assert asked.calls == []


def test_below_a_model_that_rulec_asked_nobody_is_asked(repo, asked, monkeypatch):
    monkeypatch.setenv(rules_layout.BELOW_MODEL, "1")
    assert found(repo) == ([], False)
    assert asked.calls == []


def test_rule_files_and_a_turn_that_changed_too_much_are_left_to_ci(repo, asked, monkeypatch):
    (repo / ".rules/be-plain.yaml").write_text("slug: be-plain\n")
    found(repo)
    assert asked.calls[0][1] == ["src/b.py"]
    monkeypatch.setattr(turn_end, "MOST_JUDGED_FILES", 0)
    assert found(repo) == ([], True)
    assert len(asked.calls) == 1


@pytest.mark.parametrize(
    "answer",
    [
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
    asked.says.write_bytes(answer)
    assert found(repo) == ([], True)
    assert asked.calls


def test_a_program_that_fails_ends_the_turn_and_is_told(repo, asked):
    asked.program.write_text('#!/bin/sh\necho \'{"found": [], "left": false}\'; exit 3\n')
    assert found(repo) == ([], True)
