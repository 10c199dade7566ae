"""Ids of steps: kept through reorderings, lost where the text changes; and what goes with a step."""

import random

from rulec.plans.plan import PlanItem, Step
from rulec.plans.step_ids import normalised, steps_of_items, with_known_ids
from rulec.plans.texts.plan_text import read_plan

TIMES = 100
PLAN = """\
- [ ] Add the parser of dates in src/dates.py
  - [ ] Write a table of formats
  - [ ] Read each of its rows
- [ ] Test the parser with odd dates
  - [ ] Write a table of formats
- [ ] Say in docs/dates.md what is read
"""


def _shuffled(items: list[PlanItem], seed: random.Random) -> tuple[list[PlanItem], list[int]]:
    """The steps below each parent in another order; and which of the old ones each is."""
    new: list[PlanItem] = []
    numbers: list[int] = []

    def put(parent: int, place: int) -> None:
        order = [at for at, item in enumerate(items) if item.parent == parent]
        for at in seed.sample(order, len(order)):
            numbers.append(at)
            new.append(PlanItem(items[at].text, place, items[at].status, key=items[at].key))
            put(at, len(new) - 1)

    put(-1, -1)
    return new, numbers


def test_reorderings_keep_ids() -> None:
    seed = random.Random(18)
    for _ in range(TIMES):
        items = read_plan(PLAN)
        old = steps_of_items(items)
        moved, numbers = _shuffled(items, seed)
        new = with_known_ids(steps_of_items(moved), old)
        assert [step.id for step in new] == [old[at].id for at in numbers]


def known(*texts: str) -> list[Step]:
    steps = steps_of_items([PlanItem(text) for text in texts])
    for at, step in enumerate(steps, start=1):
        step.started, step.by, step.edits = float(at), "edit", {f"{at}.py": 1.0}
    return steps


def test_what_is_known_goes_with_the_step() -> None:
    old = known("Add the parser", "Test the parser", "Write docs")
    table = [
        (("Write docs", "Test the parser", "Add the parser"), [3, 2, 1]),
        (("**Add** the parser.", "test `the` parser", "Write docs"), [1, 2, 3]),
        (("Test the parser",), [2]),
        (("Add the new parser", "Test the writer", "Publish"), [0, 0, 0]),  # a changed word makes another step
    ]
    for texts, starts in table:
        steps = with_known_ids(steps_of_items([PlanItem(text) for text in texts]), old)
        assert [step.started for step in steps] == starts, texts
        assert len({step.id for step in steps}) == len(steps)


def test_steps_below_a_step_with_another_text_stay_below_it() -> None:
    items = [PlanItem("Phase 1: Storage of it"), PlanItem("Table", 0), PlanItem("Fill it", 0)]
    old = steps_of_items(items)
    new = with_known_ids(steps_of_items([PlanItem("Phase 1: the Storage of it"), *items[1:]]), old)
    assert [step.id for step in new[1:]] == [step.id for step in old[1:]]
    assert {step.parent for step in new[1:]} == {new[0].id}


def test_what_stands_around_the_words_makes_no_other_step() -> None:
    assert {normalised(text) for text in ("Add the parser", "add  **the** `parser`", "Add the parser.")} == {
        "add the parser"
    }
