"""The scripts that start rulec: the launcher, which finds it for an agent or for git, and git's hooks."""

import re
from pathlib import Path

from rulec import __version__
from rulec.agents.protocol.agent_spec import all_agents
from rulec.checkout.rules_layout import LAUNCHER
from rulec.compiling.artifacts import template_library
from rulec.domain.artifact import Artifact
from rulec.infra.git import hook_scripts
from rulec.rulebook.config import Config

_URL = re.compile(r"(?:git\+)?(?:https|ssh|file)://[\w.@:/~+%#=&-]+")  # nothing that a shell reads within quotes


def launcher(top: Path, config: Config) -> Artifact:
    """The launcher: a folder in ``install:`` is none that another clone has, so only a URL stands in it."""
    source = config.install if _URL.fullmatch(config.install) else ""
    context = {"version": __version__, "source": source, "on_missing": config.on_missing, "plugin": False}
    return Artifact(path=LAUNCHER, text=template_library(top).render("emit/hook.sh.j2", context), executable=True)


def plugin_launcher(top: Path) -> str:
    """The launcher of rulec's own plugin for agents, which starts nothing that a repository names."""
    return template_library(top).render("emit/hook.sh.j2", {"version": __version__, "plugin": True})


def git_hook(top: Path, name: str) -> str:
    """The text of rulec's git hook of that name."""
    variables = sorted({one for agent in all_agents() for one in agent.runs_with})
    context = {
        "name": name,
        "kept": hook_scripts.KEPT_SUFFIX,
        "run": hook_scripts.RUNS[name],
        "hook": LAUNCHER,
        "agents": variables if name == hook_scripts.PREPARE else [],
    }
    return template_library(top).render("emit/git_hook.sh.j2", context)
