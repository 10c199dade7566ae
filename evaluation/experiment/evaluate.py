"""The experiment: plays tasks in fresh repositories, measures whether the mistake comes back, and writes the page."""

import json
import os
import platform
import tempfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter
from typing import Any

import rulec
from evaluation.experiment import plays as playing
from evaluation.experiment.books import require_answers
from evaluation.experiment.first_sessions import prepare_questions
from evaluation.experiment.measures import LEVELS, measure, measure_sessions
from evaluation.experiment.models import model_agent
from evaluation.experiment.page import evaluation_lines, evaluation_page
from evaluation.experiment.places import Yard, leave_callers_repository
from evaluation.experiment.programs import RUNS, cli_agent
from evaluation.experiment.scripted import CONDITIONS, World, instruction_document
from evaluation.experiment.sessions import Sessions, judge_sessions, recorded_sessions
from evaluation.experiment.tasks import Task, read_tasks
from rulec import registry
from rulec.domain.outcome import Outcome, Progress
from rulec.domain.text.redaction import redact
from rulec.errors import RulecError
from rulec.infra import clock
from rulec.infra.processes import run_tool
from rulec.reports.wording import count_of

SCRIPTED, RECORDED = "scripted", "recorded:"


@dataclass(frozen=True, slots=True, kw_only=True)
class EvalRequest:
    """What is to be evaluated, and how."""

    sources: tuple[Path, ...]
    take: int = 0
    seed: int = 0
    rules: Path | None = None
    agent: str = SCRIPTED
    conditions: tuple[str, ...] = CONDITIONS
    keep: Path | None = None  # where the sessions of an agent's program are kept
    levels: tuple[float, ...] = LEVELS
    heeds: float = 1.0
    obeys: bool = True
    workers: int = 2
    result: Path | None = None
    report: Path | None = None
    command: str = ""


def prepare(request: EvalRequest, folder: Path) -> Outcome:
    """Write the questions to a reader."""
    leave_callers_repository()
    tasks = read_tasks(request.sources, take=request.take, seed=request.seed)
    prepare_questions(tasks, folder)
    return Outcome(f"wrote {count_of(len(tasks), 'question')}; {folder}/README.md says how they are answered")


def evaluate(request: EvalRequest, progress: Progress, say: Callable[[str], None]) -> Outcome:
    """Play everything, and measure."""
    leave_callers_repository()
    start, used = perf_counter(), sum(os.times()[:4])
    tasks = read_tasks(request.sources, take=request.take, seed=request.seed)
    written = [path.resolve() for path in (request.result, request.report) if path]
    if len(set(written)) < len(written):
        raise RulecError("would be written twice", where=str(written[0]), hint="give --result and --report two names")
    for path in written:
        _require_writable(path)
    if request.rules is not None:
        require_answers(tasks, request.rules)
    sessions = None if request.agent == SCRIPTED else _sessions(request, tasks, say)
    with tempfile.TemporaryDirectory(prefix="rulec-eval-", ignore_cleanup_errors=True) as name:
        yard = Yard(Path(name))
        if sessions is None:
            measured, seconds = _scripted(request, tasks, yard, progress)
        else:
            measured, seconds = _real(request, tasks, yard, sessions, progress), 0.0
    measured = _without_secrets(measured)
    run = {
        **_about_run(request),
        "seconds an act": seconds,
        "seconds": perf_counter() - start,
        "processor seconds": sum(os.times()[:4]) - used,
    }
    if request.result:
        request.result.write_text(json.dumps(measured, indent=1, ensure_ascii=False) + "\n", "utf-8")
    if request.report:
        request.report.write_text(evaluation_page(measured, run), "utf-8")
    return Outcome(evaluation_lines(measured, run), data={"measured": measured, "run": run})


def _scripted(
    request: EvalRequest, tasks: Sequence[Task], yard: Yard, progress: Progress
) -> tuple[dict[str, Any], float]:
    """What a scripted agent's sessions come to, and how long one act with its gates takes."""
    with progress("playing", len(tasks)) as tick:
        plays = playing.play_tasks(tasks, request.rules, yard, seed=request.seed, workers=request.workers, tick=tick)
    with progress("asking what is told", len(tasks)) as tick:
        told = playing.ask_what_is_told(plays, yard, workers=request.workers, tick=tick)
    world = World(plays, told, request.seed, instruction_document(tasks))
    played = [one for task in plays for acts in task.judged.values() for one in acts.values()]
    seconds = sum(one.seconds for one in played) / len(played) if played else 0.0
    return measure(world, levels=request.levels, heeds=request.heeds, obeys=request.obeys), seconds


def _real(
    request: EvalRequest, tasks: Sequence[Task], yard: Yard, sessions: Sessions, progress: Progress
) -> dict[str, Any]:
    with progress("working", len(tasks)) as tick:
        found = judge_sessions(tasks, request.rules, yard, sessions, workers=request.workers, tick=tick)
    return measure_sessions(found, request.seed)


def _sessions(request: EvalRequest, tasks: Sequence[Task], say: Callable[[str], None]) -> Sessions:
    """The real agent that was asked for."""
    document = instruction_document(tasks)
    if request.agent.startswith(RECORDED):
        return recorded_sessions(tasks, Path(request.agent.removeprefix(RECORDED)))
    if request.agent in RUNS:
        keep = request.keep or Path("eval-sessions")
        return cli_agent(request.agent, request.conditions, document, keep).sessions
    if request.agent in registry.backend_names():
        return model_agent(request.agent, request.conditions, document, say).sessions
    known = ", ".join([SCRIPTED, f"{RECORDED}FOLDER", *sorted(RUNS), *registry.backend_names()])
    raise RulecError(f"no agent {request.agent!r}", where="--agent", hint=f"known are {known}")


def _require_writable(path: Path) -> None:
    """Refuse a path that cannot be opened, before hours are spent on what should stand there."""
    new = not path.exists()
    try:
        path.open("ab").close()
    except OSError as error:
        what = f"cannot be written: {error.strerror}"
        raise RulecError(what, where=str(path), hint="name a file in a folder that exists") from None
    if new:
        path.unlink()


def _without_secrets(data: Any) -> Any:
    """What was measured, with each text as it may be shown: tasks and sessions come from anybody."""
    if isinstance(data, str):
        return redact(data)
    if isinstance(data, Mapping):
        return {key: _without_secrets(value) for key, value in data.items()}
    return [_without_secrets(one) for one in data] if isinstance(data, Sequence) else data


def _about_run(request: EvalRequest) -> Mapping[str, Any]:
    """When, where and with what: what may differ between two runs with the same result."""
    python = f"Python {platform.python_version()}"
    here = Path(rulec.__file__).resolve().parent
    commit = run_tool(["git", "rev-parse", "--short=12", "HEAD"], cwd=here)
    return {
        "date": clock.now()[:10],
        "commit": commit.text.strip() if not commit.code else "a release",
        "machine": f"{os.cpu_count()} processors, {platform.system()} {platform.machine()}, {python}",
        "workers": request.workers,
        "agent": _agent_line(request),
        "command": request.command,
    }


def _agent_line(request: EvalRequest) -> str:
    if request.agent.startswith(RECORDED):
        return "The agent's sessions were recorded before; no agent ran now."
    if request.agent != SCRIPTED:
        return f"The agent is {request.agent}."
    after = "does what is right after a refusal" if request.obeys else "gives up after a refusal"
    return f"The agent is a script with a stated compliance to text; it {after}."
