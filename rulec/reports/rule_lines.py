"""Checks, examples and proof failures of a rule in words, a line each."""

import json
from typing import Any

from rulec.checks.proving.proof import StageFailure
from rulec.domain.redaction import redact
from rulec.domain.rule import Check, Example
from rulec.rulebook import example_file


def check_line(check: Check) -> str:
    """A check in a line: kind, template and parameters."""
    given = " ".join(f"{name}={json.dumps(value, ensure_ascii=False)}" for name, value in check.parameters.items())
    return f"{_check_name(check)} {given}".rstrip()


def _check_name(check: Check) -> str:
    return check.template if check.kind == check.template else f"{check.kind} {check.template}"  # judge is both


def check_in_full(check: Check, indent: int) -> str:
    """A check with every line of its own texts, such as a pattern or a judge's question."""
    own = [value for value in check.parameters.values() if isinstance(value, str) and "\n" in value]
    if len(own) != len(check.parameters):
        return check_line(check)
    lines = [f"{'':{indent}}{line}" for text in own for line in redact(text).strip("\n").splitlines()]
    return "\n".join([_check_name(check), *lines])


def example_line(example: Example) -> str:
    """An example in a line."""
    if example.kind == "session":
        return ", then ".join(map(example_line, example.steps))
    if example.kind == "commit":
        return f"a commit of {', '.join(path for path, _ in example.files)}"
    words = {
        "read": "reads",
        "says": "the person says",
        "stop": "ends the turn",
        "reply": "the agent says",
        "message": "the message",
    }
    text = " ".join(filter(None, (f"{example.path}:" if example.path and example.text else example.path, example.text)))
    failed = ", which fails" if example.failed else ""
    return " ".join(filter(None, (words.get(example.kind, ""), text))) + failed


def failure_json(one: StageFailure) -> dict[str, Any]:
    """A failed proof stage for programs: the example, what was expected and what happened."""
    example = {"example": example_file.example_data(one.example)} if one.example else {}
    given = {"expected": one.expected, "got": one.got, "check": one.check, "why": redact(one.why)}
    return {"what": redact(one.what), **example, **{key: value for key, value in given.items() if value}}
