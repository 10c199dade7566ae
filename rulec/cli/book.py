"""The verbs that look into the rulebook: rules, show, templates."""

import click

from rulec.cli._root import FORMAT, end, rulec, top


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
@FORMAT
def templates(*, name: str, form: str) -> None:
    """List the check templates, or show one: avoid, prefer, why, parameters, limits."""
    from rulec.commands import templates as command

    end(command.show(top(), name) if name else command.run(top()), form)
