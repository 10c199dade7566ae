"""Globs and patterns for shell scripts: the same expressions in POSIX extended form, for ``grep -E``."""

import re

from rulec.domain.files import globs

_SPECIAL = "\\^$.[]|()*+?{}"
_KEPT = "bBwWsS"  # as GNU, BSD and musl know them
_SIGNS = {"t": "\t", "r": "\r", "f": "\f", "v": "\v", "A": "^", "Z": "$"}
_INSIDE = {**_SIGNS, "n": "", "d": "0-9", "w": "[:alnum:]_", "s": "[:space:]"}  # grep sees one line, without its end
_CODE = re.compile(r"(?<!\\)((?:\\\\)*)\\(x[0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|U[0-9a-fA-F]{8})")
WIDEST = 4096
_LAZY = ("*?", "+?", "??", "}?")


def glob_to_ere(glob: str) -> str:
    """``globs.regex`` in POSIX form; a newline in a name is the sign that scripts print for it."""
    return regex_to_ere(globs.regex(glob)).replace("\n", "\x01")


def regex_to_ere(pattern: str) -> str:
    """The pattern in POSIX form; ValueError where it says what POSIX cannot."""
    pattern = _CODE.sub(_char, pattern)
    out, at = "", 0
    while at < len(pattern):
        char = pattern[at]
        if char == "\\" and at + 1 < len(pattern):
            out += _escaped(pattern[at + 1])
            at += 2
        elif char == "[":
            text, at = _brackets(pattern, at)
            out += text
        elif pattern.startswith("(?", at):
            if not pattern.startswith("(?:", at):
                raise ValueError(f"{pattern[at : at + 4]!r} has no POSIX form")
            out, at = out + "(", at + 3
        elif pattern.startswith(_LAZY, at):
            out, at = out + char, at + 2
        else:
            out, at = out + char, at + 1
    return out


def _char(found: "re.Match[str]") -> str:
    char = chr(max(1, min(int(found[2][1:], 16), 0x10FFFF)))  # no text of a shell holds a zero
    return found[1] + ("\\" + char if char in _SPECIAL else char)


def _escaped(char: str) -> str:
    if char == "d":
        return "[0-9]"
    if char == "D":
        return "[^0-9]"
    if char in _SIGNS:
        return _SIGNS[char]
    if char in _KEPT:
        return "\\" + char
    if char.isalnum():
        raise ValueError(f"'\\{char}' has no POSIX form")
    return "\\" + char if char in _SPECIAL else char


def _brackets(pattern: str, at: int) -> "tuple[str, int]":
    """A bracket expression: POSIX knows no escapes in it, so that "]", "^" and "-" go where they mean themselves."""
    at += 1
    negated = pattern.startswith("^", at)
    at += negated
    items: list[str] = []
    while at < len(pattern) and (pattern[at] != "]" or not items):
        item, at = _item(pattern, at)
        items.append(item)
    first = "]" if "]" in items else ""
    middle = "".join(item for item in items if item not in ("]", "^", "-"))
    last = ("^" if "^" in items else "") + ("-" if "-" in items else "")
    if not first + middle + last:
        return "." if negated else "[^[:print:][:cntrl:]]", at + 1
    if not first + middle and last.startswith("^") and not negated:
        return "\\^" if last == "^" else "[-^]", at + 1
    return f"[{'^' if negated else ''}{first}{middle}{last}]", at + 1


def _item(pattern: str, at: int) -> "tuple[str, int]":
    """One sign, class or range between brackets, and where the next one begins."""
    char, after = pattern[at], pattern[at + 1 : at + 2]
    if char == "\\" and after:
        if after.isalnum() and after not in _INSIDE:
            raise ValueError(f"'\\{after}' in brackets has no POSIX form")
        return _INSIDE.get(after, after), at + 2
    end = pattern[at + 2 : at + 3]
    if after == "-" and end not in ("", "]", "\\"):
        return _range(char, end), at + 3
    return ("[.[.]" if char == "[" and after in (".", ":", "=") else char), at + 1


def _range(first: str, last: str) -> str:
    """A range; its signs where locales order them differently, and C.UTF-8 of older systems not at all."""
    if first in "]^[" or ord(last) - ord(first) > WIDEST:
        raise ValueError(f"the range {first}-{last} has no POSIX form")
    if last <= "\x7f":
        return f"{first}-{last}"
    return "".join(map(chr, range(ord(first), ord(last) + 1)))
