"""Whether a person makes the commit under way: git runs below a shell of a terminal, and no agent is around it."""

import os
import re
from collections.abc import Mapping, Sequence
from itertools import takewhile
from pathlib import Path

from rulec.agents.protocol.agent_spec import agents_around, all_agents
from rulec.errors import RulecError
from rulec.infra import processes

# What may stand between the terminal and this process: shells, git, and what git's hooks run.
_USUAL = re.compile(r"-?(?:login|sh|bash|zsh|dash|ksh|mksh|fish|nu|pwsh|git|git-commit|rulec|pre[-_]commit|prek)")
_PYTHON = re.compile(r"python[\d.]*")
_SHARED = {"TERM_PROGRAM": "vscode"}  # terminals in which the editor's agent types, too
_WORDS = 4  # of a command line that may name its program: an interpreter, its options, a script
_SECONDS = 5
Process = tuple[int, str]  # its id and its command line


def is_made_by_person() -> bool:
    """Whether this process belongs to a commit that a person makes; False where that cannot be known."""
    return has_terminal() and is_typed_by_person(_ancestors(), os.getsid(0), os.environ)


def is_typed_by_person(ancestors: Sequence[Process], leader: int, variables: Mapping[str, str]) -> bool:
    """Whether none of these processes, the nearest first, is an agent, and all are usual up to the terminal's shell.

    ``leader`` is the process with which the session of the terminal began; an agent that nobody knows here stands below
    it, or has begun a session of its own, in which case it is looked for by its name.
    """
    if agents_around(variables):
        return False
    if any(variables.get(name) == value for name, value in _SHARED.items()):
        return False
    below = [*takewhile(lambda one: one[0] != leader, ancestors)]
    if len(below) == len(ancestors):
        return False
    names = re.compile("|".join(rf"\b{re.escape(name)}\b" for agent in all_agents() for name in agent.programs))
    inner = [*below, ancestors[len(below)]]
    usual = all(_USUAL.fullmatch(_program(line)) for _, line in inner)
    return usual and not any(names.search(" ".join(line.split()[:_WORDS])) for _, line in ancestors)


def _program(line: str) -> str:
    """The program of a command line, or the one that Python runs in it."""
    first, *rest = line.split() or [""]
    name = first.rpartition("/")[2]
    if not _PYTHON.fullmatch(name):
        return name
    named = (word.removeprefix("-m") for word in rest if word.startswith("-m") or not word.startswith("-"))
    return next(filter(None, named), name).rpartition("/")[2]


def has_terminal() -> bool:
    """Whether this process has a terminal to which it could speak, whatever its output is."""
    try:
        os.close(os.open("/dev/tty", os.O_RDWR | os.O_NOCTTY))
    except OSError:
        return False
    return True


def _ancestors() -> list[Process]:
    """The processes above this one, the nearest first; none where they cannot be listed."""
    try:
        listed = processes.run_tool(["ps", "-Ao", "pid=,ppid=,args="], cwd=Path("/"), seconds=_SECONDS)
    except RulecError:
        return []
    rows = [line.split(None, 2) for line in listed.text.splitlines()]
    known = {int(row[0]): (int(row[1]), row[2]) for row in rows if len(row) > 2}
    found: list[Process] = []
    number = os.getppid()
    while number in known and len(found) < len(known):
        above, line = known[number]
        found.append((number, line))
        number = above
    return found
