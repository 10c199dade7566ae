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
from rulec.sentences.names import Names
from rulec.sentences.reading import read_beginning

_TELLING = ("command", "file", "edit", "message")  # kinds of examples that an option can say


JUDGED = "--judge"


def line_to_type(statement: str, names: Names) -> str:
    """``rulec add`` with a check of what the statement begins with; with a model as the judge of all that it says.

    A word that is merely named is no reason to refuse it: "only in src/" forbids nothing in src/.
    """
    said = f"rulec add {shlex.quote(to_one_line(statement))}"
    read = read_beginning(statement, names)
    draft = draft_of(read, names) if read else None
    whole = draft and len(draft.checks) == 1 and draft.invalid[0].kind in _TELLING
    return f"{said} {' '.join(_options(draft))}" if draft and whole else f"{said} {JUDGED}"


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
