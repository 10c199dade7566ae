"""What a change adds to a file: its new lines, and those of them that make a difference to code."""

import re

from rulec.domain.file_kinds import split_words

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


LONGEST_LINE = 2_000
_HASH = frozenset(split_words("py rb ex exs pl pm r R jl nim"))
_PROSE = frozenset(split_words("md mdx rst adoc txt json yaml yml toml ini cfg xml html csv lock env mod sum"))
_STRING = re.compile(r"\"(?:[^\"\\]|\\.)*\"|'(?:[^'\\]|\\.)*'")
_QUIET = re.compile(
    r"(?:import|from|use|using|require|include|package|module|export \*|export \{|#include|__all__|__version__)\b.*"
    r"|(?:const|let|var) [\w{}, ]+ = require\(.*|(?!return\b)[\w.]*\s*\"\"|[\])}(\[{;,:]*|pass"
)
_DEFINES = re.compile(
    r"\s*(?:(?:export|default|public|private|protected|internal|static|abstract|final|override|async|suspend|open|virtual|"
    r"inline|unsafe|pub(?:\([a-z]*\))?) +)*(?:def|class|func|fn|fun|function\*?|impl|object|defp|sub)\b"
    r"|\s*(?:export +)?(?:const|let) +\w+ *(?::[^=]*)?= *(?:async *)?(?:\(|function\b|\w+ *=>)"
    r"|\s+(?:public|private|protected|internal|static)\b[\w<>\[\], ]*\("
)
_DOC = ('"""', "'''")


def new_lines(file: "dict[str, Any]") -> "list[str]":
    """The lines that stand in the file now and did not before."""
    old = set(file["old"].splitlines())
    return [line[:LONGEST_LINE] for line in file["new"].splitlines() if line not in old]


def new_lines_with_new_words(file: "dict[str, Any]") -> "list[str]":
    """The added lines with a word or number that the file did not have: other quotes or spaces bring nothing new."""
    old = set(re.findall(r"\w+", file["old"]))
    return [line for line in new_lines(file) if not old.issuperset(re.findall(r"\w+", line))]


def defines_function(file: "dict[str, Any]") -> bool:
    """Whether a function, a method or a class is new."""
    return any(_DEFINES.match(line) for line in new_lines(file))


def changes_code(file: "dict[str, Any]") -> bool:
    """Whether more changed than spacing, comments, imports and the words in strings, where the file is code."""
    if file["path"].rpartition(".")[2].lower() in _PROSE:
        return file["old"].split() != file["new"].split() or not file["new"]
    before, after = set(_lines(file["path"], file["old"])), _lines(file["path"], file["new"])
    return any(line not in before for line in after)


def _lines(path: str, text: str) -> "list[str]":
    """The lines of code without their indentation, the text of strings and what says nothing."""
    ending = path.rpartition(".")[2]
    found, closing = [], ""
    for raw in text.splitlines():
        line = raw[:LONGEST_LINE].strip()
        if closing:
            closing = "" if closing in line else closing
            continue
        closing = _opened(line, ending)
        if closing or line.startswith(_marks(ending)):
            closing = "" if closing and closing in line[len(closing) :] else closing
            continue
        plain = _STRING.sub('""', line)
        if plain and not _QUIET.fullmatch(plain):
            found.append("".join(plain.split()))
    return found


def _opened(line: str, ending: str) -> str:
    """What ends the comment that begins with this line, or ""."""
    if ending in _HASH:
        start = line.lstrip("rRuU")[:3]
        return start if start in _DOC else ""
    return "*/" if line.startswith("/*") else "-->" if line.startswith("<!--") else ""


def _marks(ending: str) -> "tuple[str, ...]":
    return ("#",) if ending in _HASH else ("//", "* ", "*/", "<!--") if ending not in ("lua", "hs") else ("--",)
