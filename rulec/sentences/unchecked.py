"""The literals of a statement that no check of its rule holds."""

import re
from collections.abc import Iterator, Mapping
from typing import Any

from rulec.domain.rule import Example, Rule
from rulec.sentences.literals import tokens_of
from rulec.sentences.names import Names
from rulec.sentences.reading import literal_at

_LONGEST_LISTED = 80  # characters of one literal
_PLACEHOLDER = re.compile(r"<[^<>]*>|\{[^{}]*\}|\.{3}|\u2026|\*+")
_ESCAPE = re.compile(r"\\[bsSdDwWnt]?")
_WORD = re.compile(r"[^\W_]+")


def unheld_literals(rule: Rule) -> tuple[str, ...]:
    """The code spans, commands, paths and calls of a statement that stand in no check, example or ``not_checked``.

    Nothing is listed of a rule without checks, which only reminds, and of one that a model judges by its words.
    """
    if not rule.checks or any(check.kind == "judge" for check in rule.checks):
        return ()
    held = {word for text in _held_texts(rule) for word in _words(text)}
    literals = dict.fromkeys(_literals(rule.statement))
    return tuple(text[:_LONGEST_LISTED] for text in literals if not held.issuperset(_words(text)))


def _literals(statement: str) -> Iterator[str]:
    tokens, names, at = tokens_of(statement), Names(), 0
    while at < len(tokens):
        thing = literal_at(tokens, at, names)
        text = tokens[at].text if tokens[at].kind == "code" else thing.text if thing else ""
        if text:
            yield text
        at += 1 if tokens[at].kind == "code" else max(1, len(text.split()))


def _words(text: str) -> set[str]:
    """The words of a text that may be code, a path or a pattern, without its placeholders."""
    return set(_WORD.findall(_PLACEHOLDER.sub(" ", _ESCAPE.sub(" ", text)).casefold()))


def _held_texts(rule: Rule) -> Iterator[str]:
    yield from (rule.do, *rule.not_checked, *rule.scope.include, *rule.scope.exclude)
    for check in rule.checks:
        yield check.template
        yield from _texts(check.parameters)
    for exempt in rule.exceptions:
        yield from (exempt.because, exempt.when, *exempt.scope.include, *exempt.commands)
    spared = (example for exempt in rule.exceptions for example in exempt.valid)
    for example in (*rule.invalid, *rule.valid, *spared):
        yield from _texts_of_example(example)


def _texts(value: Any) -> Iterator[str]:
    if isinstance(value, Mapping):
        yield from (text for pair in value.items() for one in pair for text in _texts(one))
    elif isinstance(value, list | tuple):
        yield from (text for one in value for text in _texts(one))
    elif value is not None:
        yield str(value)


def _texts_of_example(example: Example) -> Iterator[str]:
    yield from (example.text, example.old, example.args, example.path, *example.gone)
    yield from (text for pair in (*example.files, *example.moved) for text in pair)
    for step in example.steps:
        yield from _texts_of_example(step)
