"""The verb for git hooks that need no pre-commit."""

import sys

import click

from rulec.cli._root import end, rulec, top


@rulec.group()
def hook() -> None:
    """Git hooks without pre-commit: install and uninstall."""


@hook.command()
@click.option("--pre-push", "push", is_flag=True, help="Also judge what is pushed and no gate has seen.")
@click.option("--instead", is_flag=True, help="Also take the place of pre-commit's hooks, and run them first.")
def install(*, push: bool, instead: bool) -> None:
    """Gate commits, messages and, if wanted, pushes; a hook that stands there is still run."""
    from rulec.commands import hook as command

    end(command.install(top(), push=push, instead=instead))


@hook.command()
def uninstall() -> None:
    """Take them out, and put back what stood there before."""
    from rulec.commands import hook as command

    end(command.uninstall(top()))


@hook.command(hidden=True)
@click.argument("remote", default="")
def pushed(*, remote: str) -> None:
    """For git: judge what is about to be pushed, as standard input names it."""
    from rulec.commands import pushed as command

    end(command.run(top(), remote, sys.stdin.read() if remote else None))


@hook.command(hidden=True)
def ended() -> None:
    """For agents' hooks: what judges say of the files that standard input names, as JSON."""
    from rulec.commands import ended as command

    end(command.run(top(), sys.stdin.read()))
