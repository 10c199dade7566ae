"""The integration of an agent's hooks, from what is its own: where they stand, by which line, for which events."""

import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from rulec.checkout.ledger import DOCTOR_SESSION
from rulec.domain.artifact import HOOK, Artifact
from rulec.domain.compile_plan import CompilePlan
from rulec.domain.plugs import HookProbe, HookShot, Integration
from rulec.domain.template import Render
from rulec.guard.tool_check import MCP_PREFIX, RENAMED_TOOLS, name_words
from rulec.integrations import hook_settings
from rulec.integrations.hook_settings import HookSettings

# The head of the file alone: Python compiles a script anew each time, and the rest of this one is kept compiled.
RUN = (
    "import os, sys; h = sys.argv[1]; exec(open(h).read(6000) if os.path.isfile(h) else "
    '"print(h, os.strerror(2), file=sys.stderr); sys.exit(2)")'  # where it is gone, the agent is stopped as ever
)
Wanted = Callable[[Sequence[str]], bool]


def hook_command(agent: str, folder: str) -> str:
    """The command line that an agent registers; ``folder`` is how its shell says where the repository is.

    -I -S: nothing from the environment or the work tree may stand in for what the hook imports; and it starts quicker.
    It never changes with rulec's version: agents ask their people anew about each line that does.
    """
    return f"python3 -I -S -c '{RUN}' {folder}/{HOOK} {agent}"


@dataclass(frozen=True, slots=True, kw_only=True)
class AgentHooks:
    """What is an agent's own about its hooks."""

    agent: str
    title: str
    settings: HookSettings
    command: str  # the line of ours that it registers
    shots: tuple[HookShot, ...]
    project: str = ""
    beside: tuple[str, ...] = ()
    off: Mapping[str, str] | None = None
    trust: str = ""


def probe_shot(moment: str, event: str, refusal: tuple[str, str] | None = None, **payload: Any) -> HookShot:
    """An event as most agents tell it."""
    known = {"hook_event_name": event, "session_id": DOCTOR_SESSION, "cwd": "{top}"}
    return HookShot(moment=moment, event=event, payload={**known, **payload}, refusal=refusal)


def hooks_integration(own: AgentHooks, wanted: Wanted) -> Integration:
    """The emitter; its hooks by event stand in the template ``emit/AGENT.json.j2``."""
    probe = HookProbe(
        title=own.title,
        command=own.command,
        lines=partial(hook_settings.registered_lines, own.settings),
        shots=own.shots,
        project=own.project,
        beside=own.beside,
        off=own.off or {},
        trust=own.trust,
    )
    return Integration(
        name=own.agent,
        files=(own.settings.path,),
        emit=partial(_emit, own=own),
        remove=partial(_remove, own=own),
        agent=own.agent,
        probe=probe,
        when_init=wanted,
    )


def _emit(plan: CompilePlan, render: Render, current: Mapping[str, str], *, own: AgentHooks) -> Iterator[Artifact]:
    """The settings with each of our hooks in it once, as it is wanted now."""
    template = f"emit/{own.agent.replace('-', '_')}.json.j2"
    wanted: dict[str, list[Any]] = json.loads(
        render(template, {"command": own.command, "strict": any_strict(plan), "tools": named_tools(plan)})
    )
    path = own.settings.path
    yield Artifact(path=path, text=hook_settings.put_hooks_in(own.settings, wanted, current.get(path)))


def _remove(_: str, text: str, *, own: AgentHooks) -> str | None:
    return hook_settings.take_hooks_out(own.settings, text)


def any_strict(plan: CompilePlan) -> bool:
    """Whether some rule wants an action stopped where its check breaks."""
    return any(step.kind == "guard" and step.facts.on_error == "block" for step in plan.steps)


_TOOLS = ("tools", "before_tools")  # parameters, and keys of a guard check, that name the tools which are judged
_SERVER = re.compile(r"^mcp_+", re.IGNORECASE)


def named_tools(plan: CompilePlan, *, servers: bool = False) -> list[str]:
    """The tools that rules judge by their names, as patterns in every spelling that agents have for them.

    Those of MCP servers are asked about anyway by most agents; ``servers`` names them too, with and without ``mcp__``.
    """
    found: dict[str, None] = {}
    for step in plan.steps:
        for name in _tool_names(step.parameters) if step.kind == "guard" else ():
            if name_words(name).startswith(MCP_PREFIX):
                found.update(dict.fromkeys([name, _SERVER.sub("", name).replace("__", "_")] if servers else []))
                continue
            twins = [twin for pair in RENAMED_TOOLS.items() if name_words(name) in pair for twin in pair]
            for one in (name, *(twin.capitalize() for twin in twins)):
                snake = name_words(one) if one not in twins else one
                camel = "".join(part[:1].upper() + part[1:] for part in snake.split("_"))
                found.update(dict.fromkeys([one, camel, snake, snake.replace("_", "")]))
    return [re.escape(name).replace(r"\*", ".*").replace(r"\?", ".").replace(r"\-", "-") for name in found if name]


def _tool_names(value: Any) -> Iterator[str]:
    """The names of tools in a check's parameters, which may hold a whole check as JSON."""
    if isinstance(value, str) and value.lstrip().startswith("{"):
        try:
            value = json.loads(value)
        except ValueError:
            return
    for key, one in value.items() if isinstance(value, Mapping) else ():
        if key in _TOOLS and isinstance(one, list | tuple):
            yield from (name for name in one if isinstance(name, str))
        else:
            yield from _tool_names(one)


def wanted_where_used(*starts: str) -> Wanted:
    """Wanted where files that begin so show that the agent is used."""
    return lambda paths: any(path.startswith(starts) for path in paths)
