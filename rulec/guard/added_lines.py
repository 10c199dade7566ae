"""What a change adds to a file: lines, and functions."""

from __future__ import annotations

import re

from rulec.domain.files.languages import COMMENT_STYLES, LINE_COMMENTS, SUFFIXES_BY_KIND

TYPE_CHECKING = False
if TYPE_CHECKING:
    from rulec.shell.action_events import FileOfChange


LONGEST_LINE = 2_000
_HASH = ("python", "hash")
_MARKS = {look: (mark,) for look, mark in LINE_COMMENTS.items() if mark != "//"}  # with which a line is a comment
_PROSE = frozenset(one for kind in ("prose", "data", "markup") for one in SUFFIXES_BY_KIND[kind])
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


def new_lines(file: FileOfChange) -> list[str]:
    """The lines of the file that are new."""
    old = set(file.old.splitlines())
    return [line[:LONGEST_LINE] for line in file.new.splitlines() if line not in old]


def new_lines_with_new_words(file: FileOfChange) -> list[str]:
    """The added lines with a word or number that the file did not have: other quotes or spaces bring nothing new."""
    old = set(re.findall(r"\w+", file.old))
    return [line for line in new_lines(file) if not old.issuperset(re.findall(r"\w+", line))]


def defines_function(file: FileOfChange) -> bool:
    """Whether a function, a method or a class is new."""
    return any(_DEFINES.match(line) for line in new_lines(file))


def changes_code(file: FileOfChange) -> bool:
    """Whether more changed than spacing, comments, imports and the words in strings, where the file is code."""
    if file.path.rpartition(".")[2].lower() in _PROSE:
        return file.old.split() != file.new.split() or not file.new
    before, after = set(_lines(file.path, file.old)), _lines(file.path, file.new)
    return any(line not in before for line in after)


def _lines(path: str, text: str) -> list[str]:
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
    if _comments(ending) in _HASH:
        start = line.lstrip("rRuU")[:3]
        return start if start in _DOC else ""
    return "*/" if line.startswith("/*") else "-->" if line.startswith("<!--") else ""


def _marks(ending: str) -> tuple[str, ...]:
    return _MARKS.get(_comments(ending), ("//", "* ", "*/", "<!--"))


def _comments(ending: str) -> str:
    return COMMENT_STYLES.get(ending.lower(), "")
