"""An agent's session whose hook was never called: begun in a subfolder, it does not load the hooks of the root."""

import os
import re
import time
from collections.abc import Callable
from pathlib import Path

from rulec import registry
from rulec.agents.protocol import agent_spec
from rulec.agents.protocol.agent_spec import AgentSpec
from rulec.checkout.rules_layout import CALLED
from rulec.checkout.worktree import shared_state_directory
from rulec.infra import text_files, transcript_files

RECENT = 3_600.0  # seconds: before a command runs its hook is called, and few commands run for longer
TOLD = "unhooked-"  # in the folder of local state, with an agent's name: when this was said last


def unhooked_agent(top: Path) -> AgentSpec | None:
    """The agent that runs this process and has not called its hook here lately, though its settings have it."""
    around = [agent_spec.find_agent(name) for name in agent_spec.agents_around(os.environ)]
    known = [agent for agent in around if agent and _is_registered(top, agent)]
    if not known or any(_is_recent(top, CALLED + agent.name) for agent in known):
        return None
    return known[0]


def has_called(top: Path, agent: str) -> bool:
    """Whether the agent ever called its hook in this clone."""
    return _time_of(top, CALLED + agent) > 0


def why_not_called(top: Path, agent: AgentSpec) -> str:
    """What shows that the agent works here and does not call the hook that its settings have; "" where nothing does."""
    around = unhooked_agent(top)
    if around and around.name == agent.name:
        return f"{agent.title} runs this and has not called its hook here in this session"
    since = _changed_at(top / agent.hook_file)
    if _time_of(top, TOLD + agent.name) > max(since, _time_of(top, CALLED + agent.name)):
        return f"{agent.title} committed here last in a session that did not call its hook"
    reader = registry.readers().get(agent.name)
    if has_called(top, agent.name) or reader is None:
        return ""
    if not transcript_files.find_transcripts(top, reader.roots, since=since):
        return ""
    return f"{agent.title} has worked here and never called its hook"


def settings_that_turn_hooks_off(top: Path, agent: str) -> str:
    """The file of an agent's settings that turns its hooks off, "" for none."""
    known = [one.probe for one in registry.emitters().values() if one.probe and one.agent == agent]
    off = {path: pattern for probe in known for path, pattern in probe.off.items()}
    return next((path for path, pattern in off.items() if re.search(pattern, text_files.read_start(top, path))), "")


def tell_once(top: Path, complain: Callable[[str], None]) -> None:
    """Say it at the first commit of such a session."""
    agent = unhooked_agent(top)
    if not agent or _is_recent(top, TOLD + agent.name):
        return
    if off := settings_that_turn_hooks_off(top, agent.name):
        why, cure = f"{off} turns its hooks off", f"remove that line from {off}"
    else:
        why, cure = f"a session begun in a subfolder does not load {agent.hook_file}", f"begin it in {top}"
    complain(f"{agent.title} runs this and has not called its hook here: {why}, so only git's gates judge it; {cure}")
    try:
        Path(shared_state_directory(str(top)), TOLD + agent.name).touch(0o600)
    except OSError:
        return


def _is_registered(top: Path, agent: AgentSpec) -> bool:
    try:
        text = (top / agent.hook_file).read_text(encoding="utf-8", errors="replace")
    except OSError:
        return False
    return ".rules/" in text or "rulec" in text


def _is_recent(top: Path, name: str) -> bool:
    return time.time() - _time_of(top, name) < RECENT


def _time_of(top: Path, name: str) -> float:
    return _changed_at(Path(shared_state_directory(str(top)), name))


def _changed_at(path: Path) -> float:
    """When a file was changed last; 0 where there is none."""
    try:
        return path.stat().st_mtime
    except OSError:
        return 0.0
