"""The line to type where a sentence was not understood: a check of what it names, with examples."""

import json
import shlex
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from rulec.domain.candidate import Draft
from rulec.domain.rule import Example
from rulec.domain.text.one_line import to_one_line
from rulec.rulebook.example_file import example_data
from rulec.sentences.drafts import draft_of
from rulec.sentences.literals import tokens_of, word_table
from rulec.sentences.names import Names
from rulec.sentences.reading import Act, Reading, literal_at

_NEGATING = word_table("never not no don't dont avoid stop instead over without except")
_ACTS: dict[str, Act] = {"path": "edit", "branch": "push"}
_TELLING = ("command", "file", "edit", "message")  # kinds of examples that an option can say


def line_to_type(statement: str, names: Names) -> str:
    """``rulec add`` with a check of what the statement names; with a model as the judge where it names nothing."""
    said = f"rulec add {shlex.quote(to_one_line(statement))}"
    draft = next(_drafts(statement, names), None)
    return f"{said} {' '.join(_options(draft))}" if draft else f"{said} --judge"


def _drafts(statement: str, names: Names) -> Iterator[Draft]:
    """Drafts of single things that the statement names, first of what follows a word that refuses."""
    tokens = tokens_of(statement)
    refused = next((at for at, token in enumerate(tokens) if token.norm in _NEGATING), 0)
    for at in [*range(refused, len(tokens)), *range(refused)]:
        thing = literal_at(tokens, at, names)
        if thing:
            made = draft_of(Reading(act=_ACTS.get(thing.kind, "use"), things=(thing,)), names)
            if made and len(made.checks) == 1 and made.invalid[0].kind in _TELLING:
                yield made


def _options(draft: Draft) -> Iterator[str]:
    (check,) = draft.checks
    yield f"--check {check.template}"
    for name, value in check.parameters.items():
        yield f"--with {shlex.quote(f'{name}={_value(value)}')}"
    for option, examples in (("--invalid", draft.invalid[:1]), ("--valid", draft.valid[:1])):
        yield from (f"{option} {shlex.quote(_example(one))}" for one in examples)


def _value(value: Any) -> str:
    if not isinstance(value, list):
        return str(value)
    return json.dumps(value) if len(value) > 1 else str(value[0])


def _example(example: Example) -> str:
    if example.kind == "command":
        return example.text
    return json.dumps(example_data(replace(example, source="")), ensure_ascii=False)
