"""Plans as Markdown or plain text: a check list by its boxes, or prose."""

from rulec.steps.forms.checklist_plan import ChecklistReader
from rulec.steps.forms.markdown_blocks import BOLD_HEADING, HEADING, Block, read_blocks, split_lines
from rulec.steps.forms.markdown_items import TASK_KEY, Head, PlacedItem
from rulec.steps.forms.plan_words import CHECK, TELLING, role_of
from rulec.steps.forms.prose_plan import read_prose

PLAN, CHECKLIST, SPEC_KIT, TEXT = "plan", "checklist", "spec-kit", "text"
MARKDOWN_FORMS = (PLAN, CHECKLIST, SPEC_KIT, TEXT)


def read_markdown(text: str) -> "tuple[str, list[PlacedItem]]":
    """The form of the text, and its steps; ("", []) where it has none."""
    root, _ = read_blocks(split_lines(text))
    blocks = list(root.below())
    boxes = [block for block in blocks if block.box]
    plans = [block for block in boxes if role_above(block) not in TELLING]
    if any(role_above(block) != CHECK for block in plans):
        return _checklist(root, lenient=False)
    prose = read_prose(root)
    if boxes and not plans and not prose:
        return _checklist(root, lenient=True)
    headed = any(block.kind == HEADING and block.level < BOLD_HEADING for block in blocks)
    return (PLAN if headed else TEXT) if prose else "", prose


def _checklist(root: Block, *, lenient: bool) -> "tuple[str, list[PlacedItem]]":
    found = ChecklistReader(lenient=lenient).read(root)
    tasks = sum(TASK_KEY.match(item.key) is not None for item in found)
    return (SPEC_KIT if 2 * tasks > len(found) else CHECKLIST) if found else "", found


def role_above(block: Block) -> str:
    """The role that the nearest heading with one gives to a block."""
    above = block.parent
    while above is not None:
        head = Head(above.text) if above.kind == HEADING and above.level else None
        role = role_of(head.words) if head is not None and not head.phase and not head.numbered else ""
        if role:
            return role
        above = above.parent
    return ""
