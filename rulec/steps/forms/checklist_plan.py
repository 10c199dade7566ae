"""Check lists: the steps are the items with a box."""

from rulec.steps.forms.markdown_blocks import CODE, HEADING, ITEM, Block
from rulec.steps.forms.markdown_items import Head, ItemReader, PlacedItem
from rulec.steps.forms.plan_words import NONE, role_of


class ChecklistReader(ItemReader):
    """Reads a text whose steps have boxes; numbered headings and phases above them are their parents.

    ``lenient`` takes also those below headings of what is merely to be true, such as criteria.
    """

    def __init__(self, *, lenient: bool) -> None:
        super().__init__()
        self.lenient = lenient

    def read(self, root: Block) -> "list[PlacedItem]":
        self._section(root, -1)
        return self.found

    def _section(self, section: Block, parent: int) -> None:
        for block in section.children:
            if block.kind == HEADING:
                head = Head(block.text)
                role = role_of(head.words)
                if role == NONE and not self.lenient and not head.phase and not head.numbered:
                    continue
                boxed = any(below.box for below in block.below())
                above = self.add(block, parent) if boxed and (head.phase or head.numbered) else parent
                self._section(block, above)
            else:
                self._items(block, parent)

    def _items(self, block: Block, parent: int) -> None:
        if block.box and block.text:
            parent = self.add(block, parent)
        elif block.parent is not None and block.parent.kind == ITEM and parent >= 0 and block.kind != CODE:
            self.add_paths(parent, block.text)  # details of an item
        for child in block.children:
            self._items(child, parent)
