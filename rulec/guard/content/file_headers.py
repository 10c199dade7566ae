"""What a file's first comment says, whatever the signs around it, and whether that is the header it must have."""

import re

MOST_LINES = 80
LONGEST_LINE = 1_000
_LINE = ("#", "//", "--", ";", "%", "*")
_BLOCKS = (
    ("/*", "*/"),
    ("<!--", "-->"),
    ('"""', '"""'),
    ("'''", "'''"),
    ("=begin", "=end"),
    ("{-", "-}"),
    ("(*", "*)"),
)
# What stands before a header by the rules of its language: <?php, <?xml, "use strict", declare(strict_types=1).
_BEFORE = re.compile(r"<\?(?:php|xml)?|['\"]use \w+['\"];?$|declare\s*\(|@charset|<!doctype", re.IGNORECASE)
_SIGNS = re.compile(r"^(?:[\s#/*;%!<>-]|\(\*|\{-)+|\"\"\"|'''|=begin|=end")
_CLOSING = " \t*/>)}-"
_YEAR = r"(?:(?:19|20)\d\d|\{year\}|<year>|\[year\]|yyyy|present)"
_YEARS = re.compile(rf"{_YEAR}(?:\s*[-,\u2013]\s*{_YEAR})*,?", re.IGNORECASE)
_NOTICE = re.compile(
    r"copyright|\(c\) |\u00a9|spdx-license-identifier|@licen[cs]e|licen[cs]ed under|all rights reserved|public domain"
)


def has_header(text: str, wanted: str) -> bool:
    """Whether the first comment holds the wanted words, or any notice of a licence where none are given."""
    said = normalised_text(first_comment(text))
    return normalised_text(wanted.splitlines()) in said if wanted.strip() else is_licence_notice(said)


def first_comment(text: str) -> "list[str]":
    """The lines of the comment that the text begins with."""
    found: "list[str]" = []
    closing = ""
    for line in text.lstrip("\ufeff").splitlines()[:MOST_LINES]:
        bare = line[:LONGEST_LINE].strip()
        if closing:
            closing = "" if closing in bare else closing
        elif bare and (before := _BEFORE.match(bare)):
            bare = bare[before.end() :].strip()
            closing = _opened(bare)
        elif bare:
            closing = _opened(bare)
            if not closing and not bare.startswith(_LINE) and not any(bare.startswith(start) for start, _ in _BLOCKS):
                break
        found.append(bare)
    return found


def _opened(bare: str) -> str:
    """What ends the comment that the line opens and does not close."""
    for start, end in _BLOCKS:
        if bare.startswith(start):
            return "" if end in bare[len(start) :] else end
    return ""


def is_licence_notice(text: str) -> bool:
    """Whether the text speaks of a licence or of whose work it is."""
    return bool(_NOTICE.search(text.lower()))


def comment_text(lines: "list[str]") -> str:
    """Lines as one text without signs of comments."""
    return " ".join(" ".join(_SIGNS.sub("", line.rstrip(_CLOSING)) for line in lines).split())


def normalised_text(lines: "list[str]") -> str:
    """The same in small letters, without years."""
    return " ".join(_YEARS.sub(" ", comment_text(lines)).lower().split())
