"""``rulec templates``: the check templates at hand, and one of them in full."""

import json
import textwrap
from pathlib import Path
from typing import Any

from rulec.commands._build import library
from rulec.commands._outcome import Outcome
from rulec.model.template import Parameter, Template

WIDTH = 100
_FORM = ("avoid", "prefer", "why", "parameters", "limits")


def run(top: Path) -> Outcome:
    """Every template in a line: its name, the kinds of check it makes, whose it is, and why one would want it."""
    found = library(top).templates().values()
    data = [
        {"name": one.name, "kinds": list(one.kinds), "of": _of(one, top), "why": " ".join(one.why.split())}
        for one in found
    ]
    width, kinds = (max(len(text) for text in texts) for texts in zip(*map(_columns, found), strict=True))
    lines = []
    for one, told in zip(found, data, strict=True):
        name, kind = _columns(one)
        ours = "" if told["of"] == "rulec" else "(yours) "
        lines.append(f"{name:{width}}  {kind:{kinds}}  {ours}{told['why']}")
    return Outcome("\n".join(lines), data=data)


def show(top: Path, name: str) -> Outcome:
    """One template: Avoid, Prefer, Why, Parameters, Limits, always in this order."""
    one = library(top).template(name)
    data = {
        "name": one.name,
        "kinds": list(one.kinds),
        "of": _of(one, top),
        "avoid": one.avoid,
        "prefer": one.prefer,
        "why": one.why,
        "parameters": [_parameter(parameter) for parameter in one.parameters],
        "limits": one.limits,
        "cases": {
            "invalid": sum(len(case.invalid) for case in one.cases),
            "valid": sum(len(case.valid) for case in one.cases),
        },
    }
    lines = [f"{one.name} ({', '.join(one.kinds)}; {data['of']})"]
    for part in _FORM:
        text = _parameters(one) if part == "parameters" else _text(getattr(one, part), prose=part in ("why", "limits"))
        lines += ["", part.capitalize(), textwrap.indent(text, "  ")]
    return Outcome("\n".join(lines), data=data)


def _columns(one: Template) -> tuple[str, str]:
    return one.name, " ".join(one.kinds)


def _of(one: Template, top: Path) -> str:
    """Whose template it is: rulec's, or the file of the team's own."""
    path = Path(one.source)
    return str(path.relative_to(top)) if path.is_relative_to(top / ".rules") else "rulec"


def _parameter(parameter: Parameter) -> dict[str, Any]:
    return {
        "name": parameter.name,
        "type": parameter.type,
        "required": parameter.required,
        "default": parameter.default,
        "choices": list(parameter.choices),
        "doc": parameter.doc,
    }


def _parameters(one: Template) -> str:
    lines = []
    for parameter in one.parameters:
        default = "required" if parameter.required else f"default {json.dumps(parameter.default, ensure_ascii=False)}"
        choices = f"one of {', '.join(filter(None, parameter.choices))}" if parameter.choices else ""
        about = "; ".join(filter(None, (parameter.type, default, choices)))
        lines += [
            f"{parameter.name}: {parameter.doc}",
            *textwrap.wrap(f"({about})", WIDTH, initial_indent="  ", subsequent_indent="  ", break_on_hyphens=False),
        ]
    return "\n".join(lines) or "none"


def _text(text: str, *, prose: bool) -> str:
    return "\n".join(textwrap.wrap(" ".join(text.split()), WIDTH)) if prose else text.rstrip("\n")
