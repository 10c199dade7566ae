"""Checks, examples and texts in a line each."""

import json
from typing import Any

from rulec import examplefile
from rulec.model.proof import Failure
from rulec.model.rule import Check, Example
from rulec.redact import redact

WIDTH = 100


def told(check: Check) -> str:
    """A check in a line: kind, template and what it was given."""
    given = " ".join(f"{name}={json.dumps(value, ensure_ascii=False)}" for name, value in check.parameters.items())
    return f"{_named(check)} {given}".rstrip()


def _named(check: Check) -> str:
    return check.template if check.kind == check.template else f"{check.kind} {check.template}"  # judge is both


def whole(check: Check, indent: int) -> str:
    """A check, with every line of what somebody wrote in their own words: a yes is a yes to it."""
    own = [value for value in check.parameters.values() if isinstance(value, str) and "\n" in value]
    if len(own) != len(check.parameters):
        return told(check)
    lines = [f"{'':{indent}}{line}" for text in own for line in redact(text).strip("\n").splitlines()]
    return "\n".join([_named(check), *lines])


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


def failure(one: Failure) -> dict[str, Any]:
    """What a proof failed on, for programs: the very example, what was to come of it and what came."""
    example = {"example": examplefile.plain(one.example)} if one.example else {}
    given = {"expected": one.expected, "got": one.got, "check": one.check, "why": redact(one.why)}
    return {"what": redact(one.what), **example, **{key: value for key, value in given.items() if value}}


def short(text: str) -> str:
    """A text in one line that fits a screen."""
    line = " ".join(text.split())
    return line if len(line) <= WIDTH else line[: WIDTH - 1] + "…"
