"""The emitter of an agent's hooks, from what is its own: where they stand, by which line, for which events."""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from rulec.emitters import _agent_settings as settings
from rulec.emitters._agent_settings import HOOK, Settings
from rulec.model.artifact import Artifact
from rulec.model.plan import Plan
from rulec.ports import Emitter, Probe, Render, Shot
from rulec.runtime.ledger import DOCTOR

Wanted = Callable[[Sequence[str]], bool]


def line(agent: str, folder: str) -> str:
    """The command line that an agent registers; ``folder`` is how its shell says where the repository is.

    -I -S: nothing from the environment or the work tree may stand in for what the hook imports; and it starts quicker.
    It never changes with rulec's version: agents ask their people anew about each line that does.
    """
    return f"python3 -I -S {folder}/{HOOK} {agent}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Hooks:
    """What is an agent's own about its hooks."""

    agent: str
    title: str
    settings: Settings
    command: str  # the line of ours that it registers
    shots: tuple[Shot, ...]
    project: str = ""
    beside: tuple[str, ...] = ()
    off: Mapping[str, str] | None = None
    trust: str = ""


def shot(moment: str, event: str, refusal: tuple[str, str] | None = None, **payload: Any) -> Shot:
    """An event as most agents tell it."""
    known = {"hook_event_name": event, "session_id": DOCTOR, "cwd": "{top}"}
    return Shot(moment=moment, event=event, payload={**known, **payload}, refusal=refusal)


def emitter(own: Hooks, wanted: Wanted) -> Emitter:
    """The emitter; its hooks by event stand in the template ``emit/AGENT.json.j2``."""
    probe = Probe(
        title=own.title,
        command=own.command,
        lines=partial(settings.lines, own.settings),
        shots=own.shots,
        project=own.project,
        beside=own.beside,
        off=own.off or {},
        trust=own.trust,
    )
    return Emitter(
        name=own.agent,
        files=(own.settings.path,),
        emit=partial(_emit, own=own),
        remove=partial(_remove, own=own),
        agent=own.agent,
        probe=probe,
        when_init=wanted,
    )


def _emit(plan: Plan, render: Render, current: Mapping[str, str], *, own: Hooks) -> Iterator[Artifact]:
    """The settings with each of our hooks in it once, as it is wanted now."""
    template = f"emit/{own.agent.replace('-', '_')}.json.j2"
    wanted: dict[str, list[Any]] = json.loads(render(template, {"command": own.command, "strict": strict(plan)}))
    path = own.settings.path
    yield Artifact(path=path, text=settings.spliced(own.settings, wanted, current.get(path)))


def _remove(_: str, text: str, *, own: Hooks) -> str | None:
    return settings.removed(own.settings, text)


def strict(plan: Plan) -> bool:
    """Whether some rule wants an action stopped where its check breaks."""
    return any(step.kind == "guard" and step.facts.on_error == "block" for step in plan.steps)


def used(*starts: str) -> Wanted:
    """Wanted where files that begin so show that the agent is used."""
    return lambda paths: any(path.startswith(starts) for path in paths)
