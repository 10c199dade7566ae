"""Plans in prose: the sections decide which of their items are steps.

Lists below headings that name work ("Changes", "Steps") are steps; those below headings that tell something ("Context",
"Risks", "Files to change") are none; elsewhere a list is one of steps if most of its items ask for something. How the
work is verified counts as work: the todo lists of the same agents hold "Run the tests" as a step, rules about tests
belong there, and a step that edits nothing has no line that a gate could refuse.

A heading that asks for something or has a number is a step, so that bullets below it are its details; one that names a
phase or a part of the work is the parent of the steps below it. Bullets below an item are details, too; items with a
number or a box are its substeps. Files that details name count as named by their step.
"""

import re

from rulec.steps.forms.markdown_blocks import CODE, HEADING, ITEM, PARAGRAPH, Block
from rulec.steps.forms.markdown_items import Head, ItemReader, PlacedItem, cleaned
from rulec.steps.forms.plan_words import (
    CHECK,
    DOING,
    FILES,
    NONE,
    ORDER,
    SKETCH,
    TELLING,
    WORK,
    asks_for_work,
    plain,
    role_of,
    split_label,
)
from rulec.steps.step_paths import paths_named


def title_of(root: Block) -> "Block | None":
    """The heading of the whole text: the only one that is below no other."""
    heads = [block for block in root.children if block.kind == HEADING]
    return heads[0] if len(heads) == 1 and heads[0].level <= 2 else None


_LABEL = re.compile(r"\*\*[^*]+\*\*:?")  # a line that is all in bold
# What counts as steps where nothing before it does.
PLAIN, SKETCHED, ORDERED, FILED, UNNAMED = range(5)


def read_prose(root: Block) -> "list[PlacedItem]":
    """The steps of a plan in prose.

    Where it has none but those of its verification, sentences of its approach count, then what says in which order
    things are done or which files change, then numbered lists of sections that say nothing of themselves.
    """
    first: "list[PlacedItem]" = []
    for stage in (PLAIN, SKETCHED, ORDERED, FILED, UNNAMED):
        reader = ProseReader(stage)
        found = reader.read(root)
        if reader.works:
            return found
        first = first or found
    return first


class ProseReader(ItemReader):
    """Reads a plan in prose by the roles of its sections."""

    def __init__(self, stage: int) -> None:
        super().__init__()
        self.stage = stage
        self.works = False  # whether there is a step beside those of verification
        self.checks = 0  # headings of verification that are open

    def add(self, block: Block, parent: int, text: str = "") -> int:
        """Add the item that a block is; returns its index."""
        self.works = self.works or not self.checks
        return super().add(block, parent, text)

    def read(self, root: Block) -> "list[PlacedItem]":
        """The steps below the title, or below a text without headings; a title names what all is about, no section."""
        top = title_of(root) or root
        if top is not root:
            self._blocks(root, "", -1)
        headed = any(block.kind == HEADING for block in top.children)
        named = role_of(Head(top.text).words) if top.level else WORK
        self._blocks(top, "" if headed and named == WORK and not top.level else named, -1, titled=True)
        self._headings(top, "", -1)
        return self.found

    def _sections(self, section: Block, role: str, parent: int) -> None:
        """Read what stands below a heading: its own blocks, then its sections."""
        self._blocks(section, role, parent)
        self._headings(section, role, parent)

    def _headings(self, section: Block, role: str, parent: int) -> None:
        heads = [block for block in section.children if block.kind == HEADING]
        numbers = _numbers_are_steps(heads) or role in DOING
        for block in heads:
            self._section(block, role, parent, numbers=numbers)

    def _section(self, block: Block, role: str, parent: int, *, numbers: bool) -> None:
        head = Head(block.text)
        own = "" if head.phase else role_of(head.words)
        numbered = head.numbered and numbers
        if (own == ORDER and self.stage >= ORDERED) or (own == FILES and self.stage >= FILED):
            own = WORK
        if own == NONE or (own in TELLING and role not in DOING):
            return
        self.checks += own == CHECK
        asks = asks_for_work(head.words) and " " in head.words  # one word alone is a noun: "Design"
        if _is_place(head.words) and (role in (WORK, CHECK) or numbered):
            self._place(block, head, parent)
        elif not head.phase and (head.named or (own not in DOING and (asks or _names_file(head, role)))):
            self._step(block, parent)
        elif head.phase or numbered:
            self._part(block, own or (WORK if head.phase else CHECK), parent)
        else:
            before = len(self.found)
            self._sections(block, own if own in DOING else role, parent)
            if role == WORK and (asks or not own) and len(self.found) == before and block.children:
                self.add(block, parent)
        self.checks -= own == CHECK

    def _step(self, block: Block, parent: int, text: str = "") -> None:
        """A heading that is a step: what has a number below it is a substep, all else are details."""
        index = self.add(block, parent, text)
        for child in block.children:
            self._detail(child, index)

    def _detail(self, block: Block, index: int) -> None:
        if block.kind == HEADING:
            head = Head(block.text)
            if role_of(head.words) in TELLING:
                self._paths_below(block, index)
            elif head.numbered or asks_for_work(head.words):
                self._step(block, index)
            else:
                self.add_paths(index, block.text)
                for child in block.children:
                    self._detail(child, index)
        elif block.kind == ITEM and block.text and (block.ordered or block.box):
            self._item(block, index)
        else:
            self._paths_below(block, index)

    def _paths_below(self, block: Block, index: int) -> None:
        for one in (block, *block.below()):
            if one.kind != CODE:
                self.add_paths(index, one.text)

    def _place(self, block: Block, head: Head, parent: int) -> None:
        """A heading that names a file: the step is what the first sentence below it asks for there."""
        told = (one for one in block.children if one.kind == PARAGRAPH and not _LABEL.fullmatch(one.text))
        first = next((one for one in told if asks_for_work(one.text)), None)
        text = f"{head.words}: {cleaned(first.text)}" if first is not None else head.words
        self._step(block, parent, text)

    def _part(self, block: Block, role: str, parent: int) -> None:
        """A heading of a phase or part: the parent of the steps below it."""
        index = self.add(block, parent)
        self._sections(block, role, index)
        for one in block.children:
            if one.kind == PARAGRAPH:
                self.add_paths(index, one.text)

    def _blocks(self, section: Block, role: str, parent: int, *, titled: bool = False) -> None:
        """Read the lists of a section, and where it has none its paragraphs."""
        blocks = [block for block in section.children if block.kind != HEADING]
        before = len(self.found)
        for items, lead in _lists(blocks):
            if self._are_steps(items, lead, role):
                for item in items:
                    if item.text and role_of(split_label(plain(item.text))[0]) not in TELLING:
                        self._item(item, parent)
        told = role in (WORK, CHECK) or (role == SKETCH and self.stage >= SKETCHED)
        if told and parent < 0 and not titled and len(self.found) == before:
            for block in blocks:
                if block.kind == PARAGRAPH and asks_for_work(block.text):
                    self.add(block, parent)
            places = [block.text for block in blocks if block.kind == PARAGRAPH and _is_place(plain(block.text))]
            for index in range(before, len(self.found)):
                for text in places:
                    self.add_paths(index, text)

    def _are_steps(self, items: "list[Block]", lead: str, role: str) -> bool:
        """Whether the items of a list are steps, by the section, the words that lead to them, and their own."""
        share = 2 * sum(asks_for_work(item.text) for item in items) - len(items)
        asking = share > 0
        if lead and role_of(lead) in TELLING and not asking:
            return False
        if lead and asks_for_work(lead) and not items[0].ordered:
            return asking
        if role == SKETCH:
            return self.stage >= SKETCHED
        if role == WORK or (role == CHECK and items[0].ordered):
            return True
        if role == CHECK:
            return asking or (share == 0 and self.checks > 0)
        plainly = 2 * sum(asks_for_work(item.text, labelled=False) for item in items) > len(items)
        return plainly or (self.stage >= UNNAMED and items[0].ordered)

    def _item(self, block: Block, parent: int) -> None:
        index = self.add(block, parent)
        below = [child for child in block.children if child.kind == ITEM]
        asking = 2 * sum(asks_for_work(child.text) for child in below) > len(below)
        for child in block.children:
            if (
                child.kind == ITEM
                and child.text
                and (child.ordered or child.box or (asking and not asks_for_work(block.text)))
            ):
                self._item(child, index)
            else:
                self._paths_below(child, index)


def _numbers_are_steps(heads: "list[Block]") -> bool:
    """Whether numbers of headings count steps; where one of them is that of a section, "1. Context", they do not."""
    numbered = [head for head in (Head(block.text) for block in heads) if head.numbered]
    return not any(role_of(head.words) in (NONE, WORK) for head in numbered if not head.named)


def _names_file(head: Head, role: str) -> bool:
    """Whether a heading among work names a file beside other words: "Loader (`src/loader.py`)"."""
    return role in DOING and bool(paths_named(head.words))


def _is_place(words: str) -> bool:
    """Whether a heading or paragraph merely names files: "`src/a.py` (new)", "File: a.py"."""
    label, rest = split_label(words)
    if label and paths_named(label):
        return True
    words = rest
    left = re.sub(r"\([^()]*\)|`[^`]*`", " ", words)
    return (
        bool(paths_named(words))
        and len([word for word in left.split() if not paths_named(word) and word.isalpha()]) <= 1
    )


def _lists(blocks: "list[Block]") -> "list[tuple[list[Block], str]]":
    """The lists among blocks: items of one kind that stand together, and the words with a colon before them."""
    found: "list[tuple[list[Block], str]]" = []
    lead, last = "", None
    for block in blocks:
        if block.kind != ITEM:
            lead = (
                block.text.rstrip(":*_ ") if block.kind == PARAGRAPH and block.text.rstrip("*_ ").endswith(":") else ""
            )
        elif last is not None and last.kind == ITEM and last.ordered == block.ordered:
            found[-1][0].append(block)
        else:
            found.append(([block], lead))
        last = block
    return found
