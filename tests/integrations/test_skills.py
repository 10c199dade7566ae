"""The skills by which agents work with rulec: true to the verbs, put up with the hooks, and nobody's own file lost."""

import re
from pathlib import Path

import pytest

from rulec import registry
from rulec.domain.plugs import Integration
from rulec.integrations.rule_documents import MARK
from rulec.rulebook.yaml_text import load_yaml
from tests.support.world import act, run

from .support import PLAN, emitted, integration, owes_nothing, removed, render

CLAUDE_SKILL = integration("claude-skill")
AGENTS_SKILL = integration("agents-skill")

SKILLS = [CLAUDE_SKILL, AGENTS_SKILL]
THEIRS = "---\nname: rulec\ndescription: our own\n---\nMine.\n"
EVERY = {"claude-code", "codex", "copilot", "cursor", "gemini", "opencode"}


@pytest.fixture
def top(tmp_path: Path) -> Path:
    folder = tmp_path / "new"
    folder.mkdir()
    run(folder, "init", "-q", "-b", "main", "--template=")
    return folder


def test_every_agent_with_hooks_has_one_skill() -> None:
    emitters = registry.emitters().values()
    told = [agent for emitter in emitters if not emitter.document for agent in emitter.tells]
    hooked = {emitter.agent for emitter in registry.emitters().values()} - {""}
    assert sorted(told) == sorted(EVERY)
    assert set(told) == hooked


@pytest.mark.parametrize("plug", SKILLS, ids=[plug.name for plug in SKILLS])
def test_a_skill_is_rulecs_own_file(plug: Integration) -> None:
    assert MARK in owes_nothing(plug, None)


@pytest.mark.parametrize("plug", SKILLS, ids=[plug.name for plug in SKILLS])
def test_a_persons_own_skill_of_that_name_stays(plug: Integration) -> None:
    assert list(plug.emit(PLAN, render, {plug.files[0]: THEIRS})) == []
    assert removed(plug, THEIRS) == THEIRS


@pytest.mark.parametrize("plug", SKILLS, ids=[plug.name for plug in SKILLS])
def test_its_head_is_what_agents_ask_of_one(plug: Integration) -> None:
    _, head, body = emitted(plug, None).split("---\n", 2)
    told = load_yaml(head, "SKILL.md")
    assert set(told) == {"name", "description"}
    assert told["name"] == Path(plug.files[0]).parent.name
    assert 0 < len(told["description"]) <= 1024
    assert body.startswith(MARK)
    assert len(body.splitlines()) < 100


def test_every_command_that_it_names_is_one_and_none_decides_for_the_person(top: Path) -> None:
    named = re.findall(r"`rulec ([a-z]+)((?: --[a-z]+| [a-zA-Z]+)*)", emitted(CLAUDE_SKILL, None))
    assert {verb for verb, _ in named} >= {"ingest", "why", "templates", "try", "propose", "review"}
    for verb, rest in named:
        told = act(top, verb, "--help").out
        for option in re.findall(r"--[a-z]+", rest):
            assert option in told
            assert option not in {"--yes", "--accept", "--new", "--reject"}


AGENTS = {
    "claude-code": {".claude"},
    "codex": {".agents"},
    "cursor": {".agents"},
    "copilot": {".agents"},
    "gemini": {".agents"},
    "opencode": {".agents"},
}


@pytest.mark.parametrize(("agent", "folders"), AGENTS.items(), ids=AGENTS)
def test_init_puts_the_skill_up_with_the_hooks_and_takes_it_out(top: Path, agent: str, folders: set[str]) -> None:
    act(top, "init", "--yes", "--no-ci", "--agent", agent)
    assert {path.parts[-4] for path in top.rglob("skills/rulec/SKILL.md")} == folders
    assert "everything is in place" in act(top, "init", "--yes").out
    act(top, "init", "--remove", "--yes")
    assert not list(top.rglob("SKILL.md"))


def test_an_agent_that_comes_later_brings_its_skill_and_one_that_was_taken_out_stays_out(top: Path) -> None:
    act(top, "init", "--yes", "--no-ci", "--agent", "claude-code")
    config = top / ".rules/config.yaml"
    config.write_text(config.read_text().replace("claude-skill, ", ""))
    act(top, "init", "--yes", "--agent", "codex")
    assert "agents-skill" in config.read_text()
    assert "claude-skill" not in config.read_text()


def test_a_skill_of_that_name_is_left_and_doctor_says_so(top: Path) -> None:
    path = top / ".claude/skills/rulec/SKILL.md"
    path.parent.mkdir(parents=True)
    path.write_text(THEIRS)
    act(top, "init", "--yes", "--no-ci", "--agent", "claude-code")
    assert path.read_text() == THEIRS
    assert "everything is in place" in act(top, "init", "--yes").out
    told = act(top, "doctor", code=None).out
    assert "WRONG  .claude/skills/rulec/SKILL.md was not written by rulec and is left alone" in told
    act(top, "init", "--remove", "--yes")
    assert path.read_text() == THEIRS


def test_what_somebody_writes_into_ours_is_stale_and_weakens_no_gate(top: Path) -> None:
    act(top, "init", "--yes", "--no-ci", "--agent", "claude-code")
    run(top, "add", "-A")
    run(top, "commit", "-qm", "Put up the gates")
    path = top / ".claude/skills/rulec/SKILL.md"
    text = path.read_text()
    path.write_text(text.replace("Never look", "Always look"))
    assert "stale: .claude/skills/rulec/SKILL.md" in act(top, "compile", "--check", code=1).out
    run(top, "add", "-A")
    assert "weakens" not in act(top, "check", "--staged", code=None).out
    act(top, "compile")
    assert path.read_text() == text
