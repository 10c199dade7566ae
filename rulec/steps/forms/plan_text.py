"""A plan's text in any of its forms -> its steps; and the same text with the rules of its steps below them.

The forms are named as in ``FORMS``: a plan in prose, a check list, the tasks.md of spec-kit, a text of numbered lines,
Claude Code's todo list and tasks, Codex's plan, and any other JSON that lists steps.
"""

from rulec.steps.forms.plan_json import JSON_FORMS, read_json, read_listed, write_json
from rulec.steps.forms.plan_markdown import MARKDOWN_FORMS, read_markdown
from rulec.steps.forms.plan_writing import write_lines, write_markdown

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from rulec.steps.step import PlanItem


TASK_LIST = "task-list"  # what TaskList answers
FORMS = (*MARKDOWN_FORMS, *JSON_FORMS, TASK_LIST)


def read_plan(text: str, name: str = "") -> "tuple[str, list[PlanItem]]":
    """The form of a plan's text and its steps, parents before what is below them; ("", []) where it has none.

    A file's name tells what to take for broken JSON rather than for a text.
    """
    form, items = read_json(text)
    if form or name.lower().endswith((".json", ".jsonl")):
        return form, list(items)
    listed = read_listed(text)
    if listed:
        return TASK_LIST, listed
    form, placed = read_markdown(text)
    return form, list(placed)


def write_plan(text: str, form: str, additions: "dict[int, list[str]]", always: "Sequence[str]" = ()) -> str:
    """The text with the lines of rules below its steps, in its form; lines that stood there before are replaced.

    ``additions`` has the lines by the index of the step in what ``read_plan`` gives for this text, ``always`` those of
    all steps; ``rule_lines`` makes them. All else of the text stays as it is, byte for byte.
    """
    if form in JSON_FORMS:
        return write_json(text, additions, list(always))
    if form == TASK_LIST:
        return write_lines(text, additions, list(always))
    return write_markdown(text, additions, list(always))
