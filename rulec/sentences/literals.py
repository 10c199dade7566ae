"""A sentence in its tokens: words, literals in code spans, and the marks between them."""

import re
from dataclasses import dataclass
from typing import Literal

from rulec.domain.files import languages


def word_table(words: str) -> frozenset[str]:
    """A table of words, written as lines of them."""
    return frozenset(words.split())


LONGEST = 400  # characters of a sentence that is read
FILE_SUFFIXES = frozenset(
    suffix
    for suffixes in languages.SUFFIXES_BY_KIND.values()
    for suffix in suffixes
    if suffix.islower() and suffix.isalnum() and len(suffix) > 1
)


@dataclass(frozen=True, slots=True)
class Token:
    """A word, a literal in a code span, or a mark."""

    text: str
    kind: Literal["word", "code", "mark"]

    @property
    def norm(self) -> str:
        """The word as forms know it, "" for what is no word."""
        return self.text.casefold().replace("\u2019", "'") if self.kind == "word" else ""

    def is_mark(self, marks: str) -> bool:
        """Whether it is one of these marks."""
        return self.kind == "mark" and self.text in marks


_PART = re.compile(
    r"`{1,2}(?P<code>[^`\n]{1,200})`{1,2}|\"(?P<quoted>[^\"\n]{1,120})\"|\u201c(?P<curly>[^\u201d\n]{1,120})\u201d|(?P<plain>[^\s`\"\u201c]+)"
)
_BULLET = re.compile(r"^\s*(?:[-*+\u2022>]\s+|\d+[.)]\s+|#{1,6}\s+|\[[ x]\]\s+)+")
_MARKED = re.compile(r"^\s*(?:CORRECT\[[\w-]{1,60}\]\s*:|rule\s*:|#\s(?=\S))\s*", re.IGNORECASE)
_EMPHASIS = re.compile(r"(?<![\w*`/.])(\*{1,3}|__|~~)(?=[^\s*/.])([^*\n]{1,400}?)(?<=[^\s*])\1(?![\w*`/])")
_LINK = re.compile(r"\[([^\]\n]{1,200})\]\([^)\s]{1,300}\)")
_ENDS = ".,;:!?)"


def without_marks(text: str) -> str:
    """The sentence without signs of lists, emphasis and links, and without what marks it as a rule."""
    text = _BULLET.sub("", _MARKED.sub("", text.strip()))
    text = _MARKED.sub("", text)
    return _EMPHASIS.sub(r"\2", _LINK.sub(r"\1", text)).strip()


def is_marked(text: str) -> bool:
    """Whether a person marks the sentence as a rule: "rule: ...", "CORRECT[slug]: ..."."""
    return bool(_MARKED.match(text))


def tokens_of(text: str) -> list[Token]:
    """The tokens of a sentence."""
    found: list[Token] = []
    literal_ends = -1
    for part in _PART.finditer(without_marks(text)):
        literal = part["code"] or part["quoted"] or part["curly"]
        if literal:
            found.append(Token(literal.strip(), "code"))
            literal_ends = part.end()
            continue
        plain = part["plain"]
        while part.start() == literal_ends and plain[:1] and plain[0] in _ENDS:
            found.append(Token(plain[0], "mark"))
            plain = plain[1:]
        found += _plain_tokens(plain) if plain else []
    return found


def _plain_tokens(text: str) -> list[Token]:
    if text in ("-", "\u2013", "\u2014", "--"):
        return [Token(";", "mark")]
    opening = []
    while text[:1] == "(" and ")" not in text.strip("()."):
        opening.append(Token("(", "mark"))
        text = text[1:]
    closing: list[Token] = []
    while text and text[-1] in _ENDS and not text.endswith("()") and text not in (".", "..", "*."):
        closing.insert(0, Token(text[-1], "mark"))
        text = text[:-1]
    return [*opening, *([Token(text, "word")] if text else []), *closing]


def is_path(text: str) -> bool:
    """Whether it can only be a path or a pattern of paths."""
    if not re.fullmatch(r"[\w.*@{},\[\]~/+-]+", text) or re.fullmatch(r"[/.*]+", text) or text.startswith("-"):
        return False
    if "/" in text or "*" in text:
        return not text.startswith(("http:", "https:", "//"))
    if re.fullmatch(r"\.[A-Za-z][\w.-]*", text):
        return True
    return text.rpartition(".")[2] in FILE_SUFFIXES and bool(text.rpartition(".")[0]) and not is_attribute(text)


def is_attribute(text: str) -> bool:
    """Whether it is a dotted name of code that looks like a file's: console.log, process.env."""
    return text.split(".", maxsplit=1)[0] in ("console", "process", "import", "window", "document")


_CALL = re.compile(r"\.?[A-Za-z_$][\w$]*(?:(?:\.|::)[A-Za-z_$][\w$]*)*(?:\(\)|\(\.\.\.\)|!)")
_NAME = re.compile(r"\.?[A-Za-z_$][\w$]*(?:(?:\.|::)[A-Za-z_$][\w$]*)*")


def is_call(text: str) -> bool:
    """Whether it is the name of a function with its parentheses, or a macro."""
    return bool(_CALL.fullmatch(text))


def is_name(text: str) -> bool:
    """Whether it is a name of code."""
    return bool(_NAME.fullmatch(text))


def is_command(text: str) -> bool:
    """Whether a code span is one command that can be typed: no placeholder, no second command."""
    words = text.split()
    plain = re.fullmatch(r"[\w./~-]+", words[0]) if words else None
    return bool(plain) and not re.search(r"[<>;&|$\u2026]|\.\.\.|^\.\w+$|^-", text) and not is_call(words[0])
