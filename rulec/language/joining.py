"""Two sentences about one thing -> one sentence that says both."""

import re
from difflib import SequenceMatcher

from rulec.language.statement import LONGEST

_WORD = re.compile(r"[^\W_]+(?:[.'/-][^\W_]+)*")
_SMALL = frozenset(("a", "an", "the", "any", "or", "please"))
_FORBIDS = re.compile(r"\b(?:not|never|no|don't|avoid|without|instead of|rather than)\b", re.IGNORECASE)
_MOST = 3  # words that stand in the one place where two sentences differ


def says_all_of(sentence: str, other: str) -> bool:
    """Whether every word of the other stands in the sentence, in the same order."""
    left = iter(_words(sentence))
    return all(word in left for word in _words(other))


def joined(one: str, other: str) -> str:
    """Both in one sentence where they differ in one place, else one after the other; the first alone if too long."""
    if says_all_of(one, other):
        return one
    if says_all_of(other, one):
        return other
    if max(len(one), len(other)) > LONGEST:
        return one
    text = _spliced(one, other) or f"{one.rstrip()} {other.lstrip()}"
    return text if len(text) <= LONGEST else one


def _spliced(one: str, other: str) -> str:
    """One sentence of two, such as "not npm or yarn" of "not npm" and "not yarn", or ""."""
    mine, theirs = one.rstrip(". ").split(), other.rstrip(". ").split()
    a, b = ([word.casefold() for word in words] for words in (mine, theirs))
    changes = [one for one in SequenceMatcher[str](a=a, b=b, autojunk=False).get_opcodes() if one[0] != "equal"]
    if len(changes) != 1 or changes[0][0] != "replace":
        return ""
    _, start, end, begin, stop = changes[0]
    few = max(end - start, stop - begin) <= _MOST and start >= 1
    if not few or len(mine) - (end - start) < end - start:
        return ""
    comma = mine[end - 1].endswith(",")
    link = "or" if _FORBIDS.search(" ".join(mine[:start])) else "and"
    first, second = " ".join(mine[start:end]).rstrip(","), " ".join(theirs[begin:stop]).rstrip(",")
    return " ".join([*mine[:start], f"{first} {link} {second}{',' * comma}", *mine[end:]]) + "."


def _words(text: str) -> list[str]:
    return [word for word in _WORD.findall(text.casefold()) if word not in _SMALL]
