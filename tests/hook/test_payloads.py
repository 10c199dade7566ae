"""Thousands of mangled questions for every agent: none brings the hook down, and none makes it say more than no."""

import copy
import json
import random
from pathlib import Path

import pytest
from hypothesis import settings

from rulec.hook.dispatch import respond
from tests.hook.test_hook import RULES, repository
from tests.support import payloads as agents
from tests.support.mutants import grown, mutated

ROUNDS = 50 * settings.default.max_examples  # 1,000; 10,000 at night
GROWN = 300
STRICT = 1_000
ENDS = 60  # each of them asks git for what stands changed
HALF = 0.5


@pytest.fixture(scope="module")
def repo(tmp_path_factory):
    return repository(tmp_path_factory.mktemp("hooks") / "repo")


@pytest.fixture(autouse=True)
def nobody_elses_project(monkeypatch):
    for name in ("CLAUDE_PROJECT_DIR", "GEMINI_PROJECT_DIR", "CURSOR_PROJECT_DIR"):
        monkeypatch.delenv(name, raising=False)


def questions(agent: str, top: Path) -> list[agents.Payload]:
    where = str(top)
    return [
        agents.runs(agent, where, "cd web && npm install x > src/gen/a"),
        agents.runs(agent, where, "git status"),
        agents.writes(agent, where, "src/gen/b.py", "print(1)\n"),
        agents.edits(agent, where, "src/a.py", "x = 1", "print(2)"),
        agents.edits(agent, where, "src/a.py", "x = 1", "print(2)", done=True),
        agents.says(agent, where, "/clear"),
        agents.begins(agent, where),
    ]


@pytest.mark.hypothesis  # so that it is run at night too, with that profile
@pytest.mark.parametrize("agent", agents.NAMES)
def test_no_mangled_question_makes_a_traceback_or_an_allow(repo, agent):
    pick, here = random.Random(f"rulec {agent}"), str(repo / ".rules/compiled")
    seeds = questions(agent, repo)
    for _ in range(ROUNDS):
        raw = mutated(pick, seeds)
        answer = respond(agent, raw, here)
        told = json.dumps(answer.out) + answer.error
        assert '"allow"' not in told
        assert "Traceback" not in told
        assert "Error" not in told or "no JSON" in told, (raw, told)
        assert answer.code == 0


@pytest.mark.parametrize("agent", agents.NAMES)
def test_where_a_rule_is_strict_a_mangled_question_is_refused_in_a_line_or_in_the_agents_own_form(tmp_path, agent):
    strict = copy.deepcopy(RULES[0])
    strict["facts"] |= {"slug": "strict", "on_error": "block"}
    top = repository(tmp_path / "repo", strict)
    pick, here, seeds = random.Random(f"strict {agent}"), str(top / ".rules/compiled"), questions(agent, top)
    for _ in range(STRICT):
        answer = respond(agent, mutated(pick, seeds), here)
        told = json.dumps(answer.out) + answer.error
        assert '"allow"' not in told
        assert "Traceback" not in told
        assert answer.code in (0, 2)
        assert answer.error or answer.code == 0
        if "no JSON" in told:
            assert answer.code == 2 or '"deny"' in told


@pytest.mark.parametrize("agent", agents.NAMES)
def test_no_mangled_end_of_a_turn_does_either(repo, agent):
    pick, here = random.Random(f"end {agent}"), str(repo / ".rules/compiled")
    for _ in range(ENDS):
        answer = respond(agent, mutated(pick, [agents.stops(agent, str(repo), active=pick.random() > HALF)]), here)
        told = json.dumps(answer.out) + answer.error
        assert '"allow"' not in told
        assert "Error" not in told or "no JSON" in told, told
        assert answer.code == 0


@pytest.mark.parametrize("agent", agents.NAMES)
def test_fields_that_nobody_knows_change_no_verdict(repo, agent):
    pick, here = random.Random(f"more {agent}"), str(repo / ".rules/compiled")
    for question in questions(agent, repo):
        plain = respond(agent, json.dumps(question).encode(), here)
        for _ in range(GROWN // len(questions(agent, repo))):
            more = respond(agent, json.dumps(grown(pick, question)).encode(), here)
            assert (more.out, more.code, more.error) == (plain.out, plain.code, plain.error)
