"""The agents' specs: complete, and the one place where an agent is named."""

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import rulec
from rulec.agents.protocol import agent_tables
from rulec.agents.protocol.agent_spec import (
    AFTER_TOOL,
    BEFORE_TOOL,
    PROMPT,
    SESSION_START,
    TURN_END,
    AgentSpec,
    all_agents,
)

ROOT = Path(rulec.__file__).parent
# Which files of instructions are imported, a hint that names some, what else agents' programs are: models, formats.
NAMED_ELSEWHERE = re.compile(r"^(?:agents|llm|transcripts)/|/instruction_(?:files|documents)\.py$")


@pytest.mark.parametrize("spec", all_agents(), ids=agent_tables.NAMES)
def test_a_spec_says_all_that_is_asked_of_it(spec: AgentSpec) -> None:
    assert {event.moment for event in spec.events} == {BEFORE_TOOL, AFTER_TOOL, TURN_END, SESSION_START, PROMPT}
    assert [name for name in AgentSpec.__annotations__ if not hasattr(spec, name)] == []
    assert spec.hook_file in spec.settings
    assert any(spec.hook_file.startswith(sign) for sign in spec.signs)
    assert set(spec.settings.values()) <= {"json", "toml", "whole"}


def test_a_field_that_no_spec_has_is_refused() -> None:
    with pytest.raises(TypeError, match="an agent has no colour"):
        AgentSpec(colour="blue")


def test_no_other_module_names_the_files_of_an_agent() -> None:
    words = [word for word in agent_tables.FOLDERS if word not in (".github", ".claude")]
    found = [
        path.relative_to(ROOT).as_posix()
        for path in ROOT.rglob("*.py")
        if any(f"{mark}{word}" in path.read_text() for word in words for mark in "\"'/")
    ]
    assert [path for path in found if not NAMED_ELSEWHERE.search(path)] == []


def test_a_new_agent_is_one_file(tmp_path: Path) -> None:
    shutil.copytree(ROOT, tmp_path / "rulec", ignore=shutil.ignore_patterns("__pycache__"))
    text = (ROOT / "agents/codex.py").read_text()
    for old, new in (
        (".codex", ".nimbus"),
        ("CODEX_HOME", "NIMBUS_HOME"),
        ('"codex"', '"nimbus"'),
        ("Codex", "Nimbus"),
    ):
        text = text.replace(old, new)
    (tmp_path / "rulec/agents/nimbus.py").write_text(text)
    look = (
        "from rulec import registry; from rulec.agents.protocol import agent_spec;"
        "from rulec.protect import gate_protection;from rulec.shell.action_events import Event;"
        "plug = registry.emitters()['nimbus'];"
        "event = Event(kind='write', path='.nimbus/hooks.json', new='{}', content='{}');"
        "print(plug.files, plug.probe.title, plug.when_init(['.nimbus/x']),"
        " agent_spec.find_agent('nimbus') is not None,"
        " bool(gate_protection.detect_tampering(event)), 'nimbus' in registry.emitters()['agents-skill'].tells)"
    )
    done = subprocess.run([sys.executable, "-c", look], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.stdout == "('.nimbus/hooks.json',) Nimbus True True True True\n", done.stderr
