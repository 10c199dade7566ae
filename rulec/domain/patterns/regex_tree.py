"""PCRE patterns through the eyes of Python's own parser: the tree, and which signs match at one place of it."""

import re
import string
import warnings
from collections.abc import Iterable
from re import _parser as parser  # type: ignore[attr-defined]  # typeshed leaves it out
from typing import Any

RegexNode = tuple[Any, Any]  # what it is, and what it holds

_ASCII = 128
_BUCKETS = 64  # signs beyond ASCII share these
_BEYOND = ((1 << _BUCKETS) - 1) << _ASCII
_ALL = (1 << (_ASCII + _BUCKETS)) - 1
_ANY = r"\s\S"
_TOKEN = re.compile(
    r"\\(?:(?P<escape>[xpP]\{\^?\w+\}|.))|(?P<bar>\|)|\(\?(?P<flags>[imsxnJU]*(?:-[imsxnJU]+)?)(?P<end>[:)])"
    r"|(?P<named>\(\?(?:P?<\w+>|'\w+'|\|))|\[(?P<first>\^?\]?)(?P<items>(?:\\.|\[:\^?\w+:\]|[^\]\\])*)\]",
    re.DOTALL,
)
_ITEM = re.compile(r"\\(?P<escape>[xpP]\{\^?\w+\}|.)|\[:(?P<posix>\^?\w+):\]|(?P<sign>[\[&~|])", re.DOTALL)
_POSIX = {
    "alpha": "a-zA-Z", "digit": "0-9", "alnum": "a-zA-Z0-9", "upper": "A-Z", "lower": "a-z", "space": r"\s",
    "word": r"\w", "xdigit": "0-9a-fA-F", "blank": r" \t", "punct": re.escape(string.punctuation),
}  # fmt: skip
_SETS = {  # PCRE's own escapes, as items between brackets; where there is none, any sign at all
    "h": r" \t", "v": r"\n\v\f\r", "R": r"\r\n", "e": r"\x1b",
    "N": _ANY, "H": _ANY, "V": _ANY, "C": _ANY, "X": _ANY,
    "p{L": r"a-zA-Z\u0080-\U0010ffff", "p{N": r"0-9\u0080-\U0010ffff", "p{Z": r"\s\u0080-\U0010ffff",
}  # fmt: skip
_NOWHERE = {"K": "(?=)", "G": "(?=)", "z": r"\Z"}
_FLAGS = {"i": re.IGNORECASE, "s": re.DOTALL, "x": re.VERBOSE}


class UnreadablePatternError(ValueError):
    """A pattern that says what Python's parser does not know, or that nobody can read."""


def parse_regex(pattern: str) -> tuple[list[RegexNode], int]:
    """The tree of a pattern and its flags; what PCRE writes otherwise than Python is put in Python's words first."""
    flags = 0
    for token in _TOKEN.finditer(pattern):
        for sign in (token["flags"] or "").partition("-")[0]:
            flags |= _FLAGS.get(sign, 0)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of brackets in brackets, which are signs in both
            return list(parser.parse(_TOKEN.sub(_pythonic, pattern), flags)), flags
    except (re.error, OverflowError, RecursionError) as error:
        raise UnreadablePatternError(str(error)) from None


def _pythonic(token: "re.Match[str]") -> str:
    if token["bar"]:
        return "|(?=)"  # else the parser makes one set of a|b, and that both match the same sign is lost
    if token["end"]:
        return "(?:" if token["end"] == ":" else "(?=)"
    if token["named"]:
        return "("
    if token["items"] is not None:
        return f"[{token['first']}{_ITEM.sub(_item, token['items'])}]"
    escape = token["escape"]
    items = _own(escape)
    return f"[{items}]" if items else _NOWHERE.get(escape, token[0])


def _item(found: "re.Match[str]") -> str:
    """One item between brackets."""
    if found["posix"]:
        return _POSIX.get(found["posix"], _ANY)
    return f"\\{found['sign']}" if found["sign"] else _own(found["escape"]) or found[0]


def _own(escape: str) -> str:
    """What stands between brackets for an escape that only PCRE knows; "" for the others."""
    if escape.startswith("x{"):
        return f"\\U{min(int(escape[2:-1], 16), 0x10FFFF):08x}" if re.fullmatch(r"x\{[0-9a-fA-F]+\}", escape) else ""
    if escape[:1] in "pP":
        return _SETS.get(escape[:3], _ANY)
    return _SETS.get(escape, "")


def matched_signs(node: RegexNode, flags: int) -> int | None:
    """The signs that match at one place, as bits; None where the node is no such place."""
    name, value = str(node[0]), node[1]
    if name == "LITERAL":
        found = _bits([value])
    elif name == "NOT_LITERAL":
        return _without(_folded(_bits([value]), flags))
    elif name == "ANY":
        return _ALL if flags & re.DOTALL else _without(_bits([ord("\n")]))
    elif name == "IN":
        found = 0
        for kind, item in value:
            found |= _of_item(str(kind), item)
        found = _folded(found, flags)
        return _without(found) if str(value[0][0]) == "NEGATE" else found
    else:
        return _ALL if name == "GROUPREF" else None
    return _folded(found, flags)


def _of_item(kind: str, item: Any) -> int:
    if kind == "LITERAL":
        return _bits([item])
    if kind == "RANGE":
        low, high = item
        return _bits(range(low, min(high, low + 2 * _ASCII + _BUCKETS) + 1))
    return _CATEGORIES[str(item)] if kind == "CATEGORY" else 0


def _bits(codes: Iterable[int]) -> int:
    found = 0
    for code in codes:
        found |= 1 << (code if code < _ASCII else _ASCII + code % _BUCKETS)
    return found


def _without(signs: int) -> int:
    """All other signs; those beyond ASCII stay, since a bucket holds more than was named."""
    return (_ALL & ~signs) | _BEYOND


def _folded(signs: int, flags: int) -> int:
    if not flags & re.IGNORECASE:
        return signs
    letters = [code for code in range(_ASCII) if signs >> code & 1 and chr(code).isalpha()]
    return signs | _bits(ord(chr(code).swapcase()) for code in letters)


def _category(pattern: str) -> int:
    """In Semgrep a class of signs knows ASCII alone."""
    return _bits(code for code in range(_ASCII) if re.match(pattern, chr(code)))


_CATEGORIES = {
    "CATEGORY_DIGIT": _category(r"\d"), "CATEGORY_NOT_DIGIT": _category(r"\D") | _BEYOND,
    "CATEGORY_SPACE": _category(r"[ \t-\r]"), "CATEGORY_NOT_SPACE": _category(r"[^ \t-\r]") | _BEYOND,
    "CATEGORY_WORD": _category(r"\w"), "CATEGORY_NOT_WORD": _category(r"\W") | _BEYOND,
}  # fmt: skip
