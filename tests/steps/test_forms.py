"""Plans in seven forms: their steps, their ids, and the rules that are written below them."""

import json
import random
import subprocess
from pathlib import Path

import pytest

from rulec.steps.forms.plan_text import FORMS, read_plan, write_plan
from rulec.steps.rule_lines import ALWAYS, is_rule_line, rule_line, substep_line
from rulec.steps.step import ACTIVE, DONE, DROPPED, PENDING, Step
from rulec.steps.step_ids import steps_of_items
from tests.hook.test_hook import PYTHONS
from tests.steps.form_cases import CASES
from tests.support.plans import labelled_plans

RULES = [rule_line("use-pnpm", "strict", "Use pnpm, never npm"), substep_line("ask-first", "Ask before the dependency")]
ALL = [rule_line("be-clear", "remind", "Say what and where")]


def steps_in(text: str) -> list[Step]:
    return steps_of_items(read_plan(text)[1])


def facts(text: str) -> list[tuple[str, str, str, str, list[str]]]:
    return [(step.id, step.text, step.parent, step.status, step.paths) for step in steps_in(text)]


def tree(text: str) -> tuple[str, list[str]]:
    """The form and the steps: two blanks a level, the status where it is not pending, and what it is called."""
    form, items = read_plan(text)
    depths: list[int] = []
    told = []
    for item in items:
        depths.append(depths[item.parent] + 1 if item.parent >= 0 else 0)
        status = "" if item.status == PENDING else f"({item.status}) "
        told.append(f"{'  ' * depths[-1]}{item.key and item.key + ' '}{status}{item.text}")
    return form, told


def test_each_form_gives_its_steps() -> None:
    wrong = []
    for name, text, form, steps in CASES:
        found = tree(text)
        if found != (form, steps):
            wrong.append((name, found))
    assert not wrong
    assert {form for _, _, form, _ in CASES if form} == set(FORMS)


def test_the_labelled_plans_have_as_many_steps_as_a_person_counts() -> None:
    wrong = []
    for label, text in labelled_plans():
        form, items = read_plan(text)
        found = (form, len(items), sum(item.parent < 0 for item in items))
        if found != (label["form"], label["steps"], label["tops"]):
            wrong.append((label["list"], label["line"], found))
    assert not wrong


def written(text: str, rules: list[str], always: list[str]) -> str:
    form, items = read_plan(text)
    return write_plan(text, form, dict.fromkeys(range(len(items)), rules), always)


def all_texts() -> list[tuple[str, str]]:
    texts = [(name, text) for name, text, _, steps in CASES if steps]
    ends = [(f"{name}, CRLF", text.replace("\n", "\r\n")) for name, text in texts if not text.startswith(("{", "["))]
    return [*texts, *ends, *((f"{name}, cut", text.rstrip()) for name, text in texts)]


@pytest.mark.parametrize("real", [False, True])
def test_rules_come_below_the_steps_and_change_nothing_else(*, real: bool) -> None:
    texts = [(label["list"], text) for label, text in labelled_plans()] if real else all_texts()
    wrong = []
    for name, text in texts:
        once = written(text, RULES, ALL)
        counts = [once.count(line) for line in (*RULES, *ALL, ALWAYS)]
        kept = {
            "the same steps": facts(once) == facts(text),
            "the same form": read_plan(once)[0] == read_plan(text)[0],
            "nothing doubled": written(once, RULES, ALL) == once,
            "all taken out again": written(once, [], []) == text,
            "every step has them": counts == [len(steps_in(text)), len(steps_in(text)), 1, 1],
            "one kind of line end": text.count("\r") == 0 or once.count("\r\n") == once.count("\n"),
        }
        wrong += [f"{name}: {what}" for what, holds in kept.items() if not holds]
    assert not wrong


def test_rules_in_markdown_stand_at_the_indentation_of_their_step() -> None:
    text = "# Plan\n\n## Steps\n1. Add the loader\n   1. Read the file\n2. Test it\n"
    form, _ = read_plan(text)
    new = write_plan(text, form, {0: RULES[:1], 1: RULES[1:]}, ALL)
    assert new == (
        f"# Plan\n\n{ALWAYS}\n- {ALL[0]}\n\n## Steps\n1. Add the loader\n   - {RULES[0]}\n"
        f"   1. Read the file\n      - {RULES[1]}\n2. Test it\n"
    )


def test_rules_in_json_leave_its_shape_and_its_blanks() -> None:
    text = '{ "explanation": "why",\r\n  "plan" : [ {"status":"in_progress", "step":"Add \\u00e4"} ] , "n": 1.50 }'
    new = write_plan(text, "codex", {0: RULES[:1]}, ALL)
    data = json.loads(new)
    assert data["plan"][0] == {"status": "in_progress", "step": f"Add ä\n- {RULES[0]}"}
    assert data["explanation"] == f"why\n{ALWAYS}\n- {ALL[0]}"
    assert (
        new.replace(json.dumps(data["plan"][0]["step"]), '"Add \\u00e4"').replace(
            json.dumps(data["explanation"]), '"why"'
        )
        == text
    )


def test_a_line_that_could_be_the_plans_own_is_refused() -> None:
    with pytest.raises(ValueError, match="no line of a rule"):
        write_plan("1. Add it", "text", {0: ["use pnpm"]})
    assert is_rule_line("  * rule use-pnpm (strict): Use pnpm")
    assert not is_rule_line("- rule of thumb (strict): no")


BROKEN = (
    "", " \n\n", "\ufeff", "{", "[1, 2", '{"todos": [', '{"todos": "none"}', "[]", "{}", "[[[[1]]]]", "null", "# A\n",
    "```\n1. Add a loader\n", "<!--\n- [ ] Add it\n", "> 1. Add it\n", "| 1. | Add it |\n", "---\nname: x\n",
    "- \n-\n1.\n", "[" * 100_000, '{"plan":' * 5_000, "Please have a look at it.\nIt is broken.\n", "#\n##\n",
    "\0\x0b\u2028", "- [ ]\n",
)  # fmt: skip


@pytest.mark.parametrize("name", ["", "plan.json"])
def test_what_is_no_plan_has_no_steps(name: str) -> None:
    assert [(text[:20], read_plan(text, name)) for text in BROKEN if read_plan(text, name) != ("", [])] == []
    assert [text[:20] for text in BROKEN if write_plan(text, "plan", {}) != text] == []


def test_broken_json_is_no_text_where_the_name_says_json() -> None:
    assert read_plan("1. Add it\n2. Test it", "todos.json") == ("", [])


@pytest.mark.parametrize("python", PYTHONS, ids=lambda path: path.parts[-3])
def test_every_python_that_runs_hooks_reads_plans(python: Path) -> None:
    code = (
        "import sys; from rulec.steps.forms.plan_text import read_plan, write_plan;"
        "from rulec.steps.step_ids import steps_of_items;"
        "text = sys.stdin.read(); form, items = read_plan(text); print([step.id for step in steps_of_items(items)]);"
        "print(write_plan(text, form, {0: ['rule a (strict)']}))"
    )
    text = "# Plan\n1. Add src/a.py with password: hunter22\n2. Test it\n"
    done = subprocess.run(
        [python, "-c", code], input=text, capture_output=True, text=True, check=False, cwd=Path(__file__).parents[2]
    )
    assert done.stdout.splitlines()[0] == str([step.id for step in steps_in(text)]), done.stderr


def test_statuses_of_all_forms_are_ours() -> None:
    told = {
        "in_progress": ACTIVE,
        "in-progress": ACTIVE,
        "Done": DONE,
        "completed": DONE,
        "cancelled": DROPPED,
        "?": PENDING,
    }
    text = json.dumps({"todos": [{"content": f"Add {word}", "status": word} for word in told]})
    assert [step.status for step in steps_in(text)] == list(told.values())


def test_megabytes_are_read_in_time_that_grows_with_them() -> None:
    seed = random.Random(7)
    lines = [f"{'  ' * seed.randrange(4)}- [ ] T{n:04} Add part {n} in src/part{n}.py" for n in range(20_000)]
    form, items = read_plan("\n".join(lines) + "\n" + "*" * 100_000 + "`" * 100_001 + " (" * 50_000)
    assert (form, len(items)) == ("spec-kit", 20_000)
