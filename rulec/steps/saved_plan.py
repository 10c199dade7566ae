"""A plan as a Markdown task list that people may commit; read back, its texts are labels and prove nothing."""

import json
import re

from rulec.domain.text.redaction import redact
from rulec.reminders.rule_text import one_line
from rulec.steps.step import DONE, DROPPED, LONGEST, MOST_STEPS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from rulec.steps.step import Plan, Step


HEAD = "<!-- rulec plan: for people to read; it proves nothing -->"
ALWAYS = "Rules for every step:"
MOST_FILES = 100  # of a step
_STEP = re.compile(r"\s*- \[[ x~-]\] (.*)")
_FILES = re.compile(r"\s*<!-- files: (\[.*\]) -->")


def saved_plan(plan: "Plan") -> str:
    """The plan's steps with their rules and the files that were edited in each."""
    title = f"Plan of {plan.agent or 'an agent'}, session {_plain(plan.session)[:8]}"
    lines = [HEAD, f"# {title}", ""]
    if plan.always:
        lines += [ALWAYS, "", *(f"- {_rule(pair)}" for pair in plan.always), ""]
    below: "dict[str, list[Step]]" = {}
    known = {step.id for step in plan.steps}
    for step in plan.steps:
        below.setdefault(step.parent if step.parent in known else "", []).append(step)
    lines += _listed(below, "", 0)
    return "\n".join(lines) + "\n"


def _listed(below: "dict[str, list[Step]]", parent: str, depth: int) -> "Iterator[str]":
    """The steps below a parent; each parent is taken out, so that none is listed twice."""
    for step in below.pop(parent, []):
        indent = "  " * depth
        box = "x" if step.status == DONE else "-" if step.status == DROPPED else " "
        yield f"{indent}- [{box}] {_plain(step.text)}"
        yield from (f"{indent}  - {_rule(pair)}" for pair in step.rules)
        files = [path for path in step.edits if "--" not in path][:MOST_FILES]  # "--" may not stand in a comment
        if files:
            yield f"{indent}  <!-- files: {json.dumps(files)} -->"
        yield from _listed(below, step.id, depth + 1)


def _rule(pair: "Sequence[str]") -> str:
    return f"rule {_plain(pair[0])} ({pair[1]})"


def _plain(text: str) -> str:
    return one_line(redact(text)).replace("<!--", "<! --")


def read_saved_plan(text: str) -> "Iterator[tuple[str, str]]":
    """The files that a saved plan names, each with the text of its step; nothing of any other text."""
    if not text.startswith(HEAD):
        return
    label, steps = "", 0
    for line in text.splitlines():
        step = _STEP.fullmatch(line)
        if step:
            label, steps = one_line(redact(step[1][: 4 * LONGEST]))[:LONGEST], steps + 1
        if steps > MOST_STEPS:
            return
        files = _FILES.fullmatch(line)
        if files and label:
            yield from ((path, label) for path in _paths(files[1]))


def _paths(told: str) -> "list[str]":
    try:
        named = json.loads(told)
    except (ValueError, RecursionError):
        return []
    return [path for path in named if isinstance(path, str)][:MOST_FILES] if isinstance(named, list) else []
