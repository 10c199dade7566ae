"""Sessions of a real agent: what each of them did is played with the task's rules, whose checks say what broke them."""

import json
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

from evaluation.experiment.acts import Act
from evaluation.experiment.books import Drafted, draft_rules
from evaluation.experiment.places import Place, Yard
from evaluation.experiment.players import Player, names_any
from evaluation.experiment.plays import GATES, STEPS
from evaluation.experiment.scripted import DOCUMENT, NONE, SNAPSHOT
from evaluation.experiment.tasks import Task
from rulec.agents.protocol.agent_spec import PROMPT, SESSION_START, all_agents
from rulec.domain.transcript import Action, Turn
from rulec.errors import RulecError
from rulec.services import session_transcripts

NAMES = {"none": NONE, "document": DOCUMENT, "snapshot": SNAPSHOT, "gates": GATES, "steps": STEPS}
_NAME = re.compile(rf"(?P<task>.+)\.(?P<at>\d+)\.(?P<condition>{'|'.join(NAMES)})(?:\.\w+)?")
FORM = "TASK.OCCASION.CONDITION.jsonl, such as e01.0.gates.jsonl"


@dataclass(frozen=True, slots=True, kw_only=True)
class RealSession:
    """What a real agent did at one occasion under one condition."""

    at: int
    condition: str
    acts: tuple[Act, ...]
    refused: int = 0  # what its gates refused while it ran
    tokens: int = 0  # that it took, where that is known


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgedSession:
    """A session and what the task's rules say of it."""

    session: RealSession
    repeat: bool
    impossible: int = 0  # of its acts, those that cannot be played


@dataclass(slots=True)
class TaskSessions:
    """The sessions of one task."""

    task: Task
    drafted: Drafted = field(default_factory=Drafted)
    judged: list[JudgedSession] = field(default_factory=list)
    changed: bool = False  # a play changed the rulebook


Sessions = Callable[[Task, Place, Drafted], Iterator[RealSession]]


def judge_sessions(
    tasks: Sequence[Task], answers: Path | None, yard: Yard, sessions: Sessions, *, workers: int,
    tick: Callable[[int], None],
) -> list[TaskSessions]:  # fmt: skip
    """Let an agent work at every task that has a rule, and judge what it did."""
    return yard.each(tasks, lambda task: _judge_task(task, answers, yard, sessions), workers=workers, tick=tick)


def _judge_task(task: Task, answers: Path | None, yard: Yard, sessions: Sessions) -> TaskSessions:
    with yard.place(task) as place:
        place.set_up_gates()
        found = TaskSessions(task, draft_rules(task, place, answers))
        if not found.drafted.slugs:
            return found
        tree = place.rules_tree()
        done = list(sessions(task, place, found.drafted))
        with place.saved() as saved:
            for one in done:
                name = f"{task.id}-{one.at}-{one.condition}".replace(" ", "-")
                player = Player(saved.restore(), found.drafted.slugs, name, task.occasions[one.at].prompt)
                seen = player.play_on(one.acts)
                found.changed = found.changed or place.rules_tree() != tree
                repeat, impossible = any(played.by_rule for played in seen), sum(bool(one.impossible) for one in seen)
                found.judged.append(JudgedSession(session=one, repeat=repeat, impossible=impossible))
    return found


def recorded_sessions(tasks: Sequence[Task], folder: Path) -> Sessions:
    """The sessions that were kept in a folder, in any format that rulec reads."""
    if not folder.is_dir():
        raise RulecError("no such folder", where=str(folder), hint=f"name one with transcripts called {FORM}")
    known = {task.id: task for task in tasks}
    files: dict[str, list[tuple[int, str, Path]]] = {}
    for path in sorted(folder.iterdir()):
        named = _NAME.fullmatch(path.name)
        if not named or named["task"] not in known or int(named["at"]) >= len(known[named["task"]].occasions):
            raise RulecError("is the session of no task", where=str(path), hint=f"name it {FORM}")
        files.setdefault(named["task"], []).append((int(named["at"]), NAMES[named["condition"]], path))
    if not files:
        raise RulecError("holds no session", where=str(folder), hint=f"name its files {FORM}")
    return partial(_recorded, files)


def _recorded(
    files: dict[str, list[tuple[int, str, Path]]], task: Task, _: Place, drafted: Drafted
) -> Iterator[RealSession]:
    for at, condition, path in files.get(task.id, ()):
        yield read_session(path, at, condition, drafted.slugs)


def read_session(path: Path, at: int, condition: str, slugs: Sequence[str]) -> RealSession:
    """What a transcript shows that was done, and what of it these rules refused."""
    reader = session_transcripts.find_reader(path)
    turns = [item for item in session_transcripts.read_turns(path, reader) if isinstance(item, Turn)]
    actions = [action for turn in turns for action in turn.actions]
    refused = [action for action in actions if action.ok is False and names_any(action.output, slugs)]
    done = [act for action in actions if action not in refused and (act := _act(action))]
    return RealSession(at=at, condition=condition, acts=tuple(done), refused=len(refused))


def _act(action: Action) -> Act | None:
    """An action that was carried out; None for what the person refused, failed to run, or changes nothing here."""
    if action.rejected or (action.ok is False and action.kind != "command"):
        return None
    if action.kind == "command":
        return {"command": action.command}
    if not action.path or action.path.startswith(("/", "~", "..")):
        return None
    if action.kind == "write":
        return {"write": {"path": action.path, "content": action.new}}
    if action.kind == "edit":
        return {"edit": {"path": action.path, "old": action.old, "new": action.new}}
    return None


def leave_only_telling(place: Place) -> None:
    """Take the gates out of a repository, and leave the hooks that tell an agent the rules."""
    for spec in all_agents():  # some programs run another one's hooks, too
        path = place.top / spec.hook_file
        if path.is_file() and spec.hook_entry:
            telling = {event.name for event in spec.events if event.moment in (SESSION_START, PROMPT)}
            data = json.loads(path.read_text("utf-8"))
            kept = {event: hooks for event, hooks in data["hooks"].items() if event in telling}
            path.write_text(json.dumps({**data, "hooks": kept}, indent=2) + "\n", "utf-8")
    drop_git_hooks(place)


def drop_git_hooks(place: Place) -> None:
    """Let every commit pass."""
    for hook in (place.top / ".git" / "hooks").iterdir():
        hook.unlink()
