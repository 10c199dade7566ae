"""Markdown in passages: paragraphs, items and rows, with the headings and items that they stand under."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Literal

_IMAGE = re.compile(r"!\[[^\[\]\n]{0,300}\]\([^()\n]{0,500}\)")
_LINK = re.compile(r"\[([^\[\]\n]{0,300})\](?:\([^()\n]{0,500}\)|\[[^\[\]\n]{0,100}\])")
_NOTE = re.compile(r"\[\^[^\[\]\n]{1,60}\]")
_COMMENT = re.compile(r"<!--[^<>\n]{0,500}-->")
_INLINE_TAG = re.compile(
    r"</?(?:a|b|br|center|code|dd|details|div|dl|dt|em|h[1-6]|hr|i|img|kbd|li|ol|p|small|span|strong|sub|summary|sup|u|ul)"
    r"(?:\s[^<>\n]{0,300})?/?>",
    re.IGNORECASE,
)
_STRONG = re.compile(r"\*\*|(?<!\w)__(?=\S)|(?<=\S)__(?!\w)")
_STRESSED = re.compile(r"(?<![\w*/.])\*(?=[^\s*.])([^*\n]{1,300})(?<=\S)\*(?![\w*/.])")
_UNDERLINED = re.compile(r"(?<![\w_])_(?=[^\s_])([^_\n]{1,300})(?<=\S)_(?![\w_])")
_STRUCK = re.compile(r"~~[^~\n]{1,300}~~")
_ESCAPED = re.compile(r"\\([\\`*_{}\[\]()#+.!|<>~-])")


def plain_words(text: str) -> str:
    """The words of a line, on one line."""
    parts = text.split("`")
    if len(parts) % 2 == 0:  # a mark without its fellow is a sign like others
        parts = [text]
    told = [part if number % 2 else _words(part) for number, part in enumerate(_linked(parts))]
    return " ".join("`".join(told).split())


def _linked(parts: list[str]) -> list[str]:
    """The parts with links and images gone, also those around code: "[`guide`](x.md)"."""
    if len(parts) == 1:
        return parts
    codes = parts[1::2]
    masked = "\0".join(parts[0::2])
    masked = _LINK.sub(r"\1", _IMAGE.sub("", masked))
    words = masked.split("\0")
    if len(words) != len(codes) + 1:  # a code was part of an image or an address
        return [masked.replace("\0", "")]
    return [part for pair in zip(words, [*codes, ""], strict=True) for part in pair][:-1]


def _words(text: str) -> str:
    for pattern in (_COMMENT, _IMAGE, _NOTE, _INLINE_TAG, _STRUCK):
        text = pattern.sub("", text)
    text = _LINK.sub(r"\1", text)
    text = _STRONG.sub("", text)
    text = _UNDERLINED.sub(r"\1", _STRESSED.sub(r"\1", text))
    return _ESCAPED.sub(r"\1", text)


BEGIN, END = "<!-- rulec:begin", "<!-- rulec:end -->"  # what we wrote ourselves is nobody's wish
MOST_OVER = 3  # items above an item that may say what it is about

_HEADING = re.compile(r"\A {0,3}(#{1,6})\s(.*)")
_CLOSING = re.compile(r"(?<=\s)#+\s*\Z")
_ITEM = re.compile(r"(\s*)(?:([-*+\u2022])|(\d{1,3})[.)])\s+(?:\[[ xX]\]\s+)?(?=\S)")
_SIGN = re.compile(r"(\s*)(?=[\u2705\u274c\u2714\u2716\u2713\u2717\u26d4\U0001f6ab\U0001f44d\U0001f44e])")
_FENCE = re.compile(r"\s*(`{3,}|~{3,})")
_RULE = re.compile(r"\s*(?:[-*_]\s*){3,}$")
_UNDER = re.compile(r"\s{0,3}(?:=+|-+)\s*$")
_ROW = re.compile(r"\s*\|")
_BETWEEN = re.compile(r"\A[\s|:-]*\Z")
_QUOTED = re.compile(r"\s*(?:>\s?)+")
_CALLOUT = re.compile(r"\[!\w{1,20}\]\s*$")
_TAG = re.compile(r"\s*</?[A-Za-z][\w-]{0,40}(?:\s[^<>]{0,300})?/?>\s*$")
_DEFINED = re.compile(r"\s{0,3}\[[^\]\n]{1,100}\]:\s")


@dataclass(frozen=True, slots=True, kw_only=True)
class Passage:
    """A passage in plain words, with its place in the document."""

    text: str
    line: int
    kind: Literal["paragraph", "item", "row"] = "paragraph"
    headings: tuple[str, ...] = ()
    over: tuple[str, ...] = ()  # the line that introduces the list, then the items above
    numbered: bool = False
    depth: int = 0  # items above
    cells: tuple[str, ...] = ()  # of a row
    head: tuple[str, ...] = ()  # of the row's table
    lines: tuple[int, ...] = (0,)  # at which character each of its lines begins


def passages(text: str) -> Iterator[Passage]:
    """The passages in order, without code, comments, front matter and rulec's blocks."""
    return _Passages().read(text.removeprefix("\ufeff").splitlines())


@dataclass
class _Passages:
    """Where in the text we are."""

    headings: list[tuple[int, str]] = field(default_factory=list)
    items: list[tuple[int, str]] = field(default_factory=list)  # indent and text of those that are open
    intro: str = ""  # a paragraph that ends with a colon
    head: tuple[str, ...] = ()
    parts: list[str] = field(default_factory=list)  # lines of the passage that is being read
    first: Passage | None = None  # that passage, without its text
    blank: bool = True

    def read(self, lines: list[str]) -> Iterator[Passage]:
        at = _after_front_matter(lines)
        while at < len(lines):
            line = lines[at]
            if after := _skipped(lines, at):
                yield from self.close()
                at, self.blank = after, True
                continue
            at += 1
            if self.first and not self.items and len(self.parts) == 1 and _UNDER.match(line):
                self.heading(1 if "=" in line else 2, plain_words(self.parts[0]))
                self.parts, self.first = [], None
                continue
            yield from self.line(line, at)
        yield from self.close()

    def line(self, line: str, number: int) -> Iterator[Passage]:
        quoted = _QUOTED.match(line)
        line = line[quoted.end() :] if quoted else line
        if not line.strip() or _RULE.match(line) or _CALLOUT.match(line.strip()) or _TAG.match(line):
            yield from self.close()
            self.blank, self.head = True, ()
            return
        if found := _HEADING.match(line):
            yield from self.close()
            self.heading(len(found[1]), plain_words(_CLOSING.sub("", found[2])))
        elif _ROW.match(line):
            yield from self.close()
            yield from self.row(line, number)
        elif _DEFINED.match(line):
            yield from self.close()
        elif item := _ITEM.match(line) or _SIGN.match(line):
            yield from self.close()
            self.item(item, line, number)
        elif self.first and not self.blank:
            self.parts.append(line)
        else:
            yield from self.close()
            self.paragraph(line, number)
        self.blank = False

    def heading(self, level: int, text: str) -> None:
        self.headings = [*((n, told) for n, told in self.headings if n < level), (level, text)]
        self.items, self.intro, self.head, self.blank = [], "", (), True

    def row(self, line: str, number: int) -> Iterator[Passage]:
        if _BETWEEN.match(line):
            return
        cells = tuple(plain_words(cell) for cell in line.strip().strip("|").replace("\\|", "\u2223").split("|")[:12])
        if not self.head:
            self.head = cells
            return
        yield Passage(
            text=" ".join(cells),
            line=number,
            kind="row",
            headings=self.titles(),
            cells=cells,
            head=self.head,
        )

    def item(self, found: re.Match[str], line: str, number: int) -> None:
        indent = len(found[1].expandtabs(4))
        self.items = [(n, told) for n, told in self.items if n < indent]
        over = (*([self.intro] * bool(self.intro)), *(told for _, told in self.items[-MOST_OVER:]))
        numbered = found.re is _ITEM and bool(found[3])
        self.first = Passage(
            text="",
            line=number,
            kind="item",
            headings=self.titles(),
            over=over,
            numbered=numbered,
            depth=min(len(self.items), MOST_OVER),
        )
        self.parts = [line[found.end() :]]
        self.items.append((indent, plain_words(self.parts[0])))
        del self.items[: -MOST_OVER - 1]

    def paragraph(self, line: str, number: int) -> None:
        indent = len(line.expandtabs(4)) - len(line.expandtabs(4).lstrip())
        self.items = [(n, told) for n, told in self.items if n < indent]
        if not self.items:
            self.intro = ""
            if indent > 3:  # a block of code
                return
        over = tuple(told for _, told in self.items[-MOST_OVER:])
        self.first = Passage(text="", line=number, headings=self.titles(), over=over, depth=len(over))
        self.parts = [line]

    def close(self) -> Iterator[Passage]:
        first, self.first = self.first, None
        if first is None:
            return
        self.head = ()
        text, lines = "", []
        for part in map(plain_words, self.parts):
            lines.append(len(text) + bool(text))
            text = f"{text} {part}" if text else part
        if first.kind == "paragraph" and not self.items:
            self.intro = text if text.endswith(":") else ""
        if first.kind == "item":
            self.items[-1] = (self.items[-1][0], text)
        if text:
            yield replace(first, text=text, lines=tuple(lines))

    def titles(self) -> tuple[str, ...]:
        return tuple(told for _, told in self.headings)


def _after_front_matter(lines: list[str]) -> int:
    if lines and lines[0].strip() == "---":
        return next((n + 1 for n, line in enumerate(lines[1:200], 1) if line.strip() == "---"), 0)
    return 0


def _skipped(lines: list[str], at: int) -> int:
    """The line after what begins here and is no prose (code, a comment, rulec's block); 0 where prose begins."""
    line = lines[at].strip()
    if line.startswith(BEGIN):
        return _beyond(lines, at + 1, END)
    if line.startswith("<!--"):
        return at + 1 if "-->" in line else _beyond(lines, at + 1, "-->")
    fence = _FENCE.match(lines[at])
    if not fence or ("`" in fence[1] and "`" in line.lstrip("`")):
        return 0
    ends = (n for n in range(at + 1, len(lines)) if lines[n].strip().startswith(fence[1]))
    return next((n + 1 for n in ends if not lines[n].strip().strip(fence[1][0])), len(lines))


def _beyond(lines: list[str], at: int, end: str) -> int:
    return next((n + 1 for n in range(at, len(lines)) if end in lines[n]), len(lines))
