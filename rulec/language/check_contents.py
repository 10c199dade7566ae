"""What the checks of a rule look at, and whether that covers what a statement names."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from rulec.domain.files import globs, languages
from rulec.domain.rule import Check, Example
from rulec.language.statement_parts import NamedThing
from rulec.language.words import words_in_code

MOST_PATTERN = 2_000  # characters of a parameter that is tried as a regular expression
ADVICE = ("instead", "first")  # parameters that tell what to do in its place, and decide nothing
_SIGNS, _PARTS = 2, 24  # of a text that may be known again by its form
_PLACEHOLDER = re.compile(r"<[^<>]*>|\{[^{}]*\}|\[[^\[\]]*\]|\.{3}|…|\b[A-Z]{2,}\b(?![./])")
_COMMENT = re.compile(r"(?m)(?:^|(?<=\s))(?:#(?!!)|//|--\s|/\*|<!--).*$")


@dataclass(frozen=True, slots=True)
class CheckContents:
    """What the checks of a rule look at: all texts, and those of them that decide and may be patterns or globs."""

    texts: tuple[str, ...]
    patterns: tuple[str, ...]

    def sees(self, one: NamedThing) -> bool:
        """Whether a text, a pattern, a glob or the words of a command cover what is named."""
        if one.kind == "number":
            return self._number(one.text)
        if one.kind == "language":
            return self._language(one.text)
        if one.kind in ("code", "quoted") and _PLACEHOLDER.search(one.text):
            pieces = [_normalized(piece.strip(" -_/.:,()")) for piece in _PLACEHOLDER.split(one.text)]
            return all(map(self._covers, filter(None, pieces))) or self._shaped(one.text)
        plain = _normalized(one.text)
        return not plain or self._covers(plain) or (one.kind in ("code", "quoted") and self._shaped(one.text))

    def _covers(self, plain: str) -> bool:
        return self._stands(plain) or self._command(plain) or self._matched(plain) or self._placed(plain)

    def _shaped(self, text: str) -> bool:
        """Whether a text has its form, with other words: feat(api): add x for type(scope): summary."""
        parts = re.findall(r"\w+|\s+|[^\w\s]", _PLACEHOLDER.sub("x", text).strip())
        signs = [part for part in parts if not (part[0].isalnum() or part[0] == "_" or part.isspace())]
        if len(signs) < _SIGNS or len(parts) > _PARTS:
            return False
        form = "".join(
            r"\w+" if part[0].isalnum() or part[0] == "_" else r"\s+" if part.isspace() else re.escape(part)
            for part in parts
        )
        return any(re.search(form, known[:MOST_PATTERN]) for known in self.texts)

    def _number(self, text: str) -> bool:
        whole = int(text) if text.isdigit() and len(text) < 9 else None
        near = {text} if whole is None else {str(whole + by) for by in (-1, 0, 1)}
        if any(near & set(re.findall(r"\d+(?:\.\d+)*", known)) for known in self.patterns):
            return True
        return any(text in re.findall(r"\d+(?:\.\d+)*", known) for known in self.texts)

    def _language(self, text: str) -> bool:
        """Whether a check names the language or its suffix, or an example is a file of it."""
        name = languages.SPOKEN_NAMES.get(text.lower(), text.lower())
        known = {
            name,
            *(other for other, same in languages.SPOKEN_NAMES.items() if same == name),
            *languages.SUFFIXES[name],
        }
        if known & words_in_code(self.patterns):
            return True
        return any(globs.match(languages.globs_of(name), text) for text in self.texts if "\n" not in text and text)

    def _stands(self, plain: str) -> bool:
        """The very text, between signs that are no part of a word; backslashes of a pattern do not count."""
        whole = re.compile(
            rf"(?<![a-z0-9_]){re.escape(plain)}(?![a-z0-9_])" if plain[-1:].isalnum() else re.escape(plain)
        )
        return any(whole.search(_normalized(known.replace("\\", ""))) for known in (*self.texts, *self.patterns))

    def _command(self, plain: str) -> bool:
        """Each word in one of the texts, or the pattern of a command with which it begins."""
        words = plain.split()
        for known in self.patterns:
            ways = [set(_normalized(word).split("|")) for word in known.split()]
            if ways and len(ways) <= len(words) and all(word in way for word, way in zip(words, ways, strict=False)):
                return True
        if len(words) < 2:
            return False
        flat = [set(re.split(r"[\s|,;()'\"=]+", known.lower())) for known in (*self.texts, *self.patterns)]
        return any(set(words) <= some for some in flat)

    def _matched(self, plain: str) -> bool:
        """Whether the pattern finds the thing and is not one that finds anything."""
        for pattern in self.patterns:
            if len(pattern) > MOST_PATTERN:
                continue
            try:
                made = re.compile(pattern, re.IGNORECASE)
                if made.search(plain) and not any(map(made.search, ("", "zqxj", "zqxj zqxj"))):
                    return True
            except (re.error, RecursionError, OverflowError):
                continue
        return False

    def _placed(self, plain: str) -> bool:
        """A glob holds it: the file, a file in the folder, a file of that ending."""
        made = plain.replace("**", "x").replace("*", "x")
        ways = (made, f"{made.rstrip('/')}/x", f"x{made}") if made.startswith(".") else (made, f"{made.rstrip('/')}/x")
        bounds = [pattern for pattern in self.patterns if pattern.strip("*/") and " " not in pattern]
        return any(globs.match([bound], way.lstrip("/")) for bound in bounds for way in ways)


def _normalized(text: str) -> str:
    """A text without what makes no difference to what it names."""
    text = " ".join(text.lower().split()).strip("`'\"“”")
    text = text.removeprefix("./").removesuffix("()")
    return text.rstrip("/") or text


def parameter_texts(value: Any) -> Iterator[str]:
    """Every text and number among a check's parameters, with the names of those that are given."""
    if isinstance(value, bool) or value is None:
        return
    if isinstance(value, str | int | float):
        yield str(value)
    elif isinstance(value, Mapping):
        for key, item in value.items():
            if item not in (None, "", [], (), {}, False):
                yield str(key)
            yield from parameter_texts(item)
    elif isinstance(value, list | tuple):
        for item in value:
            yield from parameter_texts(item)


def deciding_parameters(check: Check) -> Iterator[str]:
    """What of a check decides: its template's name, and its parameters but for mere advice."""
    yield check.template.replace("-", " ")
    yield from parameter_texts({key: value for key, value in check.parameters.items() if key not in ADVICE})


def advice_of(check: Check) -> Iterator[str]:
    """What a check's parameters name as the thing to do instead."""
    yield from parameter_texts([check.parameters.get(key) for key in ADVICE])


def texts_of_example(example: Example) -> Iterator[str]:
    """Every text of an example, without comments."""
    comments = example.kind in ("file", "edit", "commit", "command")
    for text in (example.text, example.old, example.args):
        yield _COMMENT.sub("", text) if comments else text
    yield from filter(None, (example.path, *example.gone, *(path for pair in example.moved for path in pair)))
    for path, text in example.files:
        yield from (path, _COMMENT.sub("", text))
    for step in example.steps:
        yield from texts_of_example(step)
