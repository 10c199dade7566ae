"""Other tools beside rulec: the same repeats and the same innocent acts, each tool with the rules of its own way.

``bench peers TASKS --rules FOLDER --tool NAME=PATH ...`` plays the acts of all tasks (files as those of
``eval``) in repositories of their own: tool calls go to the tool's hooks as Claude Code sends them, changes of
files are committed through its git hooks. PATH is the folder of the plugin (hookify, tellonce), the program (obey) or
the folder of a reader's rules (rulec); agents-md (the correction in AGENTS.md, nothing else) and semgrep (pre-commit
with Semgrep rules) need none. FOLDER/NAME/TASK holds the rules of a task; a task without rules is one at which the tool
refuses nothing.

For each tool it prints how many repeats were stopped, how many innocent acts were refused (the right acts of the
occasions among them), both by kind of act, and medians of the processor time of hooks and commits. ``--each`` adds a
line for each act that ended otherwise than wanted. ``--keep`` keeps what was seen of each tool and task, so that a
second run plays only what is new or has other rules.
"""

import argparse
import hashlib
import json
import sys
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import asdict, dataclass, field, fields
from functools import partial
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import Any

from evaluation.bench._peer_tools import (
    TOOLS,
    Installed,
    TimedPlace,
    Tool,
    children_seconds,
    install,
    rule_files,
    see_own_programs,
)  # fmt: skip
from evaluation.experiment.acts import KINDS
from evaluation.experiment.agent_session import AgentSession, HookReply
from evaluation.experiment.places import Place
from evaluation.experiment.players import PlayedAct, Player
from evaluation.experiment.plays import acts_of, warm_up
from evaluation.experiment.tasks import Task, read_tasks
from rulec.domain.text.one_line import to_one_line
from rulec.errors import RulecError

SHOWN = 120  # characters of a refusal


@dataclass(slots=True)
class TimedSession(AgentSession):
    """A session that keeps the processor time of its hooks, by event."""

    times: dict[str, list[float]] = field(default_factory=dict)

    def fire(self, event: str, **given: Any) -> HookReply:
        """What the hooks of an event say."""
        start = children_seconds()
        reply = AgentSession.fire(self, event, **given)
        if self.hooks(event, str(given.get("tool_name", ""))):
            self.times.setdefault(event, []).append(children_seconds() - start)
        return reply


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """What became of one act under one tool."""

    task: str
    act: str  # "bad 0", "good 1", "innocent 2"
    kind: str
    refused: bool
    where: str = ""
    said: str = ""

    @property
    def repeat(self) -> bool:
        """Whether it is to be stopped."""
        return self.act.startswith("bad")


@dataclass(slots=True)
class Row:
    """All that was seen of one tool."""

    verdicts: list[Verdict] = field(default_factory=list)
    with_rule: int = 0
    notes: list[str] = field(default_factory=list)  # why a rule was not taken
    times: dict[str, list[float]] = field(default_factory=dict)

    def add(self, other: "Row") -> None:
        """Count what was seen at another task."""
        self.verdicts += other.verdicts
        self.with_rule += other.with_rule
        self.notes += other.notes
        for event, times in other.times.items():
            self.times.setdefault(event, []).extend(times)


def possible_acts(task: Task, within: Path, keep: Path | None) -> list[str]:
    """The acts that can be carried out where nothing refuses them."""
    kept = keep / f"{task.id} bare.json" if keep else None
    if kept and kept.is_file():
        return [str(act) for act in json.loads(kept.read_text("utf-8"))]
    with TemporaryDirectory(prefix=f"{task.id}-", dir=within, ignore_cleanup_errors=True) as name:
        place = Place(Path(name).resolve())
        place.begin(task)
        with place.saved() as saved:
            plays = [
                (act, Player(saved.restore(), (), "bare", prompt, hooked=False).play(what))
                for act, what, prompt in acts_of(task)
            ]
    possible = [act for act, played in plays if not played.impossible]
    if kept:
        kept.write_text(json.dumps(possible), "utf-8")
    return possible


def seen_of_task(tool: Tool, task: Task, *, within: Path, keep: Path | None) -> Row:
    """Every act of a task under one tool, played now or before."""
    kept = keep / f"{task.id} {tool.name} {rules_digest(tool, task)}.json" if keep else None
    if kept and kept.is_file():
        data = json.loads(kept.read_text("utf-8"))
        return Row(**{**data, "verdicts": [Verdict(**one) for one in data["verdicts"]]})
    row = play_task(tool, task, possible_acts(task, within, keep), within)
    if kept:
        kept.write_text(json.dumps(asdict(row), indent=1), "utf-8")
    return row


def rules_digest(tool: Tool, task: Task) -> str:
    """Stands for what a tool's rules of a task say."""
    digest = hashlib.sha256()
    for path in rule_files(tool, task):
        digest.update(f"{path.name}\0".encode() + path.read_bytes())
    return digest.hexdigest()[:12]


def play_task(tool: Tool, task: Task, possible: Sequence[str], within: Path) -> Row:
    """Play every possible act of a task under one tool."""
    row = Row()
    with TemporaryDirectory(prefix=f"{task.id}-", dir=within, ignore_cleanup_errors=True) as folder:
        place = TimedPlace(Path(folder).resolve())
        place.begin(task)
        installed = install(tool, place, task)
        row.with_rule = int(installed.rules)
        row.notes = [f"{task.id} {why}" for why in installed.refused]
        if installed.rules:
            warm_up(place)
            place.commits.clear()
        with place.saved() as saved:
            for act, what, prompt in acts_of(task):
                if act not in possible:
                    continue
                played = PlayedAct()
                if installed.rules:
                    name = f"{task.id}-{act}".replace(" ", "-")
                    player = Player(saved.restore(), installed.slugs, name, prompt, runs="")  # hooks of every tool
                    player.session = timed(player.session, row.times)
                    player.session.fire("UserPromptSubmit", prompt=prompt)
                    played = player.play(what)
                row.verdicts.append(judged(task, act, next(iter(what)), played, installed))
        if place.commits:
            row.times["commit"] = place.commits
    return row


def timed(session: AgentSession, times: dict[str, list[float]]) -> TimedSession:
    """The same session with a clock."""
    return TimedSession(**{one.name: getattr(session, one.name) for one in fields(session)}, times=times)


def judged(task: Task, act: str, kind: str, played: PlayedAct, installed: Installed) -> Verdict:
    """A repeat counts as stopped where a rule refused it, an innocent act as refused whatever refused it."""
    by_rule = played.by_rule or not installed.slugs
    refused = bool(played.where) and (by_rule or not act.startswith("bad"))
    return Verdict(task=task.id, act=act, kind=kind, refused=refused, where=played.where, said=played.said)


def share(verdicts: Sequence[Verdict]) -> str:
    """How many were refused, of all."""
    return f"{sum(one.refused for one in verdicts)}/{len(verdicts)}"


def lines(name: str, row: Row, tasks: int, *, each: bool) -> Iterator[str]:
    """The figures of one tool."""
    repeats = [one for one in row.verdicts if one.repeat]
    innocents = [one for one in row.verdicts if not one.repeat]
    yield (
        f"{name}: repeats stopped {share(repeats)}, innocents refused {share(innocents)}, "
        f"tasks with a rule {row.with_rule}/{tasks}"
    )
    for kind in KINDS:
        bad, good = ([one for one in side if one.kind == kind] for side in (repeats, innocents))
        if bad or good:
            yield f"  {kind}: {share(bad)}, {share(good)}"
    for event, times in sorted(row.times.items()):
        yield f"  {event}: {1000 * median(times):.0f} ms of processor time (median of {len(times)})"
    yield from (f"  not taken: {note}" for note in row.notes)
    for one in row.verdicts if each else ():
        if one.refused != one.repeat:
            what = f"refused at {one.where}: {to_one_line(one.said)[:SHOWN]}" if one.refused else "passed"
            yield f"  {one.task} {one.act} ({one.kind}) {what}"


def main(arguments: Sequence[str]) -> int:
    """Play the tasks under each tool."""
    parser = argparse.ArgumentParser(prog="peers", description=(__doc__ or "").splitlines()[0])
    parser.add_argument("tasks", nargs="+", type=Path, help="task files or folders of them")
    parser.add_argument("--rules", type=Path, required=True, help="folder with the rules of each tool and task")
    parser.add_argument("--tool", action="append", required=True, metavar="NAME[=PATH]", help=", ".join(TOOLS))
    parser.add_argument("--workers", type=int, default=1, help="tasks played beside each other")
    parser.add_argument("--keep", type=Path, help="folder for what was seen, from which a later run goes on")
    parser.add_argument("--each", action="store_true", help="a line for each act that ended otherwise than wanted")
    given = parser.parse_args(arguments)
    tools = [one.partition("=")[::2] for one in given.tool]
    for name, _ in tools:
        if name not in TOOLS:
            parser.error(f"no tool {name!r}: choose from {', '.join(TOOLS)}")
    see_own_programs()
    try:
        tasks = read_tasks(given.tasks)
        if given.keep:
            given.keep.mkdir(parents=True, exist_ok=True)
        with TemporaryDirectory(prefix="peers-") as folder, ProcessPoolExecutor(given.workers) as pool:
            for name, path in tools:
                tool = Tool(name, Path(path).absolute(), given.rules)
                rows = pool.map(partial(seen_of_task, tool, within=Path(folder), keep=given.keep), tasks)
                total = Row()
                for row in rows:
                    total.add(row)
                print(*lines(name, total, len(tasks), each=given.each), sep="\n", flush=True)
    except RulecError as error:
        parser.error(str(error))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
