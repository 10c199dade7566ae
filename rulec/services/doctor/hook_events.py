"""Sends an event to an agent's hook as that agent would, and tells whether the agent ever ran its hook here."""

import json
import os
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rulec import registry
from rulec.checkout.rules_layout import CALLED
from rulec.checkout.worktree import shared_state_directory
from rulec.compiling import artifacts
from rulec.domain.artifact import Artifact
from rulec.domain.enforcement import STRICTEST
from rulec.domain.plugs import HookProbe, HookShot, Integration
from rulec.domain.rule import Check, Rule
from rulec.errors import RulecError
from rulec.infra import text_files
from rulec.infra.processes import run_tool
from rulec.infra.scratch_repositories import ScratchRepository, scratch_repository
from rulec.rulebook.config import Config
from rulec.rulebook.rulebook import Rulebook
from rulec.services.setup import hook_record

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
class HookAnswer:
    """The answer of a hook to an event."""

    out: str
    err: str
    code: int
    refused: bool
    milliseconds: float

    @property
    def silent(self) -> bool:
        """Whether the hook let the agent go on without an answer."""
        return not (self.code or self.out.strip())

    @property
    def said(self) -> str:
        """The answer, shortened."""
        return (self.out or self.err).strip()[:200] or f"exit {self.code}"


def registered_command(top: Path, emitter: Integration, shot: HookShot) -> str:
    """The command line of rulec in the agent's settings for an event; no other command is run."""
    probe = emitter.probe
    if probe is None:
        return ""
    text = text_files.read_existing(top, emitter.files).get(emitter.files[0], "")
    return shot.command if shot.command in probe.lines(text).get(shot.event, ()) else ""


def fire_event(top: Path, probe: HookProbe, command: str, shot: HookShot, /, **words: str) -> HookAnswer:
    """Send an event to the hook and return its answer."""
    told = json.dumps(_filled(shot.payload, {"top": str(top), "command": "", "path": "", "text": "", **words}))
    environment = {probe.project: str(top)} if probe.project else {}
    start = time.perf_counter()
    done = run_tool(["sh", "-c", command], cwd=top, stdin=told.encode(), environment=environment, seconds=SECONDS)
    spent = (time.perf_counter() - start) * 1000
    out, err = (data.decode("utf-8", "replace") for data in (done.out, done.err))
    refused = shot.refusal is not None and _refuses(shot.refusal, out)
    return HookAnswer(out=out, err=err, code=done.code, refused=refused, milliseconds=spent)


def fire_tool_call(top: Path, agent: str, command: str) -> HookAnswer:
    """The answer of an agent's hook to a command that the agent is about to run."""
    emitter = next((one for one in registry.emitters().values() if one.agent == agent), None)
    if emitter is None or emitter.probe is None:
        raise RulecError(f"no hooks for the agent {agent!r}", hint="see rulec init --help")
    shot = emitter.probe.shots[0]
    return fire_event(top, emitter.probe, registered_command(top, emitter, shot) or "exit 127", shot, command=command)


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
def probe_repository() -> Iterator[ScratchRepository]:
    """A temporary repository with one rule, for events about bad files."""
    with scratch_repository() as scratch:
        # built for the empty repository: no template of the team's stands in for ours
        built = artifacts.compile_checks(Rulebook(rules=(_RULE,)), scratch.top)
        scratch.write({artifact.path: _blocking(artifact) for artifact in built})
        hook_record.put_launcher(scratch.top, Config())
        yield scratch


def _blocking(artifact: Artifact) -> str:
    """The artifact as if it were proved and set to block."""
    data = json.loads(artifact.text or "{}")
    data["facts"] = {**data["facts"], "enforcement": STRICTEST, "until": ""}
    return json.dumps(data)


def hook_ran(top: Path, agent: str) -> bool:
    """Whether the agent's hook ever ran in this clone."""
    return bool(_traces(top, agent))


@contextmanager
def without_traces(top: Path) -> Iterator[None]:
    """Run a block that leaves the records of agents' calls as they were."""
    before = {path: path.stat() for path in _traces(top)}
    try:
        yield
    finally:
        for path in _traces(top):
            if path in before:
                os.utime(path, ns=(before[path].st_atime_ns, before[path].st_mtime_ns))
            else:
                path.unlink(missing_ok=True)


def _traces(top: Path, agent: str = "*") -> set[Path]:
    return set(Path(shared_state_directory(str(top))).glob(f"{CALLED}{agent}"))
