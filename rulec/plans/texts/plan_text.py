"""A plan's text -> its steps; and the same text with the rules of its steps. JSON, or else Markdown."""

from __future__ import annotations

from rulec.plans.texts import json_plan, markdown_plan

TYPE_CHECKING = False
if TYPE_CHECKING:
    from rulec.plans.plan import PlanItem


def read_plan(text: str) -> list[PlanItem]:
    """The steps of a text, in its order."""
    return json_plan.read_json_plan(text) if _is_json(text) else markdown_plan.read_markdown_plan(text)


def write_plan(text: str, additions: dict[int, list[str]]) -> str:
    """The text with lines of rules at its steps, by their index in ``read_plan``; earlier ones are replaced."""
    write = json_plan.write_json_plan if _is_json(text) else markdown_plan.write_markdown_plan
    return write(text, additions)


def _is_json(text: str) -> bool:
    return text.lstrip("\ufeff \t\r\n")[:1] in ("{", "[") and not text.lstrip().startswith(("[ ]", "[x]"))
