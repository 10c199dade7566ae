"""Random changes of plans: other orders, another word, another text."""

import random
from collections.abc import Callable

from rulec.plans.plan import PlanItem
from rulec.plans.step_ids import normalised, steps_of_items, with_known_ids

WORDS = ["carefully", "module", "second", "interface", "remote", "nightly", "ledger", "archive", "quickly", "banner"]
Change = Callable[[list[PlanItem], random.Random], tuple[list[PlanItem], list[int]]]


def shuffled(items: list[PlanItem], seed: random.Random) -> tuple[list[PlanItem], list[int]]:
    """The steps below each parent in another order; and which of the old ones each is."""
    below: dict[int, list[int]] = {}
    for at, item in enumerate(items):
        below.setdefault(item.parent, []).append(at)
    new: list[PlanItem] = []
    numbers: list[int] = []

    def put(parent: int, place: int) -> None:
        order = below.get(parent, [])
        for at in seed.sample(order, len(order)):
            numbers.append(at)
            new.append(PlanItem(items[at].text, place, items[at].status, key=items[at].key))
            put(at, len(new) - 1)

    put(-1, -1)
    return new, numbers


def changed_word(items: list[PlanItem], seed: random.Random) -> tuple[list[PlanItem], list[int]]:
    """One word of one step is another one, gone, or added."""
    new = [PlanItem(item.text, item.parent, item.status, key=item.key) for item in items]
    one = seed.choice(new)
    words = one.text.split()
    at = seed.randrange(len(words))
    kind = seed.choice(("other", "gone", "added")) if len(words) > 1 else "added"
    words[at : at + (kind != "added")] = [] if kind == "gone" else [seed.choice(WORDS)]
    one.text = " ".join(words)
    return new, list(range(len(items)))


def other_text(text: str, seed: random.Random) -> str:
    """The text with at least two of its words others, a third of them where it is long."""
    words = text.split()
    count = max(2, len(words) // 3)
    words += [""] * max(0, count - len(words))
    for at in seed.sample(range(len(words)), count):
        words[at] = seed.choice([word for word in WORDS if word != normalised(words[at])])
    return " ".join(words)


def kept_ids(items: list[PlanItem], change: Change, seed: random.Random) -> tuple[int, int]:
    """How many steps keep their id through a change, and of how many."""
    old = steps_of_items(items)
    new, numbers = change(items, seed)
    found = with_known_ids(steps_of_items(new), old)
    return sum(step.id == old[at].id for step, at in zip(found, numbers, strict=True)), len(old)
