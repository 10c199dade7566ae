"""rulec templates: lists the check templates, or shows one in full."""

import json
import re
import textwrap
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from rulec.checks.guard import guard_schema
from rulec.compiling.artifacts import template_library
from rulec.domain.outcome import Outcome
from rulec.domain.template import Template, TemplateCase, TemplateParameter
from rulec.rulebook import example_file
from rulec.services.asking import template_catalogue

WIDTH = 100
SHOWN = 4  # examples of each side of a case
_FORM = ("checks", "avoid", "prefer", "parameters", "limits")


def list_templates(top: Path) -> Outcome:
    """Every template in a line: name, kinds of check, owner, what it checks."""
    found = template_library(top).templates().values()
    data = [
        {"name": one.name, "kinds": list(one.kinds), "of": _owner_of(one, top), "checks": one.checks} for one in found
    ]
    width, kinds = (max(len(text) for text in texts) for texts in zip(*map(_columns, found), strict=True))
    lines = []
    for one, told in zip(found, data, strict=True):
        name, kind = _columns(one)
        ours = "" if told["of"] == "rulec" else "(yours) "
        lines.append(f"{name:{width}}  {kind:{kinds}}  {ours}{told['checks']}")
    return Outcome("\n".join(lines), data=data)


def show_template(top: Path, name: str) -> Outcome:
    """One template in full: Checks, Avoid, Prefer, Parameters, Limits, Cases."""
    one = template_library(top).template(name)
    data = {
        "name": one.name,
        "kinds": list(one.kinds),
        "of": _owner_of(one, top),
        "avoid": one.avoid,
        "prefer": one.prefer,
        "checks": one.checks,
        "unit": one.unit,
        "blind": one.blind,
        "parameters": [_parameter(parameter) for parameter in one.parameters],
        "limits": one.limits,
        "cases": [_case(case) for case in one.cases],
    }
    lines = [f"{one.name} ({', '.join(one.kinds)}; {data['of']})"]
    for part in _FORM:
        text = (
            _parameters(one) if part == "parameters" else _text(getattr(one, part), prose=part in ("checks", "limits"))
        )
        lines += ["", part.capitalize(), textwrap.indent(text, "  ")]
    lines += ["", "Cases", *(line for case in one.cases for line in _case_lines(one, case))]
    return Outcome("\n".join(lines), data=data)


def show_catalogue(top: Path) -> Outcome:
    """The catalogue for whoever writes a check."""
    text = template_catalogue.repository_catalogue(top)
    return Outcome(text, data={"catalogue": text, "tokens": template_catalogue.count_catalogue_tokens(text)})


def show_guard_schema(top: Path) -> Outcome:
    """The JSON Schema of raw-guard's parameter, with the descriptions of templates that use its parts."""
    told: dict[tuple[str, str], str] = {}
    for one in template_library(top).templates().values():
        body = Path(one.source).read_text("utf-8").rpartition("#}\n")[2]
        on = _ON.search(body)
        docs = {parameter.name: parameter.doc for parameter in one.parameters}
        for member, name in _MEMBER.findall(body) if on and "guard" in one.kinds else ():
            place = (on[1] if on else "", member)
            if docs.get(name) and (place not in told or member == name):  # of its own name it is told best
                told[place] = docs[name]
    schema = guard_schema.json_schema(lambda kind, member: told.get((kind, member), ""))
    return Outcome(json.dumps(schema, ensure_ascii=False, indent=1), data=schema)


_ON = re.compile(r'"on":\s*"(\w+)"')
_MEMBER = re.compile(r'"(\w+)":\s*(?:\{\{-?\s*)?([a-z]\w*)')  # "globs": {{ globs | tojson }}, or "globs": globs


def _case(case: TemplateCase) -> dict[str, Any]:
    """A case as in a rule file, with a few examples of each side."""
    return {
        "with": dict(case.parameters),
        "kinds": list(case.kinds),
        "invalid": [example_file.example_data(one) for one in case.invalid[:SHOWN]],
        "valid": [example_file.example_data(one) for one in case.valid[:SHOWN]],
    }


def _case_lines(one: Template, case: TemplateCase) -> Iterator[str]:
    """A case as YAML lines, ready to copy into a rule."""
    kinds = f"  # kind: {' or '.join(case.kinds)}" if case.kinds != one.kinds else ""
    yield f"  - with: {_flow(dict(case.parameters))}{kinds}"
    for side, examples in (("invalid", case.invalid), ("valid", case.valid)):
        if examples:
            yield f"    {side}:"
        yield from (f"      - {_flow(example_file.example_data(example))}" for example in examples[:SHOWN])


def _flow(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)


def _columns(one: Template) -> tuple[str, str]:
    return one.name, " ".join(one.kinds)


def _owner_of(one: Template, top: Path) -> str:
    """The owner of a template: rulec, or the team's file."""
    path = Path(one.source)
    return str(path.relative_to(top)) if path.is_relative_to(top / ".rules") else "rulec"


def _parameter(parameter: TemplateParameter) -> dict[str, Any]:
    return {
        "name": parameter.name,
        "type": parameter.type,
        "required": parameter.required,
        "default": parameter.default,
        "choices": list(parameter.choices),
        "kinds": list(parameter.kinds),
        "doc": parameter.doc,
    }


def _parameters(one: Template) -> str:
    lines = []
    for parameter in one.parameters:
        default = "required" if parameter.required else f"default {json.dumps(parameter.default, ensure_ascii=False)}"
        choices = f"one of {', '.join(filter(None, parameter.choices))}" if parameter.choices else ""
        kinds = f"{' and '.join(parameter.kinds)} checks alone" if parameter.kinds else ""
        about = "; ".join(filter(None, (parameter.type, default, choices, kinds)))
        lines += [
            f"{parameter.name}: {parameter.doc}",
            *textwrap.wrap(f"({about})", WIDTH, initial_indent="  ", subsequent_indent="  ", break_on_hyphens=False),
        ]
    return "\n".join(lines) or "none"


def _text(text: str, *, prose: bool) -> str:
    return "\n".join(textwrap.wrap(" ".join(text.split()), WIDTH)) if prose else text.rstrip("\n")
