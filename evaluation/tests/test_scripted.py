"""A scripted agent: what it heeds follows from the seed, and what it does from what gates and people say."""

from collections.abc import Mapping
from typing import Any

from evaluation.experiment.books import Drafted
from evaluation.experiment.measures import LEVELS, estimate, measure
from evaluation.experiment.page import evaluation_lines
from evaluation.experiment.players import PlayedAct, names_rule
from evaluation.experiment.plays import GATES, STEPS, TaskPlays, Told
from evaluation.experiment.scripted import CONDITIONS, DOCUMENT, NONE, SNAPSHOT, Agent, Ending, World
from evaluation.experiment.tasks import Occasion, Task

PASSES, REFUSED, OTHER = (
    PlayedAct(),
    PlayedAct(where="tool call", said="no", by_rule=True),
    PlayedAct(where="commit", said="no"),
)
SAID = Told(text="Use pnpm.", step="", rule=True, at_step=True)
SILENT = Told(text="", step="", rule=False, at_step=False)


def _plays(name: str = "a", many: int = 10, **verdicts: PlayedAct) -> TaskPlays:
    act = {"command": "x"}
    task = Task(
        id=name, family=name, quote="q", statement="s", enforce="command", setup={}, offence=act, fix=act,
        occasions=tuple(Occasion(prompt="Go on.", bad=act, good=act) for _ in range(many)), innocent=(),
    )  # fmt: skip
    acts = {f"{kind} {at}": verdicts.get(kind, PASSES) for at in range(many) for kind in ("bad", "good")}
    bare = dict.fromkeys(acts, PASSES)
    return TaskPlays(task=task, drafted=Drafted(slugs=("r",)), bare=bare, judged={GATES: acts, STEPS: acts})


def _world(*plays: TaskPlays, told: Told = SAID, seed: int = 0) -> World:
    found = {(one.task.id, at): told for one in plays for at in range(len(one.task.occasions))}
    return World(plays, found, seed, "# Rules")


def _ended(world: World, condition: str, **agent: Any) -> list[Ending]:
    return [one for _, drawn in world.endings(condition, Agent(**agent)) for some in drawn for one in some]


def _share(endings: list[Ending], of: str) -> float:
    return sum(float(getattr(one, of)) for one in endings) / len(endings)


def test_nothing_stops_an_agent_that_is_told_nothing() -> None:
    ended = _ended(_world(_plays(bad=REFUSED)), NONE, compliance=1)
    assert _share(ended, "repeat") == 1
    assert _share(ended, "corrections") == 1


def test_an_agent_heeds_words_by_its_compliance_and_the_more_the_higher_it_is() -> None:
    world = _world(_plays())
    found = [_share(_ended(world, DOCUMENT, compliance=level), "repeat") for level in (0, *LEVELS, 1)]
    assert found == sorted(found, reverse=True)
    assert found[0] == 1
    assert found[-1] == 0
    assert abs(found[3] - 0.45) < 0.1


def test_a_snapshot_counts_only_where_it_holds_the_rule() -> None:
    assert _share(_ended(_world(_plays(), told=SILENT), SNAPSHOT, compliance=1), "repeat") == 1
    assert _share(_ended(_world(_plays(), told=SAID), SNAPSHOT, compliance=1), "repeat") == 0


def test_a_gate_stops_an_agent_that_heeds_nothing() -> None:
    world = _world(_plays(bad=REFUSED))
    obeys, leaves = (_ended(world, GATES, compliance=0, obeys=obeys) for obeys in (True, False))
    assert [_share(obeys, name) for name in ("repeat", "passed", "refusals")] == [0, 1, 1]
    assert [_share(leaves, name) for name in ("repeat", "passed", "corrections")] == [0, 0, 1]


def test_a_refusal_that_names_no_rule_stops_no_repeat() -> None:
    assert _share(_ended(_world(_plays(bad=OTHER)), GATES, compliance=0), "repeat") == 1


def test_a_refused_right_act_is_no_pass() -> None:
    world = _world(_plays(bad=REFUSED, good=REFUSED))
    assert _share(_ended(world, GATES, compliance=0), "passed") == 0
    assert _share(_ended(world, GATES, compliance=1), "passed") == 0


def test_every_refusal_is_read() -> None:
    world = _world(_plays(bad=REFUSED, good=OTHER))
    (told,) = {one.tokens for one in _ended(world, SNAPSHOT, compliance=1)}
    heeded, stopped = (_ended(world, GATES, compliance=level)[0] for level in (1, 0))
    assert (heeded.refusals, heeded.tokens) == (1, told + OTHER.tokens)
    assert (stopped.refusals, stopped.tokens) == (2, told + REFUSED.tokens + OTHER.tokens)
    left = _ended(world, GATES, compliance=0, obeys=False)[0]
    assert (left.refusals, left.tokens) == (1, told + REFUSED.tokens)
    guarded = _ended(_world(_plays(bad=OTHER)), GATES, compliance=0)[0]
    assert (guarded.repeat, guarded.refusals, guarded.tokens) == (True, 1, told + OTHER.tokens)


def test_a_person_corrects_at_most_twice() -> None:
    world = _world(_plays())
    assert {one.turns for one in _ended(world, NONE, compliance=0, heeds=0)} == {3}
    assert {one.turns for one in _ended(world, NONE, compliance=0, heeds=1)} == {2}


def test_no_draw_depends_on_another_task() -> None:
    one, other = _plays("a"), _plays("b")
    alone = _ended(_world(one), DOCUMENT, compliance=0.5)
    assert _ended(_world(one, other), DOCUMENT, compliance=0.5)[: len(alone)] == alone
    assert _ended(_world(other, one), DOCUMENT, compliance=0.5)[-len(alone) :] == alone
    assert _ended(_world(one, seed=1), DOCUMENT, compliance=0.5) != alone


def test_an_act_that_cannot_be_played_does_not_count() -> None:
    plays = _plays(many=2)
    plays.bare["bad 1"] = PlayedAct(impossible="a.py has no such text")
    assert len(_ended(_world(plays), NONE, compliance=0)) == len(_ended(_world(_plays(many=1)), NONE, compliance=0))
    assert measure(_world(plays))["impossible"] == [{"task": "a", "act": "bad 1", "why": "a.py has no such text"}]


def _rates(measured: Mapping[str, Any], group: str, condition: str) -> list[float]:
    rows = [row for row in measured["curves"] if row["group"] == group and row["condition"] == condition]
    return [row["repeats"]["rate"] for row in rows]


def test_the_measures_hold_every_condition_and_level() -> None:
    ruled, bare = _plays("a", bad=REFUSED), _plays("b")
    bare.drafted = Drafted()
    measured = measure(_world(ruled, bare))
    assert {(row["condition"], row["compliance"]) for row in measured["curves"]} == {
        (condition, level) for condition in CONDITIONS for level in LEVELS
    }
    assert _rates(measured, "all tasks", GATES)[0] == 0.5
    assert _rates(measured, "tasks with a rule", GATES)[0] == 0
    assert _rates(measured, "tasks with a rule", NONE) == [1] * len(LEVELS)
    assert measured == measure(_world(ruled, bare))


def test_what_was_not_played_is_not_explained_by_a_rule_that_is_there() -> None:
    run = {"date": "", "commit": "", "machine": "", "seconds": 0, "processor seconds": 0, "workers": 1, "agent": ""}
    lines = evaluation_lines(measure(_world(_plays("a", many=1))), run).splitlines()
    assert lines[0].startswith("1 task, 1 with a rule")
    assert "innocent acts (gates, out of family): none played" in lines


def test_an_interval_is_of_tasks_and_not_of_occasions() -> None:
    same = estimate([(1, 2)] * 40, 0)
    mixed = estimate([(2, 2), (0, 2)] * 20, 0)
    assert (same.rate, same.low, same.high, same.of) == (0.5, 0.5, 0.5, 80)
    assert mixed.rate == 0.5
    assert 0.3 < mixed.low < 0.42
    assert 0.58 < mixed.high < 0.7
    assert estimate([(0, 0)], 0).of == 0


def test_a_rule_is_named_by_its_whole_name() -> None:
    assert names_rule("refused by use-pnpm: pnpm, not npm", "use-pnpm")
    assert not names_rule("refused by use-pnpm-everywhere: x", "use-pnpm")
    assert names_rule("use-pnpm-2 and `use-pnpm`", "use-pnpm")
