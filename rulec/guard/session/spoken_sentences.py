"""The sentences of what somebody said, and the words of them that carry meaning."""

import re

from rulec.domain.files.file_kinds import split_words

_SENTENCE = re.compile(r"[.!?;\n]{1,5}(?=\s|$)|\n|,\s+(?:but|then|and then|so)\b")


def split_sentences(text: str) -> "list[str]":
    """The sentences of a turn, and the clauses that stand for themselves, each with the signs that end it."""
    found, at = [], 0
    for end in _SENTENCE.finditer(text):
        clause = end[0].startswith(",")
        found.append(text[at : end.start() if clause else end.end()])
        at = end.start() + 1 if clause else end.end()
    return [one for one in [*found, text[at:]] if one.strip()]


_WORD = re.compile(r"[a-z]{3,}")
_SMALL = frozenset(
    split_words(
        "the that this these those and but for with from into are was were has have had can may will would "
        "should could you "
        "your our its his her their they them one ones two yes sure fine okay good great please just only "
        "also too then now "
        "here there both everything each not all any some who what when where how why about than very it's let get"
    )
)


def stems(text: str) -> "set[str]":
    """The words of a text that carry meaning, without the endings of their forms."""
    return {_stem(word) for word in _WORD.findall(text.lower()) if word not in _SMALL}


def _stem(word: str) -> str:
    for ending in ("ing", "ed", "es", "s", "e"):
        if word.endswith(ending) and len(word) - len(ending) >= 3:
            word = word[: -len(ending)]
            break
    return word[:-1] if len(word) > 3 and word[-1] == word[-2] else word
