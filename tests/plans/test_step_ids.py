"""Ids of steps: kept through reorderings and the change of a word, lost where the text changes more."""

import random

from rulec.plans.plan import PlanItem, Step
from rulec.plans.step_ids import normalised, steps_of_items, with_known_ids
from rulec.plans.texts.plan_text import read_plan
from tests.support.plan_changes import changed_word, kept_ids, other_text, shuffled

TIMES = 100  # of each kind of change
TEXTS = (
    """\
- [ ] Add the parser of dates in src/dates.py
  - [ ] Write a table of formats
  - [ ] Read each of its rows
- [ ] Test the parser with odd dates
- [ ] Say in docs/dates.md what is read
""",
    "1. Move the old loader away\n2. Call the new loader everywhere\n3. Delete what nobody calls now\n",
)
LISTS = [read_plan(text) for text in TEXTS]


def test_reorderings_and_single_words_keep_ids() -> None:
    seed = random.Random(18)
    for change in (shuffled, changed_word):
        pairs = [kept_ids(LISTS[n % len(LISTS)], change, seed) for n in range(TIMES)]
        kept, all_steps = sum(kept for kept, _ in pairs), sum(of for _, of in pairs)
        assert kept >= 0.99 * all_steps, (change.__name__, kept, all_steps)


def test_a_step_whose_text_changes_more_loses_its_id() -> None:
    seed = random.Random(18)
    for n in range(TIMES):
        items = LISTS[n % len(LISTS)]
        old = steps_of_items(items)
        at = seed.randrange(len(items))
        changed = [PlanItem(item.text, item.parent, item.status, key=item.key) for item in items]
        changed[at].text = other_text(items[at].text, seed)
        new = with_known_ids(steps_of_items(changed), old)
        assert new[at].id not in {step.id for step in old}, (items[at].text, changed[at].text)
        assert len({step.id for step in new}) == len(new)


def known(*texts: str) -> list[Step]:
    steps = steps_of_items([PlanItem(text) for text in texts])
    for at, step in enumerate(steps, start=1):
        step.started, step.by, step.edits = float(at), "edit", {f"{at}.py": 1.0}
    return steps


def carried(old: list[Step], *texts: str) -> list[float]:
    """When the steps of a new list began, 0 for new ones."""
    return [step.started for step in with_known_ids(steps_of_items([PlanItem(text) for text in texts]), old)]


def test_what_is_known_goes_with_the_step() -> None:
    old = known("Add the parser", "Test the parser", "Write docs")
    table = [
        (("Write docs", "Test the parser", "Add the parser"), [3, 2, 1]),
        (("Add the new parser", "Test the parser", "Write docs"), [1, 2, 3]),
        (("**Add** the parser.", "test `the` parser", "Write docs"), [1, 2, 3]),
        (("Test the parser",), [2]),
        (("Test the writer", "Test the parser"), [0, 2]),  # the same text comes first
        (("Remove the old writer", "Test it", "Publish"), [0, 0, 0]),
    ]
    wrong = [(texts, found) for texts, starts in table if (found := carried(old, *texts)) != starts]
    assert not wrong


def test_steps_below_a_step_whose_word_changes_stay_below_it() -> None:
    items = [PlanItem("Phase 1: Storage of it"), PlanItem("Table", 0), PlanItem("Fill it", 0)]
    old = steps_of_items(items)
    new = with_known_ids(steps_of_items([PlanItem("Phase 1: the Storage of it"), *items[1:]]), old)
    assert [(step.id, step.parent) for step in new] == [(step.id, step.parent) for step in old]


def test_what_stands_around_the_words_makes_no_other_step() -> None:
    assert {normalised(text) for text in ("Add the parser", "add  **the** `parser`", "Add the parser.")} == {
        "add the parser"
    }
