"""The templates' own cases, from ``tests/cases/templates``: parameters with examples on both sides of the line."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from rulec.checks.template_library import open_library
from rulec.domain.rule import Example
from rulec.domain.template import Template
from rulec.rulebook import example_file
from rulec.rulebook.yaml_text import YamlNode

FOLDER = Path(__file__).parents[1] / "cases/templates"
TEMPLATES = open_library().templates()


@dataclass(frozen=True, slots=True, kw_only=True)
class TemplateCase:
    """Examples of a template under one set of parameters."""

    parameters: Mapping[str, Any]
    invalid: tuple[Example, ...]
    valid: tuple[Example, ...]


@cache
def cases_of(template: Template) -> tuple[TemplateCase, ...]:
    """The cases of one template."""
    path = FOLDER / f"{template.name}.yaml"
    top = YamlNode.load("cases:\n" + path.read_text("utf-8"), str(path))
    return tuple(_case(node) for node in top.items("cases"))


def _case(node: YamlNode) -> TemplateCase:
    node.known(("with", "invalid", "valid"))
    return TemplateCase(
        parameters=node.mapping("with").plain(),
        invalid=tuple(map(example_file.read_example, node.items("invalid"))),
        valid=tuple(map(example_file.read_example, node.items("valid"))),
    )
