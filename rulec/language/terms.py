"""What a sentence names exactly: code, paths, flags and symbols."""

import re
from dataclasses import dataclass
from typing import Literal

from rulec.domain.files import languages
from rulec.language.words import ABBREVIATIONS

TermKind = Literal["code", "path", "flag", "symbol"]

# Suffixes by which a word in a sentence is a file; of those with one letter only C's are seen in prose.
FILE_SUFFIXES = frozenset(
    suffix
    for suffixes in languages.SUFFIXES_BY_KIND.values()
    for suffix in suffixes
    if suffix.islower() and suffix.isalnum() and (len(suffix) > 1 or suffix in "ch")
)
SUFFIX_PATTERN = "|".join(sorted(FILE_SUFFIXES))
_TERM = re.compile(
    r"`(?P<tick>[^`\n]{1,200})`"
    r'|(?<!\w)"(?P<double>[^"\n]{1,120})"(?!\w)'
    r"|(?<!\w)'(?P<single>[^'\n]{1,120})'(?!\w)"
    r"|\u201c(?P<curly>[^\u201d\n]{1,120})\u201d"
    r"|(?P<url>\bhttps?://\S+)"
    r"|(?<![\w/.-])@?(?P<path>(?:~|\.{1,2})?/[\w.*@{}-](?:/?[\w.*@{}-])*/?|(?:[\w.*@-]+/){2,}[\w.*@-]*|[\w.*@-]+/(?![\w])"
    rf"|(?:[\w*@-][\w.*@-]*/)*(?!console\.|process\.env\b)[\w*-][\w.*-]*\.(?:{SUFFIX_PATTERN})\b(?![\w(])|"
    rf"\.[a-zA-Z][\w.-]*\w(?:/[\w.*-]*[\w*])*/?|\*\.\w+)"
    r"|(?<![\w-])(?P<flag>--?[a-zA-Z][\w-]*)"
    r"|\b(?P<symbol>[a-z]+[A-Z]\w*(?:\(\))?|[A-Z][a-z0-9]+[A-Z]\w*(?:\(\))?|[A-Za-z]\w*_\w+(?:\(\))?"
    r"|[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)+(?:\(\))?|[A-Za-z_]\w*\(\))"
)


@dataclass(frozen=True, slots=True)
class Term:
    """Something named exactly."""

    text: str
    kind: TermKind


def terms(text: str) -> tuple[Term, ...]:
    """Exact names in order, without repeats and web addresses."""
    found: dict[str, Term] = {}
    for match in _TERM.finditer(text):
        group, value = match.lastgroup or "", match[match.lastgroup or 0].strip()
        kind = _KINDS.get(group)
        if kind is None or not value or value.lower() in _NO_TERMS:
            continue
        if kind == "code":
            found.setdefault(value, Term(value, "path" if _is_path(value) else "code"))
        else:
            found.setdefault(value, Term(value.rstrip(".,"), kind))
    return tuple(found.values())


def _is_path(value: str) -> bool:
    found = None if " " in value else _TERM.fullmatch(value)
    return bool(found and found["path"])


_KINDS: dict[str, TermKind] = {
    "tick": "code", "double": "code", "single": "code", "curly": "code", "path": "path", "flag": "flag",
    "symbol": "symbol",
}  # fmt: skip
_NO_TERMS = frozenset({*ABBREVIATIONS, "node.js", "next.js", "vue.js", "a.k.a"})
