"""Events fired at an agent's hook as that agent would fire them; nothing but our own command line is ever run."""

import json
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rulec import registry
from rulec.commands import _build
from rulec.errors import RulecError
from rulec.host import scratch, worktree
from rulec.host.call import call
from rulec.model.artifact import HOOK, Artifact
from rulec.model.rule import Check, Rule
from rulec.model.rulebook import Rulebook
from rulec.ports import Emitter, Probe, Shot

HARMLESS = "git status --short"
BAD = "rulec-doctor-known-bad"  # what the throw-away repository's one rule forbids in every file
GOOD = "known good"
FILE = "doctor.txt"
SECONDS = 60.0
_PARAMETERS = {"patterns": [BAD]}
_RULE = Rule(
    slug="rulec-doctor",
    statement="Nothing that doctor knows to be bad.",
    severity="must",
    checks=(Check(kind="guard", template="forbid-text", parameters=_PARAMETERS),),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """What a hook made of an event."""

    out: str
    err: str
    code: int
    refused: bool
    milliseconds: float

    @property
    def silent(self) -> bool:
        """Whether it let the agent go on without a word."""
        return not (self.code or self.out.strip())

    @property
    def said(self) -> str:
        """What it said, short."""
        return (self.out or self.err).strip()[:200] or f"exit {self.code}"


def registered(top: Path, emitter: Emitter, shot: Shot) -> str:
    """Our own command line as the agent's settings name it for the event; settings are data, nothing else is run."""
    probe = emitter.probe
    if probe is None:
        return ""
    text = worktree.present(top, emitter.files).get(emitter.files[0], "")
    ours = (probe.command, f"{probe.command} || true")
    return next((line for line in probe.lines(text).get(shot.event, ()) if line in ours), "")


def fire(top: Path, probe: Probe, command: str, shot: Shot, /, **words: str) -> Answer:
    """The event with these words, given to the hook, and what came back."""
    told = json.dumps(_filled(shot.payload, {"top": str(top), "command": "", "path": "", "text": "", **words}))
    environment = {probe.project: str(top)} if probe.project else {}
    start = time.perf_counter()
    done = call(["sh", "-c", command], cwd=top, stdin=told.encode(), environment=environment, seconds=SECONDS)
    spent = (time.perf_counter() - start) * 1000
    out, err = (data.decode("utf-8", "replace") for data in (done.out, done.err))
    refused = shot.refusal is not None and _refuses(shot.refusal, out)
    return Answer(out=out, err=err, code=done.code, refused=refused, milliseconds=spent)


def tool_call(top: Path, agent: str, command: str) -> Answer:
    """What the hook of an agent says to a command that the agent is about to run."""
    emitter = next((one for one in registry.emitters().values() if one.agent == agent), None)
    if emitter is None or emitter.probe is None:
        raise RulecError(f"no hooks for the agent {agent!r}", hint="see rulec init --help")
    shot = emitter.probe.shots[0]
    return fire(top, emitter.probe, registered(top, emitter, shot) or "exit 127", shot, command=command)


def _filled(value: Any, words: Mapping[str, str]) -> Any:
    if isinstance(value, str):
        for name, word in words.items():
            value = value.replace(f"{{{name}}}", word)
        return value
    if isinstance(value, Mapping):
        return {key: _filled(item, words) for key, item in value.items()}
    return [_filled(item, words) for item in value] if isinstance(value, list) else value


def _refuses(refusal: tuple[str, str], out: str) -> bool:
    path, word = refusal
    try:
        value = json.loads(out)
        for key in path.split("."):
            value = value[key]
    except (ValueError, KeyError, TypeError):
        return False
    return value == word if word else isinstance(value, str) and bool(value)


@contextmanager
def repository(top: Path) -> Iterator[Path]:
    """A throw-away repository with this one's runtime and one rule, for events that need files which are bad."""
    runtime = {path: text for path, text in worktree.compiled_at_hand(top).items() if path == HOOK}
    with scratch.repository() as folder:
        # built for the empty repository: no template of the team's stands in for ours
        built = _build.checks(Rulebook(rules=(_RULE,)), folder)
        scratch.put(folder, {**runtime, **{artifact.path: _blocking(artifact) for artifact in built}})
        yield folder


def _blocking(artifact: Artifact) -> str:
    """The artifact as it is once it is proved."""
    data = json.loads(artifact.text or "{}")
    data["facts"]["enforcement"] = "block"
    return json.dumps(data)
