"""The command ``eval`` with its options."""

import shlex
import sys
from pathlib import Path

import click

from evaluation.experiment import evaluate as evaluating
from evaluation.experiment.sessions import NAMES
from rulec.cli.group import FORMAT, Verb, finish, number_option
from rulec.errors import RulecError
from rulec.terminal import complain, progress_bar

_FILE = click.Path(path_type=Path)


def _levels(_: click.Context, __: click.Parameter, text: str) -> tuple[float, ...]:
    try:
        found = tuple(sorted({float(part) for part in text.split(",")}))
    except ValueError:
        found = ()
    if not found or not all(0 <= level <= 1 for level in found):
        raise RulecError(f"takes shares from 0 to 1, not {text!r}", where="--compliance", hint="such as 0,0.3,0.55,0.8")
    return found


def _conditions(_: click.Context, __: click.Parameter, text: str) -> tuple[str, ...]:
    names = text.split(",")
    if unknown := [name for name in names if name not in NAMES]:
        raise RulecError(f"no condition {unknown[0]!r}", where="--conditions", hint=f"known are {', '.join(NAMES)}")
    return tuple(dict.fromkeys(NAMES[name] for name in names))


@click.command(
    "eval",
    cls=Verb,
    examples=(
        "python -m evaluation eval tasks --report eval.html    # rules as rulec finds them offline",
        "python -m evaluation eval tasks --prepare questions   # the first sessions, for a reader to write rules from",
        "python -m evaluation eval tasks --rules questions/answers --result eval.json",
    ),
)
@click.argument("tasks", nargs=-1, required=True, type=_FILE, metavar="TASKS...")
@click.option("--rules", type=_FILE, default=None, help="A folder with rules for the tasks, ID.json each.")
@click.option("--prepare", type=_FILE, default=None, help="Only write the first sessions into this new folder.")
@number_option("--take", least=1, default=None, help="Choose so many of a file with cases.")
@number_option("--seed", least=0, default=0, show_default=True, help="Choices and draws follow from it.")
@click.option(
    "--compliance", "levels", default="0,0.3,0.55,0.8", show_default=True, callback=_levels, metavar="SHARES",
    help="How often the scripted agent heeds what it is told.",
)  # fmt: skip
@number_option(
    "--heeds", least=0, most=1, whole=False, default=1, show_default=True,
    help="How often it heeds a correction in the same session.",
)  # fmt: skip
@click.option("--gives-up", is_flag=True, help="After a refusal it gives up, instead of doing what is right.")
@click.option(
    "--agent", default="scripted", show_default=True, metavar="NAME",
    help="Who works: scripted; an agent's program, such as claude-code; a backend, such as anthropic; or"
    " recorded:FOLDER, sessions that were kept.",
)  # fmt: skip
@click.option("--conditions", default="none,document,snapshot,gates,steps", show_default=True, callback=_conditions,
    metavar="NAMES", help="Under which a program or a backend works.",
)  # fmt: skip
@click.option(
    "--keep", type=_FILE, default=None, help="A new folder for a program's sessions.  [default: eval-sessions]"
)
@number_option("--workers", least=1, most=64, default=2, show_default=True, help="Tasks played beside each other.")
@click.option("--result", type=_FILE, default=None, help="Write all measures into this JSON file.")
@click.option("--report", type=_FILE, default=None, help="Write them as a page with plots.")
@FORMAT
def evaluate(
    *, tasks: tuple[Path, ...], rules: Path | None, prepare: Path | None, take: int | None, seed: int,
    levels: tuple[float, ...], heeds: float, gives_up: bool, agent: str, conditions: tuple[str, ...],
    keep: Path | None, workers: int, result: Path | None, report: Path | None, form: str,
) -> None:  # fmt: skip
    """Measure whether corrected mistakes stay away.

    TASKS are files or folders of tasks: a person's correction, later occasions for the same mistake, and innocent acts.
    Each is played in fresh repositories, with real hooks and commits, under five conditions: none, an instruction
    document, a snapshot, gates, and gates and steps. The same seed gives the same result.
    """
    request = evaluating.EvalRequest(
        sources=tasks,
        take=take or 0,
        seed=seed,
        rules=rules,
        agent=agent,
        conditions=conditions,
        keep=keep,
        levels=levels,
        heeds=float(heeds),
        obeys=not gives_up,
        workers=workers,
        result=result,
        report=report,
        command=shlex.join(["python", "-m", "evaluation", *sys.argv[1:]]),
    )
    outcome = evaluating.prepare(request, prepare) if prepare else evaluating.evaluate(request, progress_bar, complain)
    finish(outcome, form)
