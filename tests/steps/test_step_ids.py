"""Ids of steps: kept through reorderings and the change of a word, lost where the text changes more."""

import random

from rulec.steps.forms.plan_text import read_plan
from rulec.steps.step import PlanItem, Step
from rulec.steps.step_ids import normalised, step_id, steps_of_items, with_known_ids
from tests.steps.form_cases import CASES
from tests.support.plan_changes import changed_word, kept_ids, other_text, shuffled
from tests.support.plans import labelled_plans

TIMES = 100  # of each kind of change


def lists() -> list[list[PlanItem]]:
    """The plans that are labelled, and those of the tables."""
    texts = [text for _, text in labelled_plans()] + [text for _, text, _, steps in CASES if steps]
    return [read_plan(text)[1] for text in texts]


def test_reorderings_and_single_words_keep_ids() -> None:
    seed, plans = random.Random(18), lists()
    for change in (shuffled, changed_word):
        pairs = [kept_ids(plans[n % len(plans)], change, seed) for n in range(TIMES)]
        kept, all_steps = sum(kept for kept, _ in pairs), sum(of for _, of in pairs)
        assert kept >= 0.99 * all_steps, (change.__name__, kept, all_steps)


def test_a_step_whose_text_changes_more_loses_its_id() -> None:
    seed, plans = random.Random(18), lists()
    for n in range(TIMES):
        items = plans[n % len(plans)]
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
        (("1. **Add** the parser.", "- [x] T002 test the parser", "Write docs"), [1, 2, 3]),
        (("Test the parser",), [2]),
        (("Test the writer", "Test the parser"), [0, 2]),  # the same text comes first
        (("Add the parser", "Add the parser"), [1, 2]),  # one word from the second
        (("Add the parser", "Test the parser", "Write help"), [1, 2, 3]),
        (("Write help", "Add the parser", "Test the parser"), [0, 1, 2]),  # one word of two, and elsewhere
        (("Remove the old writer", "Test it", "Publish"), [0, 0, 0]),
    ]
    wrong = [(texts, found) for texts, starts in table if (found := carried(old, *texts)) != starts]
    assert not wrong


def test_no_step_becomes_another_one_a_word_at_a_time() -> None:
    steps = known("Add the parser for dates")
    for text in ("Add the parser for times", "Add the writer for times", "Remove the writer for times"):
        steps = with_known_ids(steps_of_items([PlanItem(text)]), steps)
        assert (steps[0].id == step_id("Add the parser for dates")) == (text == "Add the parser for times")
    back = with_known_ids(steps_of_items([PlanItem("Add the parser for dates")]), known("Add the parser for dates"))
    assert back[0].origin == ""


def test_a_new_step_with_the_old_text_of_another_one_gets_its_own_id() -> None:
    first = known("Add lodash to the app")
    renamed = with_known_ids(steps_of_items([PlanItem("Add express to the app")]), first)
    both = [PlanItem("Add express to the app"), PlanItem("Add lodash to the app")]
    after = with_known_ids(steps_of_items(both), renamed)
    assert [step.started for step in after] == [1.0, 0.0]
    assert after[0].id == first[0].id != after[1].id


def test_steps_below_a_step_whose_word_changes_stay_below_it() -> None:
    items = [PlanItem("Phase 1: Storage"), PlanItem("Table", 0), PlanItem("Fill it", 0)]
    old = steps_of_items(items)
    new = with_known_ids(steps_of_items([PlanItem("Phase 1: the Storage"), *items[1:]]), old)
    assert [(step.id, step.parent) for step in new] == [(step.id, step.parent) for step in old]


def test_what_stands_around_the_words_makes_no_other_step() -> None:
    same = ["Add the parser", "add  **the** `parser`", "1. Add the parser.", "- [x] Add the parser",
            "Step 3: Add the parser:", "T012 [P] [US1] Add the parser", "2.1 Add the parser"]  # fmt: skip
    assert {normalised(text) for text in same} == {"add the parser"}
    other = ["Add 3 parsers", "3 parsers", "Add src/parser.py", "Phase out the parser"]
    assert [normalised(text) for text in other] == [
        "add 3 parsers",
        "3 parsers",
        "add src/parser.py",
        "phase out the parser",
    ]
