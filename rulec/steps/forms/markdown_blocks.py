"""Markdown text -> its headings, items and paragraphs, nested as they stand; code, tables and quotes are left out."""

import re

from rulec.steps.rule_lines import ALWAYS, is_rule_line

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator


HEADING, ITEM, PARAGRAPH, CODE = "heading", "item", "paragraph", "code"
WIDEST = 4_000  # characters of a line that are read
DEEPEST = 20  # items within items; what lies deeper stands beside the deepest
MOST_FRONT = 200  # lines of front matter
BOLD_HEADING = 7  # the level of a line in bold, below all that are marked as headings
_CODE = 6  # blanks from which a line is code; two more than needed, as many writers align by eye
_LINE = re.compile(r"[^\n]*\n|[^\n]+")
_ATX = re.compile(r" {0,3}(#{1,6})(?:[ \t]+(.*?))?(?:[ \t]+#+)?[ \t]*$")
_BOLD = re.compile(r" {0,3}(?:\*\*|__)([^*_\n][^*\n]{0,200}?)(?:\*\*:?|__:?)[ \t]*$")
_NAMED = re.compile(
    r" {0,3}((?:step|phase|stage|task|milestone)\s+\d{1,3}(?:\.\d+)*\s*[:.)\u2013\u2014-]\s*\S.*)$", re.IGNORECASE
)
_UNDERLINE = re.compile(r" {0,3}(=+|-{2,})[ \t]*$")
_ITEM = re.compile(r"(?:([-*+•])|(\d{1,4}[.)]))(?:[ \t]+|$)")
_BOX = re.compile(r"\[([ xX/~-])\](?:[ \t]+|$)")
_FENCE = re.compile(r"(`{3,}|~{3,})(.*)$")
_BREAK = re.compile(r" {0,3}(?:-[ \t]*-[ \t]*-[- \t]*|\*[ \t]*\*[ \t]*\*[* \t]*|_[ \t]*_[ \t]*_[_ \t]*)$")


class Block:
    """A heading, an item of a list or a paragraph of a text."""

    __slots__ = (
        "box", "children", "column", "content", "end", "indent", "kind", "level", "line", "marker", "parent", "text",
    )  # fmt: skip

    def __init__(self, kind: str, line: int, text: str, column: int = 0) -> None:
        self.kind, self.line, self.text, self.column = kind, line, text, column
        self.end = line + 1  # the number of the line behind it, from 0
        self.level = 0  # of a heading
        self.marker = ""  # of an item: "-" or "1."
        self.box = ""  # of an item with a check box: what stands in that
        self.indent = ""  # the blanks before it, as they are written
        self.content = 0  # the column where an item's text begins
        self.children: "list[Block]" = []
        self.parent: "Block | None" = None

    @property
    def ordered(self) -> bool:
        """Whether it is an item with a number."""
        return self.marker[:1].isdigit()

    def below(self) -> "Iterator[Block]":
        """All blocks within it, in their order."""
        for child in self.children:
            yield child
            yield from child.below()


def split_lines(text: str) -> "list[str]":
    """The lines of a text, each with its end as it is."""
    return _LINE.findall(text)


def read_blocks(lines: "list[str]") -> "tuple[Block, list[int]]":
    """The blocks of a text below a root: sections by their headings, items by their indentation.

    And the numbers of the lines, from 0, that we wrote there ourselves: they are no part of the plan.
    """
    reader = _Reader(lines)
    return reader.read(), reader.ours


def behind_front_matter(lines: "list[str]") -> int:
    """The number of the line behind the front matter of a file, 0 where it has none."""
    if not lines or lines[0].rstrip() not in ("---", "\ufeff---"):
        return 0
    for at in range(1, min(len(lines), MOST_FRONT)):
        if lines[at].rstrip() == "---":
            return at + 1
    return 0


class _Reader:
    def __init__(self, lines: "list[str]") -> None:
        self.lines = lines
        self.root = Block(HEADING, -1, "")
        self.sections = [self.root]
        self.items: "list[Block]" = []  # those that are open, the outer ones first
        self.ours: "list[int]" = []
        self.open: "Block | None" = None  # what the next line may continue
        self.blank = True  # whether a blank line, or the beginning, comes before
        self.shift = _common_indent(lines)
        self.marked = any(_ATX.match(line) for line in lines if line.startswith("#"))  # by others than lines in bold

    def read(self) -> Block:
        at = behind_front_matter(self.lines)
        while at < len(self.lines):
            at = self._take(at)
        return self.root

    def _take(self, at: int) -> int:
        """Read the block that begins at a line; returns the line behind it."""
        line = self._line(at)
        stripped = line.strip()
        if not stripped:
            self.open, self.blank = None, True
            return at + 1
        if is_rule_line(stripped) or (stripped == ALWAYS and self._leads_to_rules(at + 1)):
            self.ours.append(at)  # as if it were not there
            return at + 1
        column = len(line) - len(line.lstrip(" "))
        behind = self._skipped(at, stripped, column)
        if behind:
            return behind
        if self._is_heading(at, line) or self._is_item(at, line, column):
            self.blank = False
            return at + 1
        self._paragraph(at, stripped, column)
        self.blank = False
        return at + 1

    def _leads_to_rules(self, at: int) -> bool:
        return at < len(self.lines) and is_rule_line(self.lines[at][:WIDEST].strip())

    def _line(self, at: int) -> str:
        """A line without its end, tabs as blanks, and without the indentation that all lines have."""
        line = self.lines[at][:WIDEST].rstrip("\r\n")
        if not at:
            line = line.lstrip("\ufeff")
        return (line.expandtabs(4) if "\t" in line else line)[self.shift :]

    def _skipped(self, at: int, stripped: str, column: int) -> int:
        """The line behind what holds no words of the plan, 0 where none begins here."""
        fence = _FENCE.match(stripped)
        if fence and not (fence[1][0] == "`" and "`" in fence[2]):
            self._close_lists(column)
            block = self._add(Block(CODE, at, "", column))
            block.end = self._behind_fence(at + 1, fence[1])
            self.open, self.blank = None, False
            return block.end
        if stripped.startswith("<!--"):
            while at < len(self.lines) and "-->" not in self.lines[at]:
                at += 1
            self.open = None
            return at + 1
        if stripped.startswith(("|", ">")):
            self.open = None
            return at + 1
        within = next((item.column + 2 for item in reversed(self.items) if column >= item.column + 2), 0)
        if self.blank and column - within >= _CODE and not (self.items and _ITEM.match(stripped)):
            self.open = None
            return at + 1
        if _BREAK.match(stripped) and not (self.open and _UNDERLINE.match(stripped)):
            self.open, self.items = None, []
            return at + 1
        return 0

    def _behind_fence(self, at: int, fence: str) -> int:
        while at < len(self.lines):
            line = self.lines[at].strip()
            if line.startswith(fence) and not line.strip(fence[0]):
                return at + 1
            at += 1
        return at

    def _is_heading(self, at: int, line: str) -> bool:
        found = _ATX.match(line)
        if found:
            self._heading(at, found[2] or "", len(found[1]))
            return True
        under = _UNDERLINE.match(line)
        last = self.open
        if under and last is not None and last.kind == PARAGRAPH and last.parent is self.sections[-1]:
            self.sections[-1].children.remove(last)
            self._heading(last.line, last.text, 1 if under[1][0] == "=" else 2)
            self.sections[-1].end = at + 1
            return True
        named = _NAMED.match(line) or (_BOLD.match(line) if self.open is None and not self.marked else None)
        if named and not (self.items and len(line) - len(line.lstrip()) >= self.items[-1].content):
            self._heading(at, named[1].strip().rstrip(":"), BOLD_HEADING)
            return True
        return False

    def _heading(self, at: int, text: str, level: int) -> None:
        while len(self.sections) > 1 and self.sections[-1].level >= level:
            self.sections.pop()
        block = Block(HEADING, at, text)
        block.level = level
        self.items, self.open = [], None
        block.parent = self.sections[-1]
        self.sections[-1].children.append(block)
        self.sections.append(block)

    def _is_item(self, at: int, line: str, column: int) -> bool:
        rest = line[column:]
        found, box = _ITEM.match(rest), _BOX.match(rest)
        if not found and not box:
            return False
        if found and self.open is not None and self.open.kind == PARAGRAPH and found[2] and found[2][:-1] != "1":
            return False  # a line of a paragraph that begins with a number
        block = Block(ITEM, at, "", column)
        block.indent = self.lines[at][: len(self.lines[at]) - len(self.lines[at].lstrip(" \t"))]
        block.marker = (found[1] or found[2]) if found else ""
        text = rest[found.end() :] if found else rest
        block.content = column + (found.end() if found else 0)
        box = _BOX.match(text)
        if box:
            block.box, text = box[1], text[box.end() :]
        block.text = text.strip()
        self._close_lists(column)
        self._add(block)
        self.items.append(block)
        self.open = block
        return True

    def _paragraph(self, at: int, stripped: str, column: int) -> None:
        last = self.open
        if last is not None:  # a line that goes on, however it is indented
            last.text = f"{last.text} {stripped}"[:WIDEST]
            last.end = at + 1
            return
        self._close_lists(column)
        block = self._add(Block(PARAGRAPH, at, stripped, column))
        block.indent = self.lines[at][: len(self.lines[at]) - len(self.lines[at].lstrip(" \t"))]
        self.open = block

    def _close_lists(self, column: int) -> None:
        """Leave the items that what begins at a column does not belong to: two blanks are enough to belong."""
        while self.items and (column < self.items[-1].column + 2 or len(self.items) >= DEEPEST):
            self.items.pop()

    def _add(self, block: Block) -> Block:
        block.parent = self.items[-1] if self.items else self.sections[-1]
        block.parent.children.append(block)
        return block


def _common_indent(lines: "list[str]") -> int:
    """How many blanks all lines begin with that hold something."""
    least = WIDEST
    for line in lines:
        if line.strip():
            least = min(least, len(line) - len(line.lstrip(" ")))
            if not least:
                return 0
    return least if least < WIDEST else 0
