"""The verbs that look into the rulebook and turn it back: rules, show, templates, why, log, rollback."""

import click

from rulec.cli._root import FORMAT, NO_COMMIT, end, rulec, top


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


@rulec.command()
@click.argument("slug")
def why(*, slug: str) -> None:
    """Say whose words a rule is, what it did, and how sure it is."""
    from rulec.commands import why as command

    end(command.run(top(), slug))


@rulec.command()
@click.argument("slug")
def log(*, slug: str) -> None:
    """List the commits that made and changed a rule."""
    from rulec.commands import why as command

    end(command.log(top(), slug))


@rulec.command()
@click.argument("slug")
@click.option("--to", default="", help="The revision to go back to; by default before the last change.")
@NO_COMMIT
def rollback(*, slug: str, to: str, no_commit: bool) -> None:
    """Bring a rule back to an earlier state."""
    from rulec.commands import rollback as command

    end(command.run(top(), slug, to, into_git=not no_commit))
