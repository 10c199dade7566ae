"""Agents' own programs: each works in a fresh repository, and its transcript is kept and read."""

import os
import shutil
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from evaluation.experiment.books import Drafted
from evaluation.experiment.places import SET_UP, Place, Saved
from evaluation.experiment.plays import STEPS
from evaluation.experiment.scripted import DOCUMENT, NONE, SNAPSHOT
from evaluation.experiment.sessions import NAMES, RealSession, leave_only_telling, read_session
from evaluation.experiment.tasks import Task
from rulec.agents.protocol.agent_spec import AgentSpec, all_agents
from rulec.domain.text.one_line import to_one_line
from rulec.domain.text.redaction import redact
from rulec.errors import RulecError
from rulec.infra.processes import Bounds, run_bounded
from rulec.services import session_transcripts

SECONDS = 900.0  # of one session
PROMPT = "{prompt}"
LISTS_STEPS = "\n\nKeep a todo list while you work on it."
# How each program works on a prompt by itself, with leave to change files and run commands.
RUNS: Mapping[str, Sequence[str]] = {
    "claude-code": (
        "claude", "-p", PROMPT, "--permission-mode", "acceptEdits",
        "--allowedTools", "Bash,Edit,Write,MultiEdit,Read,Glob,Grep,TodoWrite",
    ),
    "codex": ("codex", "exec", "--full-auto", PROMPT),
    "copilot": ("copilot", "-p", PROMPT, "--allow-all-tools"),
    "cursor": ("cursor-agent", "-p", "--force", PROMPT),
    "gemini": ("gemini", "-p", PROMPT, "--yolo"),
    "opencode": ("opencode", "run", PROMPT),
}  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class CliAgent:
    """One program, the conditions under which it works, and where its transcripts are kept."""

    spec: AgentSpec
    conditions: tuple[str, ...]
    document: str
    keep: Path

    def sessions(self, task: Task, place: Place, drafted: Drafted) -> Iterator[RealSession]:
        """Work at each occasion under each condition."""
        with place.saved() as saved:
            for at in range(len(task.occasions)):
                for condition in self.conditions:
                    yield self._session(task, at, condition, saved, drafted)
            saved.restore()

    def _session(self, task: Task, at: int, condition: str, saved: Saved, drafted: Drafted) -> RealSession:
        place = saved.restore()
        if condition in (NONE, DOCUMENT):
            shutil.rmtree(place.top)
            place.begin_repository(task)
        if condition == DOCUMENT:
            place.write({"AGENTS.md": self.document, "CLAUDE.md": self.document})
            place.commit_all(SET_UP)
        elif condition != NONE and self.spec.name != "claude-code":  # whose hooks are there already
            place.set_up_gates(self.spec.name)
            place.commit_all(SET_UP)
        if condition == SNAPSHOT:
            leave_only_telling(place)
        prompt = task.occasions[at].prompt + LISTS_STEPS * (condition == STEPS)
        before = set(session_transcripts.repository_transcripts(place.top))
        self._run(place, prompt)
        after = [path for path in session_transcripts.repository_transcripts(place.top) if path not in before]
        if not after:
            raise RulecError(f"{self.spec.title} left no transcript", hint="see that it keeps its sessions")
        short = next(name for name, condition_name in NAMES.items() if condition_name == condition)
        kept = self.keep / f"{task.id}.{at}.{short}{after[0].suffix}"
        self.keep.mkdir(parents=True, exist_ok=True)
        shutil.copy(after[0], kept)
        return read_session(kept, at, condition, drafted.slugs)

    def _run(self, place: Place, prompt: str) -> None:
        argv = [prompt if word == PROMPT else word for word in RUNS[self.spec.name]]
        free = {**os.environ, **{name: "" for agent in all_agents() for name in agent.runs_with}}
        bounds = Bounds(seconds=SECONDS, keeps_end=True, stopped=place.stopped)
        done = run_bounded(argv, bounds, cwd=place.top, environment=free)
        place.require_open()
        if done.code != 0:
            said = [] if done.code is None else (done.texts[0].strip() or done.texts[1].strip()).splitlines()
            ended = f"took more than {SECONDS:g} seconds" if done.code is None else f"exit {done.code}"
            line = to_one_line(redact(said[-1] if said else ended))[:200]
            raise RulecError(
                f"{argv[0]} says: {line}", hint="log in with it first, or play kept sessions: recorded:FOLDER"
            )


def _require_new(keep: Path) -> None:
    """Refuse a folder that holds anything, or that cannot be made: it gets what each session leaves."""
    try:
        keep.mkdir(parents=True, exist_ok=True)
        if not any(keep.iterdir()):
            keep.rmdir()
            return
    except OSError as error:
        what = f"cannot be written: {error.strerror}"
        raise RulecError(what, where=str(keep), hint="name a new folder to keep the sessions in") from None
    raise RulecError("is not empty", where=str(keep), hint="name a new folder to keep the sessions in")


def cli_agent(name: str, conditions: Sequence[str], document: str, keep: Path) -> CliAgent:
    """The agent of that name; RulecError where its program is not here."""
    spec = next(spec for spec in all_agents() if spec.name == name)
    if SNAPSHOT in conditions and not spec.hook_entry:  # its hooks are one plugin, which tells and refuses
        hint = "leave snapshot out of --conditions"
        raise RulecError(f"{spec.title} is not told rules without gates", where=f"--agent {name}", hint=hint)
    program = RUNS[name][0]
    if not shutil.which(program):
        raise RulecError(
            f"{program} is not installed", where=f"--agent {name}", hint="install it, or use recorded:FOLDER"
        )
    _require_new(keep)
    return CliAgent(spec=spec, conditions=tuple(conditions), document=document, keep=keep)
