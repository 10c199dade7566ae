"""The page of an evaluation, and its table for the terminal."""

import base64
import hashlib
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from evaluation.experiment.rate_curves import draw_rates
from evaluation.experiment.scripted import CONDITIONS
from evaluation.experiment.texts import render
from rulec import __version__
from rulec.reports.wording import count_of

PLOTS = (("repeats", "The mistake was made again, per occasion"), ("tasks passed", "Tasks passed without a correction"))


def evaluation_page(measured: Mapping[str, Any], run: Mapping[str, Any]) -> str:
    """The HTML page; the template escapes all text."""
    style = "".join(render(f"report/{name}.css", {}) for name in ("page", "plots", "evaluation"))
    curves = measured.get("curves", ())
    groups = dict.fromkeys(row["group"] for row in curves)
    context = {
        "version": __version__,
        "style": style,
        "policy": base64.b64encode(hashlib.sha256(style.encode()).digest()).decode(),
        "measured": measured,
        "run": run,
        "drawn": [
            {
                "group": group,
                "rows": rows,
                "plots": [(title, draw_rates(rows, name)) for name, title in PLOTS],
            }
            for group in groups
            if (rows := [row for row in curves if row["group"] == group])
        ],
    }
    return render("report/evaluation.html.j2", context).rstrip("\n") + "\n"


def evaluation_lines(measured: Mapping[str, Any], run: Mapping[str, Any]) -> str:
    """What the terminal shows."""
    return "\n".join([*(_session_lines(measured) if "sessions" in measured else _lines(measured)), "", _run_line(run)])


def _run_line(run: Mapping[str, Any]) -> str:
    return (
        f"{run['date']}, rulec {__version__} at {run['commit']}, {run['machine']}:"
        f" {run['seconds']:.0f} s, {run['processor seconds']:.0f} s of processors, {run['workers']} beside each other"
        f"\n{run['agent']}"
    )


def _session_lines(measured: Mapping[str, Any]) -> Iterator[str]:
    yield f"{count_of(measured['tasks'], 'task')}, {measured['tasks with a rule']} with a rule"
    if not measured["sessions"]:
        yield "no session is of a task with a rule, so nothing was judged"
    for row in measured["sessions"]:
        yield (
            f"  {row['condition']:24}{count_of(row['repeats']['of'], 'session')} of {count_of(row['tasks'], 'task')},"
            f" with a repeat {_shown(row['repeats'])}, refusals each {row['refusals']['rate']:.2f}"
        )
    yield "a repeat is what the task's rules see; what no check sees is not counted"
    yield f"rulebooks that a play changed: {measured['rulebooks changed']}"
    yield from (f"not taken: {one['task']}: {why}" for one in measured["by task"] for why in one["not taken"])


def _lines(measured: Mapping[str, Any]) -> Iterator[str]:
    told = measured["told"]
    yield (
        f"{count_of(measured['tasks'], 'task')}, {measured['tasks with a rule']} with a rule,"
        f" {measured['tasks with a check']} with a check; seed {measured['seed']}"
    )
    yield (
        f"told to the agent: at {told['at the prompt']} of {told['occasions with a rule']} occasions with a rule,"
        f" with a list of steps at {told['with steps']}"
    )
    for group in dict.fromkeys(row["group"] for row in measured["curves"]):
        rows = [row for row in measured["curves"] if row["group"] == group]
        levels = sorted({row["compliance"] for row in rows})
        yield ""
        yield f"{'repeats per occasion, ' + group:42}" + "".join(f"{f'compliance {level:g}':>22}" for level in levels)
        yield from (f"  {condition:40}" + _cells(rows, condition, "repeats") for condition in CONDITIONS)
        yield f"{'tasks passed, ' + group}"
        yield from (f"  {condition:40}" + _cells(rows, condition, "tasks passed") for condition in CONDITIONS)
    yield ""
    for row in measured["innocents"]:
        one, other = row["by a rule"], row["otherwise"]
        yield (
            f"innocent acts refused ({row['condition']}, {row['acts']}): {_shown(one)} of {one['of']} by a rule,"
            f" {other['rate']:.3f} otherwise"
            if one["of"]
            else f"innocent acts ({row['condition']}, {row['acts']}): none played"
        )
    yield f"rulebooks that a play changed: {measured['rulebooks changed']}"
    yield from (f"cannot be played: {one['task']} {one['act']}: {one['why']}" for one in measured["impossible"])


def _cells(rows: Sequence[Mapping[str, Any]], condition: str, measure: str) -> str:
    found = sorted((row for row in rows if row["condition"] == condition), key=lambda row: row["compliance"])
    return "".join(f"{_shown(row[measure]):>22}" for row in found)


def _shown(one: Mapping[str, Any]) -> str:
    if not one["of"]:
        return "none played"
    return f"{one['rate']:.3f} [{one['low']:.3f}-{one['high']:.3f}]"
