"""From headings and items of Markdown to steps: their texts, numbers and statuses, and where rules go below them."""

import re

from rulec.steps.forms.markdown_blocks import CODE, HEADING, ITEM, PARAGRAPH, Block
from rulec.steps.forms.plan_words import plain
from rulec.steps.step import ACTIVE, DONE, DROPPED, LONGEST, PENDING, PlanItem
from rulec.steps.step_paths import paths_named

_PHASE = re.compile(
    r"(?:phase|stage|milestone|sprint|iteration|part|week|day|wave|batch|workstream|track)\s+"
    r"(?:\d+(?:\.\d+)*|[A-Z]|[IVX]+)\b\s*[:.)\u2013\u2014-]*\s*(.*)$",
    re.IGNORECASE,
)
_NUMBER = re.compile(
    r"(?:(?:step|task|todo|action)\s+)?#?"
    r"(?P<key>(?:T\d{2,5}[a-z]?|TX{2,3}|\d{1,4}(?:\.\d{1,4})+)(?=[\s:.)])"
    r"|\d{1,4}[a-z]?(?=\s*[:.)](?:\s|$)|\s+[\u2013\u2014-]\s))[\s:.)\u2013\u2014-]*",
    re.IGNORECASE,
)
_NAMED = re.compile(r"(?:step|task|todo|action)\s+#?\d{1,4}", re.IGNORECASE)
_TAGS = re.compile(r"(?:\[(?:[A-Z]{1,3}\d{0,3}\??|Story)\]\s+)+")  # [P] [US1]
_ASIDE = re.compile(r"\s*(?:\*\((?:[^()]|\([^()]*\))*\)\*|_\((?:[^()]|\([^()]*\))*\)_)\s*$")
_LINK = re.compile(r"\[([^\[\]\n]{1,300})\]\([^()\n]{1,300}\)")
_DONE_SIGN = re.compile(r"[\u2705\u2611\u2713\u2714]\ufe0f?\s*")
_STRUCK = re.compile(r"~~([^~]{1,400})~~")
_BOXES = {"x": DONE, "X": DONE, " ": PENDING, "": PENDING}  # the signs for what is half done differ among programs
TASK_KEY = re.compile(r"T(?:\d{2,5}[a-z]?|X{2,3})$")  # of spec-kit


class PlacedItem(PlanItem):
    """A step of a text, with the place for its rules."""

    __slots__ = ("after", "indent")

    def __init__(self, text: str, parent: int, status: str, block: Block, key: str = "") -> None:
        super().__init__(text[:LONGEST], parent, status, block.line + 1, key)
        self.after = block.end  # the number of the line, from 0, that its rules come before
        self.indent = ""  # what they begin with


class Head:
    """A heading without its number: "### 2. File: `a.py`" -> numbered, "File: `a.py`"."""

    __slots__ = ("key", "named", "numbered", "phase", "words")

    def __init__(self, text: str) -> None:
        text = cleaned(text)
        found = _PHASE.match(text)
        self.phase = found is not None
        number = None if found else _NUMBER.match(text)
        self.key = number["key"] if number else ""
        self.named = _NAMED.match(text) is not None  # it calls itself a step
        self.numbered = bool(self.key) or self.named
        self.words = text[number.end() :] if number else (found[1] if found and found[1] else text)


def cleaned(text: str) -> str:
    """An item's or heading's text without bold marks, links' targets, signs that it is done, and remarks at its end."""
    text = _ASIDE.sub("", _LINK.sub(r"\1", " ".join(text.split())))
    return _DONE_SIGN.sub("", plain(text)).strip()


class ItemReader:
    """Collects items."""

    def __init__(self) -> None:
        self.found: "list[PlacedItem]" = []

    def add(self, block: Block, parent: int, text: str = "") -> int:
        """Add the item that a block is; returns its index."""
        struck = _STRUCK.fullmatch(block.text.strip())
        words = cleaned(struck[1] if struck else block.text)
        number = _NUMBER.match(words) if block.kind == HEADING or block.box else None
        key = number["key"] if number else (block.marker[:-1] if block.ordered else "")
        if number:
            words = words[number.end() :]
        words = _TAGS.sub("", words, count=1) if block.box or TASK_KEY.match(key) else words
        status = _BOXES.get(block.box, ACTIVE)
        if struck:
            status = DROPPED
        elif _DONE_SIGN.match(block.text):
            status = DONE
        item = PlacedItem(text or words, parent, status, block, key)
        if block.kind == ITEM:
            item.indent = block.indent + " " * max(2, block.content - block.column)
        elif block.kind == PARAGRAPH:
            item.indent, item.after = block.indent, _behind_code(block)
        item.paths = paths_named(block.text)
        self.found.append(item)
        return len(self.found) - 1

    def add_paths(self, index: int, text: str) -> None:
        """Add the files that details name to those of their step."""
        known = self.found[index].paths
        known.extend(path for path in paths_named(text) if path not in known)


def _behind_code(block: Block) -> int:
    """The line behind a paragraph, or behind the code that it leads to."""
    beside = block.parent.children if block.parent else []
    at = beside.index(block) + 1
    if block.text.endswith(":") and at < len(beside) and beside[at].kind == CODE:
        return beside[at].end
    return block.end
