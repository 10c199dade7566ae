"""Semgrep after an edit: where a rule of the team reads such files, rulec is installed, and time allows."""

import json
import re
import subprocess
import sys

import pytest

from rulec import registry
from rulec.checkout import installation, learned_needs
from rulec.domain.artifact import PlannedCheck, RuleFacts
from rulec.domain.rule import Rule, Scope
from rulec.hook import commit_checks
from rulec.hook.dispatch import respond
from rulec.infra import jobs
from tests.hook.test_hook import repository
from tests.hook.test_stop import git
from tests.support import guard_rules as rules
from tests.support import payloads as agents
from tests.support.session import ClaudeSession, unknown_work

BODY = 'languages: ["python"]\npattern: forbidden(...)\n'


@pytest.fixture
def repo(tmp_path, monkeypatch):
    monkeypatch.delenv("CLAUDE_PROJECT_DIR", raising=False)
    repo = repository(tmp_path / "repo")
    (repo / ".git/rulec").mkdir(exist_ok=True)
    put(repo)
    return repo


def put(repo, body=BODY, **more):
    facts = RuleFacts(slug="no-forbidden", revision=1, statement="S.", **{"enforcement": "block", **more})
    rule = Rule(slug=facts.slug, statement="S.")
    step = PlannedCheck(facts=facts, rule=rule, kind="semgrep", template="x", parameters={}, name=facts.slug)
    target = repo / ".rules/compiled/semgrep/no-forbidden.yaml"
    target.parent.mkdir(exist_ok=True)
    target.write_text(registry.checkers()["semgrep"].build(step, body))


def told(repo, path="src/b.py", new="forbidden(2)", text="forbidden(1)\nforbidden(2)\n"):
    (repo / path).write_text(text)
    payload = agents.edits("claude-code", str(repo), path, "x", new, done=True)
    answer = respond("claude-code", json.dumps(payload).encode(), str(repo))
    assert (answer.code, answer.error) == (0, "")
    return answer.out.get("reason", "")


def test_what_the_edit_put_there_is_found_and_what_stood_there_is_not(repo, monkeypatch):
    monkeypatch.setattr(commit_checks, "SECONDS_AFTER_EDIT", 100.0)
    reason = told(repo)
    assert "rulec rule no-forbidden: S.\nSeen: src/b.py:2: forbidden(2)" in reason
    assert "src/b.py:1" not in reason


def listening(monkeypatch):
    """What rulec is asked from now on, if it is."""
    calls = []
    monkeypatch.setattr(installation, "ask_rulec", lambda *given, **_: calls.append(given[1]))
    return calls


@pytest.fixture
def asked(monkeypatch):
    return listening(monkeypatch)


HARMLESS = {"new": "other(2)", "text": "other(1)\nother(2)\n"}


def test_once_asked_rulec_is_asked_again_only_where_a_rule_may_find_something(repo, monkeypatch):
    with monkeypatch.context() as patience:
        patience.setattr(commit_checks, "SECONDS_AFTER_EDIT", 100.0)
        assert told(repo, **HARMLESS) == ""
    asked = listening(monkeypatch)
    told(repo, **HARMLESS)
    assert asked == []
    told(repo)
    assert len(asked) == 1
    put(repo, BODY.replace("forbidden", "other"))
    told(repo, **HARMLESS)
    assert len(asked) == 2, "another check: nobody knows what it needs"


NEEDS = ".git/rulec/needs.json"
DOUBTS = {
    "damaged": lambda text: text.replace("forbidden", "forbiddem"),
    "cut short": lambda text: text[: len(text) // 2],
    "of another Semgrep": lambda text: text.replace("semgrep-core", "semgrep-corf"),
    "gone": lambda text: text[:0],
    "no object": lambda text: f"[{text}]",
}


@pytest.mark.parametrize("doubt", DOUBTS.values(), ids=DOUBTS)
def test_what_rules_need_counts_only_as_it_was_written_and_for_this_semgrep(repo, asked, doubt):
    digest = learned_needs.digest_of((repo / ".rules/compiled/semgrep/no-forbidden.yaml").read_text())
    learned_needs.store_needs(str(repo), jobs.semgrep_identity(), {digest: "forbidden"})
    told(repo, **HARMLESS)
    assert asked == []
    (repo / NEEDS).write_text(doubt((repo / NEEDS).read_text()))
    told(repo, **HARMLESS)
    assert len(asked) == 1


@pytest.mark.parametrize("named", ['["python"]', "[python]", "[py, js]", "[regex]"])
def test_a_file_that_a_rule_reads_is_given_to_rulec_once(repo, asked, named):
    put(repo, BODY.replace('["python"]', named))
    assert told(repo) == ""
    assert asked == [["hook", "left"]]


APART = [
    ({"enforcement": "warn"}, {}),
    ({"scope": Scope(include=("lib/**",))}, {}),
    ({"scope": Scope(exclude=("src/**",))}, {}),
    ({"scope": Scope(agents=("codex",))}, {}),
    ({}, {"path": "src/b.md"}),
    ({}, {"new": "gone", "text": "kept\n"}),
]


@pytest.mark.parametrize(("facts", "edit"), APART)
def test_rulec_is_not_even_asked_where_nothing_can_come_of_it(repo, asked, facts, edit):
    put(repo, **facts)
    assert told(repo, **edit) == ""
    assert asked == []


@pytest.mark.parametrize("answer", [b"", b"{", b"[]", b"null", b'{"verdicts": [{}]}', b'{"verdicts": 3}', None])
def test_an_answer_that_is_none_says_nothing(repo, monkeypatch, answer):
    monkeypatch.setattr(installation, "ask_rulec", lambda *_, **__: answer)
    assert told(repo) == ""


def test_whoever_takes_too_long_is_ended_with_all_that_it_started(repo, tmp_path, monkeypatch):
    stand_in = tmp_path / "python"
    stand_in.write_text(f"#!/bin/sh\ntail -f /dev/null & echo $! >{tmp_path}/child\nwait\n")
    stand_in.chmod(0o755)
    monkeypatch.setattr(sys, "executable", str(stand_in))
    monkeypatch.setattr(commit_checks, "SECONDS_AFTER_EDIT", 1.0)
    assert told(repo) == ""
    child = (tmp_path / "child").read_text().strip()
    state = subprocess.run(["ps", "-o", "stat=", "-p", child], capture_output=True, text=True, check=False).stdout
    assert state.strip()[:1] in ("", "Z")


def ends(repo, transcript):
    payload = {"hook_event_name": "Stop", "session_id": "s1", "cwd": str(repo), "transcript_path": str(transcript)}
    answer = respond("claude-code", json.dumps(payload).encode(), str(repo))
    return answer.out.get("reason", "")


def test_a_turn_that_left_what_semgrep_finds_is_held_for_its_own_files_alone(repo):
    git(repo, "add", "-A")
    git(repo, "commit", "-qm", "x")
    for name in ("src/mine.py", "src/theirs.py"):
        (repo / name).write_text("forbidden(2)\n")
    session = ClaudeSession(repo).call("Write", {"file_path": str(repo / "src/mine.py"), "content": "forbidden(2)\n"})
    record = session.save(repo.parent / "record.jsonl")
    reason = ends(repo, record)
    assert "src/mine.py:1: forbidden(2)" in reason
    assert "src/theirs.py" not in reason
    (repo / "src/mine.py").write_text("other(2)\n")
    assert ends(repo, record) == ""


def test_a_line_that_was_only_indented_or_renamed_is_not_new_and_what_is_new_is_said_once(repo):
    rule = rules.text("no-forbidden", "forbidden", globs=["src/**"])
    (repo / ".rules/compiled/guard/no-forbidden.json").write_text(json.dumps(rule))
    (repo / "src/old.py").write_text("def f():\n    forbidden(1)\n\n\ndef g():\n    forbidden(2)\n")
    git(repo, "add", "-A")
    git(repo, "commit", "-qm", "x")
    record = unknown_work(repo)
    indented = (repo / "src/old.py").read_text().replace("    f", "        f")
    (repo / "src/old.py").write_text(indented)
    assert ends(repo, record) == ""
    (repo / "src/old.py").rename(repo / "src/moved.py")
    assert ends(repo, record) == ""
    (repo / "src/moved.py").rename(repo / "src/old.py")
    (repo / "src/old.py").write_text(indented + "    forbidden(  2)\n    forbidden(3)\n")
    assert re.findall("Seen: .*", ends(repo, record)) == [
        "Seen: src/old.py:7: forbidden( 2)",
        "Seen: src/old.py:8: forbidden(3)",
    ]
