"""Renders the experiment's own templates, which may include rulec's."""

import functools
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import jinja2

from rulec.checks.template_library import packaged_templates


@functools.cache
def _environment() -> jinja2.Environment:
    folders = [Path(__file__).resolve().parents[1] / "templates", packaged_templates()]
    return jinja2.Environment(
        loader=jinja2.FileSystemLoader(folders),
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        autoescape=lambda name: bool(name) and str(name).endswith(".html.j2"),
    )


def render(name: str, context: Mapping[str, Any]) -> str:
    """The text of a template; pages escape whatever they are given."""
    return _environment().get_template(name).render(**context)
