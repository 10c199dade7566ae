"""How plans of each form are read: forms, labelled counts, rules there and back, ids kept through changes, and time."""

import random
import time
from collections.abc import Iterator

from rulec.steps.forms.plan_text import FORMS, read_plan, write_plan
from rulec.steps.rule_lines import rule_line
from rulec.steps.step import PlanItem
from rulec.steps.step_ids import steps_of_items, with_known_ids
from tests.steps.form_cases import CASES
from tests.support.plan_changes import changed_word, kept_ids, other_text, shuffled
from tests.support.plans import labelled_plans

TIMES = 100  # of each kind of change
RULES = [rule_line("use-pnpm", "strict", "Use pnpm, never npm")]


def figures() -> Iterator[str]:
    """The figures of bar 1 of issue 18, a line each."""
    cases = [(text, form) for _, text, form, _ in CASES if form]
    right = {form for form in FORMS if all(read_plan(text)[0] == form for text, wanted in cases if wanted == form)}
    yield f"forms recognised: {len(right)} of {len(FORMS)}"
    for of, what in (("bar", "the 15 lists"), ("more", "other plans of the shared sessions")):
        yield f"labelled number of steps, {what}: {_counted(of)}"
    texts = [text for _, text in labelled_plans()] + [text for text, _ in cases]
    yield f"rules written and taken out again leave the text: {sum(map(_comes_back, texts))} of {len(texts)}"
    plans = [read_plan(text)[1] for text in texts]
    seed = random.Random(18)
    for change, what in ((shuffled, "reorderings"), (changed_word, "changes of one word")):
        pairs = [kept_ids(plans[n % len(plans)], change, seed) for n in range(TIMES)]
        kept, of_all = sum(kept for kept, _ in pairs), sum(of for _, of in pairs)
        yield f"ids kept through {TIMES} {what}: {kept} of {of_all} ({kept / of_all:.1%})"
    lost = sum(_lost(plans[n % len(plans)], seed) for n in range(TIMES))
    yield f"ids lost by a step of which more words change: {lost} of {TIMES}"
    text = "\n".join(f"- [ ] T{n:04} Add part {n} in src/part{n}.py" for n in range(20_000))
    start = time.perf_counter()
    read_plan(text)
    yield f"reading 20,000 tasks ({len(text) / 1e6:.1f} MB): {time.perf_counter() - start:.2f} s"


def _counted(of: str) -> str:
    """Lists all of whose versions give their labelled number, form and top steps."""
    lists: dict[str, bool] = {}
    for label, text in labelled_plans(of):
        form, items = read_plan(text)
        found = (form, len(items), sum(item.parent < 0 for item in items))
        same = found == (label["form"], label["steps"], label["tops"])
        lists[label["list"]] = lists.get(label["list"], True) and same
    return f"{sum(lists.values())} of {len(lists)}"


def _comes_back(text: str) -> bool:
    form, items = read_plan(text)
    once = write_plan(text, form, dict.fromkeys(range(len(items)), RULES), RULES)
    ids = [[step.id for step in steps_of_items(read_plan(one)[1])] for one in (text, once)]
    return ids[0] == ids[1] and write_plan(once, form, {}) == text


def _lost(items: list[PlanItem], seed: random.Random) -> bool:
    """Whether a step gets another id when more than a word of it changes."""
    old, at = steps_of_items(items), seed.randrange(len(items))
    changed = [PlanItem(item.text, item.parent, item.status, key=item.key) for item in items]
    changed[at].text = other_text(items[at].text, seed)
    return with_known_ids(steps_of_items(changed), old)[at].id not in {step.id for step in old}
