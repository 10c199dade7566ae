"""Sends an event to an agent's hook as that agent would."""

import json
import os
import re
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rulec import registry
from rulec.checkout.rules_layout import CALLED, LAUNCHER
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
from rulec.services import recorded_rulec

BYPASS = "git commit --no-verify -m x"  # the gate guards itself, whatever the rules are
HARMLESS = "git status --short"
BAD = "rulec_doctor_known_bad"  # what the throw-away repository's one rule forbids in every file
GOOD = "known_good"
FILE = "doctor.py"
PROBED = "rulec-doctor"  # the name of that rule
SECONDS = 60.0
_IDLE_END = re.compile(
    r"\s*(?:(?:\|\||&&|;)\s*(?:true|:|exit \d)|2>\s*/dev/null|2>&1)*\s*"
)  # of a line that calls rulec
_RULE = Rule(
    slug=PROBED,
    statement="Nothing that doctor knows to be bad.",
    severity="must",
    # a guard that is told of parts of files is asked at commits, too
    checks=(Check(kind="guard", template="forbid-text", parameters={"patterns": [BAD], "part": "code"}),),
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


def registered_command(probe: HookProbe, text: str, shot: HookShot) -> str:
    """The command line in an agent's settings that is rulec's for an event, whatever ending it has that starts nothing.

    No other command is ever run: settings are a file of the branch.
    """
    lines = probe.lines(text).get(shot.event, ())
    return next((line for line in lines if line == shot.command or _is_ended(line, shot.command)), "")


def _is_ended(line: str, command: str) -> bool:
    return line.startswith(command) and bool(_IDLE_END.fullmatch(line[len(command) :]))


def settings_text(top: Path, emitter: Integration) -> str:
    """The text of the file in which rulec writes an agent's hooks, "" where there is none."""
    return text_files.read_existing(top, emitter.files).get(emitter.files[0], "")


def refuses_bypass(top: Path, probe: HookProbe, command: str, shot: HookShot) -> bool:
    """Whether the rulec that a clone starts refuses what it refuses wherever there is a rule."""
    with probe_clone(top) as scratch:
        return fire_event(scratch.top, probe, command, shot, command=BYPASS).refused


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
    line = registered_command(emitter.probe, settings_text(top, emitter), shot)
    return fire_event(top, emitter.probe, line or "exit 127", shot, command=command)


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
    """A temporary repository with one rule, for an agent's events about bad files."""
    with scratch_repository() as scratch:
        _write_rule(scratch)
        recorded_rulec.put_launcher(scratch.top, Config())
        yield scratch


@contextmanager
def probe_clone(top: Path) -> Iterator[ScratchRepository]:
    """A temporary repository whose HEAD has one rule, with the rulec that a clone starts."""
    with scratch_repository(top) as scratch:
        _write_rule(scratch)
        scratch.write(text_files.read_existing(top, [LAUNCHER]))
        scratch.commit("Rules")
        yield scratch


def _write_rule(scratch: ScratchRepository) -> None:
    # built for the empty repository: no template of the team's stands in for ours
    built = artifacts.compile_checks(Rulebook(rules=(_RULE,)), scratch.top)
    scratch.write({artifact.path: _blocking(artifact) for artifact in built})


def _blocking(artifact: Artifact) -> str:
    """The artifact as if it were proved and set to block."""
    data = json.loads(artifact.text or "{}")
    data["facts"] = {**data["facts"], "enforcement": STRICTEST, "until": ""}
    return json.dumps(data)


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


def _traces(top: Path) -> set[Path]:
    return set(Path(shared_state_directory(str(top))).glob(f"{CALLED}*"))
