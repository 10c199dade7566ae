"""Rulebooks of tasks: a reader's files in their order, equal names, and what is played with them."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from rulec.services.evaluating.books import Drafted, answers_for, draft_rules, gather_rules
from rulec.services.evaluating.places import SET_UP, Place, Yard
from rulec.services.evaluating.players import PlayedAct
from rulec.services.evaluating.plays import GATES, TaskPlays, acts_of, draw_foreign, play_judged, play_task
from rulec.services.evaluating.tasks import Task, read_tasks
from tests.support.eval_tasks import NPM, NPM_RULE, WIP, write_answers, write_tasks

OTHER = {
    **WIP,
    "id": "other",
    "setup": {"package.json/a.txt": "a\n"},
    "tasks": [
        {**WIP["tasks"][0], "good": {"edit": {"path": "package.json/a.txt", "old": "a", "new": "b"}}},
    ],
    "innocent": [],
}
# A clone's own hook that takes a rule out with the commit of the guide.
TAKES_OUT = """\
#!/bin/sh
[ -f GUIDE.md ] && [ -f .rules/use-pnpm.yaml ] || exit 0
git rm -q .rules/use-pnpm.yaml && git commit -q --no-verify -m 'Take it out'
"""


def _read(folder: Path, *tasks: dict[str, object]) -> list[Task]:
    return read_tasks([write_tasks(folder / "tasks", *tasks)])


def test_a_readers_first_rule_comes_first_and_a_task_gets_its_own(tmp_path: Path) -> None:
    task, _ = _read(tmp_path, NPM, {**NPM, "id": "npm_2"})
    names = ["npm.2.json", "npm.json", "npm.10.yaml", "npm_2.json", "wip.json"]
    for name in names:
        (tmp_path / name).write_text("{}")
    assert [path.name for path in answers_for(task, tmp_path)] == ["npm.json", "npm.10.yaml", "npm.2.json"]


def test_the_seed_chooses_the_acts_of_another_family(tmp_path: Path) -> None:
    npm, wip = _read(tmp_path, NPM, {**WIP, "innocent": WIP["innocent"] * 8})
    drawn = [draw_foreign(npm, wip, seed) for seed in range(10)]
    assert drawn == [draw_foreign(npm, wip, seed) for seed in range(10)]
    assert len({name for ((name, _, _),) in drawn}) > 1


@pytest.fixture(scope="module")
def drafted(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Place, Task, Drafted]]:
    """A place with gates and the rule of its task."""
    folder = tmp_path_factory.mktemp("drafted")
    (task,) = _read(folder, NPM)
    with Yard(folder).place(task) as place:
        place.set_up_gates()
        yield place, task, draft_rules(task, place, write_answers(folder / "answers", npm=NPM_RULE))


@pytest.mark.e2e
def test_a_rulebook_that_one_play_changes_is_told(drafted: tuple[Place, Task, Drafted]) -> None:
    place, task, rules = drafted
    plays = TaskPlays(task=task, drafted=rules, bare={name: PlayedAct() for name, _, _ in acts_of(task)})
    with place.saved() as saved:
        dict(play_judged(plays, saved, GATES))
        assert not plays.changed
        saved.restore()
    hook = place.top / ".git/hooks/post-commit"
    hook.write_text(TAKES_OUT)
    hook.chmod(0o755)
    with place.saved() as saved:
        played = dict(play_judged(plays, saved, GATES))
        saved.restore()
    hook.unlink()
    assert plays.changed
    assert list(played)[-1].startswith("innocent")  # which changes nothing


@pytest.mark.e2e
def test_equal_names_of_rules_are_counted(drafted: tuple[Place, Task, Drafted]) -> None:
    place, _, rules = drafted
    found = gather_rules(place, {"npm": rules, "npm_2": rules, "NPM-3": rules})
    assert found == {"npm": ("use-pnpm",), "npm_2": ("use-pnpm-2",), "NPM-3": ("use-pnpm-3",)}
    assert place.slugs() == ["use-pnpm", "use-pnpm-2", "use-pnpm-3"]
    place.must("git", "reset", "-q", "--hard", f":/{SET_UP}")


@pytest.mark.e2e
def test_acts_of_another_family_are_played_in_its_own_files(tmp_path: Path) -> None:
    npm, other = _read(tmp_path, NPM, OTHER)
    answers = write_answers(tmp_path / "answers", npm=NPM_RULE)
    plays = play_task(npm, answers, Yard(tmp_path), other, seed=0)
    assert plays.judged[GATES]["foreign good 0"] == PlayedAct(seconds=plays.judged[GATES]["foreign good 0"].seconds)
    assert not plays.changed
