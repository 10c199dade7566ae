"""The generated files of rulec's plugin: its launcher, its skill, each agent's hooks; and ``action.yml`` for GitHub.

``python -m tests.support.plugin_files`` writes them; with ``--check`` it writes nothing and exits 1 if one is stale.
"""

import json
import sys
from pathlib import Path
from typing import Any

from rulec.agents.protocol.agent_spec import AFTER_TOOL, BEFORE_TOOL, SESSION_START, AgentSpec, HookEvent, find_agent
from rulec.checks import template_library
from rulec.compiling.launcher import plugin_launcher
from rulec.integrations import ci_context
from rulec.integrations.rule_documents import MARK
from rulec.integrations.targets.agents import SECONDS

ROOT = Path(__file__).parents[2]
COMMAND = "python -m tests.support.plugin_files"
LAUNCHER = "rulec/hook"  # in the plugin; a path that ends so is known to start the gate, so no agent may pose by it
FOLDERS = {"claude-code": "plugin/", "copilot": "plugin/", "codex": ""}  # of the plugin, below what is installed
_TOLD = {BEFORE_TOOL: "call", SESSION_START: "start"}


def files() -> dict[str, str]:
    """The text of each file, by its path."""
    render = template_library.open_library().render
    hooks = {f"plugin/hooks/{name}.json": json.dumps(_hooks(name), indent=2) + "\n" for name in FOLDERS}
    skill = render("emit/skill.md.j2", {"mark": MARK})
    action = render("emit/github_action.yaml.j2", {"composite": True, "commits": ci_context.COMMITS})
    plugin = {f"plugin/{LAUNCHER}": plugin_launcher(ROOT), "plugin/skills/rulec/SKILL.md": skill, **hooks}
    return {**plugin, "action.yml": action}


def stale() -> list[str]:
    """The paths of files that are missing or out of date."""
    return sorted(path for path, text in files().items() if _text(ROOT / path) != text)


def write() -> None:
    """Write every file."""
    for path, text in files().items():
        target = ROOT / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text, "utf-8")
        target.chmod(0o755 if path.endswith(LAUNCHER) else 0o644)


def _text(path: Path) -> str:
    return path.read_text("utf-8") if path.exists() else ""


def _hooks(name: str) -> dict[str, Any]:
    spec = find_agent(name)
    assert spec is not None
    found = {event.name: [_entry(spec, event)] for event in spec.events}
    return {**({"version": 1} if spec.versioned else {}), "hooks": found}


def _entry(spec: AgentSpec, event: HookEvent) -> dict[str, Any]:
    assert spec.hook_entry is not None
    # Before a tool runs all are asked about: which tools a repository's rules name, the plugin cannot know.
    matcher = "|".join([event.matcher, *spec.plan_tools]) if event.matcher and event.moment == AFTER_TOOL else ""
    line = _line(spec, event.moment)
    return spec.hook_entry(event, line, SECONDS[event.moment], matcher, event.moment == BEFORE_TOOL)


def _line(spec: AgentSpec, moment: str) -> str:
    """The command line: a plugin that is half gone keeps nobody from their agent."""
    run = f'h="${{CLAUDE_PLUGIN_ROOT}}/{FOLDERS[spec.name]}{LAUNCHER}"; [ ! -f "$h" ]||sh "$h"'
    return f"{run} {spec.name} {_TOLD.get(moment, 'other')} plugin" + " ||:" * (moment != BEFORE_TOOL)


def main(argv: list[str]) -> int:
    """Write the files, or say which are stale."""
    if argv != ["--check"]:
        write()
        return 0
    for path in (found := stale()):
        sys.stdout.write(f"stale: {path}; run {COMMAND}\n")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
