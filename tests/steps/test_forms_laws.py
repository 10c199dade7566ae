"""What holds of any text: steps come in order, rules go in and out again, and nothing else of the text changes."""

import json

from hypothesis import given
from hypothesis import strategies as st

from rulec.steps.forms.plan_text import read_plan, write_plan
from rulec.steps.rule_lines import rule_line
from rulec.steps.step_ids import steps_of_items

RULES = [rule_line("use-pnpm", "strict", "Use pnpm"), rule_line("be-clear", "remind")]
PIECES = (
    "# Plan", "## Steps", "## Context", "### 1. Add it", "### 2. File: `src/a.py`", "#### Notes", "**Bold:**",
    "Step 3: Add it", "- Add the loader", "  - Read `src/a.py`", "1. Add it", "   2. Test it", "\t- tab",
    "- [ ] T001 Add it in src/a.py", "  - [x] Test it", "- [ ]", "- ", "1.", "```py", "```", "~~~", "> quote",
    "| a | b |", "<!-- hidden", "-->", "---", "===", "Add a sentence.", "Use this:", "    code", "", " ", "* Add",
    "- ~~Old~~", "- \u2705 Done it", "\ufeff# Bom", "Rules for every step:", "- rule use-pnpm (strict)",
    "  - rule of it",     "#1 [pending] Add it", "\u2028", "- Add \x00 it", "{", "[1]", "+ Add `x",
)  # fmt: skip
TEXTS = st.tuples(st.lists(st.sampled_from(PIECES), max_size=25), st.sampled_from(["\n", "\r\n"]), st.booleans()).map(
    lambda made: made[1].join(made[0]) + made[1] * made[2]
)
KEYS = ["text", "title", "steps", "status", "plan", "todos", "id", "description", "subject"]
STEPS = st.recursive(
    st.sampled_from(
        ["Add it", "Add src/a.py", "", "  ", 'Ä \u2028 " \\ \n - x', "rule a (strict)", "rule a (strict)\nAdd it"]
    ),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.sampled_from(KEYS), inner, max_size=4),
    max_leaves=12,
)


def written(text: str) -> str:
    form, items = read_plan(text)
    return write_plan(text, form, dict.fromkeys(range(len(items)), RULES), RULES) if items else text


def holds_for(text: str) -> None:
    form, items = read_plan(text)
    assert bool(form) == bool(items)
    assert all(item.parent < at and item.text for at, item in enumerate(items))
    once = written(text)
    assert read_plan(once)[0] == form
    assert [step.id for step in steps_of_items(read_plan(once)[1])] == [step.id for step in steps_of_items(items)]
    assert written(once) == once
    if items:
        bare = write_plan(once, form, {})
        assert write_plan(bare, form, {}) == bare


@given(TEXTS)
def test_any_markdown_takes_rules_and_gives_them_back(text: str) -> None:
    holds_for(text)
    rest = iter(written(text).splitlines())
    kept = [
        line for line in text.splitlines() if line.strip() and not line.strip().startswith(("- rule use", "Rules for"))
    ]
    assert all(line in rest for line in kept)  # in their order


@given(STEPS, st.sampled_from([None, 2]), st.booleans())
def test_any_json_takes_rules_and_gives_them_back(value: object, indent: int | None, ascii_only: bool) -> None:
    text = json.dumps({"plan": value}, indent=indent, ensure_ascii=ascii_only)
    holds_for(text)
    json.loads(written(text))


@given(st.text(max_size=300))
def test_any_text_is_read(text: str) -> None:
    holds_for(text)
