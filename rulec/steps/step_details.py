"""What a plan's text says below each of its steps, and before the first one."""

from rulec.steps.rule_lines import ALWAYS, is_rule_line

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from rulec.steps.step import PlanItem


LONGEST = 1_000  # characters of the details of one step, and of what stands before the first


def words_of_steps(text: str, items: "Sequence[PlanItem]") -> "list[str]":
    """Each step with what stands below it, the lines of rules among them; of a form without lines the step alone."""
    if not items or not items[0].line:
        return [item.text for item in items]
    lines = text.splitlines()
    first = [lines[item.line - 1] if item.line <= len(lines) else "" for item in items]
    return ["\n".join([one, *rest]) for one, rest in zip(first, _blocks(text, items)[1])]  # noqa: B905 (Python 3.9)


def details_of(text: str, items: "Sequence[PlanItem]") -> "tuple[str, list[str]]":
    """What stands before the first step, and what stands below each; a form without lines has neither.

    ``items`` are what ``read_plan`` gives for this text, in the order of their lines.
    """
    if not items or not items[0].line:
        return "", [""] * len(items)
    before, blocks = _blocks(text, items)
    return _joined(before), [_joined(one) for one in blocks]


def _blocks(text: str, items: "Sequence[PlanItem]") -> "tuple[list[str], list[list[str]]]":
    """The lines before the first step, and those below each."""
    lines = text.splitlines()
    starts = [item.line for item in items]  # from 1
    found = []
    headings = [at for at, line in enumerate(lines) if line.startswith("#")]
    for at, item in enumerate(items):
        later = [start - 1 for start in (*starts[at + 1 :], *(one + 1 for one in headings)) if start > item.line]
        found.append(lines[item.line : min([len(lines), *later])])
    return lines[: starts[0] - 1], found


def _joined(lines: "Sequence[str]") -> str:
    """The lines in one, without those that name rules."""
    kept = (line.strip() for line in lines if not is_rule_line(line) and line.strip() != ALWAYS)
    return " ".join(" ".join(kept).split())[:LONGEST]
