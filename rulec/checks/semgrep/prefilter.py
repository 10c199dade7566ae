"""What a text must hold for a Semgrep rule to match in it, as Semgrep's core says of each rule."""

import json
import re
from collections.abc import Iterable, Mapping
from typing import Any

Condition = Any  # JSON: True | "literal" | ["&", Need, ...] | ["|", Need, ...] | ["i", "literal in any case"]
_WORD = re.compile(r"\w+")
# Of core's regular expressions those that every engine reads alike: some words, one of which must be there.
_WORDS = re.compile(r"(?P<fold>\(\?i\))?(?P<open>\((?:\?:)?)?(?P<words>[A-Za-z0-9_]+(?:\|[A-Za-z0-9_]+)*)(?(open)\))")


def printed_conditions(printed: str) -> dict[str, Condition]:
    """The condition of each rule by its id, as the core printed them; none where it printed something else."""
    try:
        return {str(one["rule_id"]): _read(one["filter"]) for one in json.loads(printed)}
    except (ValueError, KeyError, TypeError):
        return {}


def _read(said: Any) -> Condition:
    if not (isinstance(said, list) and len(said) == 2):
        return True
    name, inner = said
    if name == "Some":
        return _read(inner)
    if name == "Pred" and inner[0] == "Idents":
        return _all([str(literal) for literal in inner[1]])
    if name == "Pred" and inner[0] == "Regexp":
        return _of_pattern(str(inner[1]))
    parts = [_read(one) for one in inner] if name in ("And", "Or") and inner else [True]
    return _all(parts) if name == "And" else _any(parts)


def _of_pattern(pattern: str) -> Condition:
    found = _WORDS.fullmatch(pattern)
    if found is None:
        return True
    words = found["words"].split("|")
    return _any([["i", word] for word in words] if found["fold"] else list(words))


def _all(parts: list[Condition]) -> Condition:
    known = [part for part in parts if part is not True]
    return (known[0] if len(known) == 1 else ["&", *known]) if known else True


def _any(parts: list[Condition]) -> Condition:
    if True in parts:
        return True
    return parts[0] if len(parts) == 1 else ["|", *parts]


class SearchedTexts:
    """Many texts, each of whose words is looked at once, whatever number of rules ask and of texts have it."""

    def __init__(self, texts: Mapping[str, str]) -> None:
        self._texts = texts
        self._by_word: dict[str, list[str]] = {}
        for name, text in texts.items():
            for word in set(_WORD.findall(text)):
                self._by_word.setdefault(word, []).append(name)
        self._words = "\n".join(self._by_word)
        self._folded: tuple[str, dict[str, list[str]]] | None = None
        self._known: dict[str, frozenset[str]] = {}
        self.names = frozenset(texts)

    def meeting(self, need: Condition) -> frozenset[str]:
        """The names of the texts that meet a condition."""
        if need is True:
            return self.names
        if isinstance(need, str):
            return self._having(need)
        sign, *parts = need
        if sign == "i":
            return self._in_any_case(parts[0])
        found = self.meeting(parts[0])
        for part in parts[1:]:
            found = found & self.meeting(part) if sign == "&" else found | self.meeting(part)
        return found

    def _having(self, literal: str) -> frozenset[str]:
        """Those that hold a literal anywhere, also within a word."""
        if literal not in self._known:
            runs = _WORD.findall(literal)
            found = self.names
            for run in runs:
                found &= self._within(run, self._words, self._by_word)
            if runs != [literal]:
                found = frozenset(name for name in found if literal in self._texts[name])
            self._known[literal] = found
        return self._known[literal]

    def _in_any_case(self, literal: str) -> frozenset[str]:
        if self._folded is None:
            by_word: dict[str, list[str]] = {}
            for word, names in self._by_word.items():  # folded so far that what PCRE takes for the same is the same
                by_word.setdefault(word.casefold(), []).extend(names)
            self._folded = "\n".join(by_word), by_word
        return self._within(literal.casefold(), *self._folded)

    def _within(self, run: str, words: str, by_word: Mapping[str, Iterable[str]]) -> frozenset[str]:
        """The names under every word that a run of letters is a part of: no word goes beyond its text."""
        found = set(by_word.get(run, ()))
        at = words.find(run)
        while at >= 0 and len(found) < len(self.names):
            end = words.find("\n", at)
            end = end if end >= 0 else len(words)
            found.update(by_word[words[words.rfind("\n", 0, at) + 1 : end]])
            at = words.find(run, end)
        return frozenset(found)
