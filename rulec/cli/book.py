"""The verbs that look into the rulebook: rules, show, templates."""

import click

from rulec.cli._root import FORMAT, end, rulec, top
from rulec.errors import RulecError


@rulec.command()
@FORMAT
def rules(*, form: str) -> None:
    """List the rules."""
    from rulec.commands import rules as command

    end(command.run(top()), form)


@rulec.command()
@click.argument("slug")
def show(*, slug: str) -> None:
    """Print one rule's file."""
    from rulec.commands import rules as command

    end(command.show(top(), slug))


@rulec.command()
@click.argument("name", default="")
@click.option("--template", "named", default="", metavar="NAME", help="The whole of one, with its cases.")
@click.option("--catalogue", is_flag=True, help="All of them in a few pages, for whoever writes a check.")
@click.option("--guard-schema", "schema", is_flag=True, help="The JSON Schema of what raw-guard takes.")
@FORMAT
def templates(*, name: str, named: str, catalogue: bool, schema: bool, form: str) -> None:
    """List the check templates, or show one: what it checks, avoid, prefer, parameters, limits, cases."""
    from rulec.commands import templates as command

    name = name or named
    if bool(name) + catalogue + schema > 1:
        raise RulecError("--catalogue, --guard-schema and a template exclude each other", hint="choose one")
    where = top()
    if schema:
        return end(command.guard_schema(where), "json")
    return end(
        command.catalogue(where) if catalogue else command.show(where, name) if name else command.run(where), form
    )
