"""All that is played of a task: each act once for every way in which it is judged."""

import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from evaluation.experiment.acts import Act
from evaluation.experiment.books import Drafted, draft_rules, gather_rules, put_rules
from evaluation.experiment.places import Place, Saved, Yard
from evaluation.experiment.players import PlayedAct, Player, names_any
from evaluation.experiment.tasks import Task
from rulec.plans import plan_store
from rulec.shell.git.commit_messages import message_of_command

GATES, STEPS = "gates", "gates and steps"
JUDGED = (GATES, STEPS)  # the conditions under which acts are refused
FOREIGN = 1  # acts of another family that are played with a task's rules


@dataclass(slots=True, kw_only=True)
class TaskPlays:
    """What became of the acts of one task."""

    task: Task
    drafted: Drafted = field(default_factory=Drafted)
    bare: dict[str, PlayedAct] = field(default_factory=dict)  # without rulec: whether an act can be carried out at all
    judged: dict[str, dict[str, PlayedAct]] = field(default_factory=dict)  # by condition and act
    changed: bool = False  # a play changed the rulebook
    other: str = ""  # the task of another family whose acts were played

    def possible(self, act: str) -> bool:
        """Whether the act could be carried out."""
        return act in self.bare and not self.bare[act].impossible


def acts_of(task: Task) -> Iterator[tuple[str, Act, str]]:
    """Each act with its name and the prompt it follows."""
    for at, one in enumerate(task.occasions):
        yield f"bad {at}", one.bad, one.prompt
        if one.good is not None:
            yield f"good {at}", one.good, one.prompt
    for at, act in enumerate(task.innocent):
        yield f"innocent {at}", act, task.occasions[0].prompt if task.occasions else ""


def play_tasks(
    tasks: Sequence[Task], answers: Path | None, yard: Yard, *, seed: int, workers: int, tick: Callable[[int], None]
) -> list[TaskPlays]:
    """Play every task, some beside each other."""
    others = _other_families(tasks, seed)

    def play(task: Task) -> TaskPlays:
        return play_task(task, answers, yard, others.get(task.id), seed=seed)

    return yard.each(tasks, play, workers=workers, tick=tick)


def _other_families(tasks: Sequence[Task], seed: int) -> dict[str, Task]:
    """For each task one of another family."""
    found = {}
    for task in tasks:
        others = [other for other in tasks if other.family != task.family]
        if others:
            found[task.id] = random.Random(f"{seed} other {task.id}").choice(others)
    return found


def play_task(task: Task, answers: Path | None, yard: Yard, other: Task | None, *, seed: int) -> TaskPlays:
    """Draft the rules of a task, then play its occasions and innocent acts, and some acts of another family."""
    plays = TaskPlays(task=task, other=other.id if other else "")
    with yard.place(task) as place:
        with place.saved() as bare:
            for name, act, prompt in acts_of(task):
                plays.bare[name] = Player(bare.restore(), (), _session(task, name), prompt, gated=False).play(act)
            bare.restore()
        place.set_up_gates()
        plays.drafted = draft_rules(task, place, answers)
        warm_up(place)
        with place.saved() as saved:
            for condition in JUDGED if plays.drafted.slugs else ():  # an empty rulebook refuses nothing
                plays.judged[condition] = dict(play_judged(plays, saved, condition))
    if other is not None and plays.drafted.slugs:
        with yard.place(other) as place:
            plays.judged[GATES] |= dict(_foreign(plays, other, place, seed))
    return plays


def warm_up(place: Place) -> None:
    """Let hooks and gates note what they note at their first run: a repository in use has it."""
    Player(place, (), "first", "Please look around.").play({"command": "git status --short"})
    place.write({"first.txt": "first\n"})
    place.must("git", "add", "-A")
    if not place.run("git", "commit", "-q", "-m", "chore: first").code:
        place.must("git", "reset", "-q", "--hard", "HEAD~1")
    place.must("git", "reset", "-q", "--hard")
    place.must("git", "clean", "-fdq")


def _session(task: Task, name: str) -> str:
    return f"{task.id}-{name}".replace(" ", "-")


def play_judged(plays: TaskPlays, saved: Saved, condition: str) -> Iterator[tuple[str, PlayedAct]]:
    """The verdicts of a condition; with steps only what a list of steps can change is played anew."""
    task, before = plays.task, plays.judged.get(GATES, {})
    bound: dict[str, bool] = {}  # by prompt: whether rules are bound to the step that it becomes
    for name, act, prompt in acts_of(task):
        if not plays.possible(name):
            continue
        if condition == STEPS and prompt not in bound:
            bound[prompt] = _binds(Player(saved.restore(), plays.drafted.slugs, f"{task.id}-list", prompt))
        if condition == STEPS and (before[name].where or not bound[prompt] or not _heeds_steps(act)):
            yield name, before[name]
            continue
        player = Player(saved.restore(), plays.drafted.slugs, _session(task, name), prompt)
        if condition == STEPS:
            player.lists_step()
        yield name, _watched(plays, player, act)


def _watched(plays: TaskPlays, player: Player, act: Act) -> PlayedAct:
    """Play an act, and note whether that changed the rulebook."""
    before = player.place.rules_tree()
    played = player.play(act)
    plays.changed = plays.changed or player.place.rules_tree() != before
    return played


def _binds(player: Player) -> bool:
    """Whether a list with the prompt as its step gets any rule: without one, gates decide as before."""
    player.lists_step()
    plan = plan_store.load_plan(str(player.place.top), player.name)
    return plan is not None and any(step.rules for step in plan.steps)


def _heeds_steps(act: Act) -> bool:
    """Whether an act ends in a commit or a turn's end: rules at steps hold there, and not at a command."""
    parts = act.get("session", [act])
    return any("command" not in part or message_of_command(part["command"]) is not None for part in parts)


def draw_foreign(task: Task, other: Task, seed: int) -> list[tuple[str, Act, str]]:
    """Which harmless acts of another family are played with a task's rules."""
    acts = [(name, act, prompt) for name, act, prompt in acts_of(other) if not name.startswith("bad")]
    draw = random.Random(f"{seed} foreign {task.id}")
    return draw.sample(acts, min(FOREIGN, len(acts)))


def _foreign(plays: TaskPlays, other: Task, place: Place, seed: int) -> Iterator[tuple[str, PlayedAct]]:
    """Some acts of another family, in its repository with this task's rules."""
    place.set_up_gates()
    put_rules(place, plays.drafted.texts)
    warm_up(place)
    with place.saved() as saved:
        for name, act, prompt in draw_foreign(plays.task, other, seed):
            session = _session(plays.task, f"foreign {name}")
            yield f"foreign {name}", _watched(plays, Player(saved.restore(), plays.drafted.slugs, session, prompt), act)


@dataclass(frozen=True, slots=True, kw_only=True)
class Told:
    """What rulec says to an agent at one occasion, in the rulebook of all tasks."""

    text: str
    step: str  # with a list of steps, more than that
    rule: bool  # whether the task's rule is in it
    at_step: bool


def ask_what_is_told(
    plays: Sequence[TaskPlays], yard: Yard, *, workers: int, tick: Callable[[int], None]
) -> Mapping[tuple[str, int], Told]:
    """Ask the hooks at the start of a session and at each prompt."""
    first = Task(
        id="rulebook", family="", quote="", statement="", enforce="", setup={}, offence={}, fix=None, occasions=(),
        innocent=(),
    )  # fmt: skip
    with yard.place(first) as place:
        place.set_up_gates()
        slugs = gather_rules(place, {one.task.id: one.drafted for one in plays})

        def ask(task: Task) -> dict[tuple[str, int], Told]:
            return {
                (task.id, at): _told(place, f"{task.id}-{at}", one.prompt, slugs[task.id])
                for at, one in enumerate(task.occasions)
            }

        asked = yard.each([one.task for one in plays], ask, workers=workers, tick=tick)
        return {key: told for found in asked for key, told in found.items()}


def _told(place: Place, name: str, prompt: str, slugs: Sequence[str]) -> Told:
    place.require_open()
    player = Player(place, slugs, name, prompt)
    start = player.session.fire("SessionStart", source="startup").told
    text = "\n".join(filter(None, (start, player.session.fire("UserPromptSubmit", prompt=prompt).told)))
    step = player.lists_step()
    player.session.transcript.unlink()
    return Told(
        text=text,
        step=step,
        rule=names_any(text, slugs),
        at_step=names_any(f"{text}\n{step}", slugs),
    )
