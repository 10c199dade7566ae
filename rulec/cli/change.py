"""The verbs by which a person changes a rule: promote, demote, edit, supersede, retire."""

from typing import BinaryIO

import click

from rulec.cli._root import BECAUSE, ENFORCEMENT, ONTO, end, onto, rulec, top
from rulec.errors import RulecError
from rulec.terminal import attended, editor, say

_TO = click.option("--to", type=ENFORCEMENT, default=None, help="This step; auto leaves it to the evidence.")


@rulec.command()
@click.argument("slug")
@_TO
@BECAUSE
@ONTO
def promote(*, slug: str, to: str | None, because: str, no_commit: bool, branch: str | None) -> None:
    """Pin a rule one step firmer: audit, warn, block. Only what is proved may warn or block."""
    from rulec.commands import pin as command

    end(command.run(top(), command.UP, slug, onto(no_commit=no_commit, branch=branch), to=to or "", because=because))


@rulec.command()
@click.argument("slug")
@_TO
@BECAUSE
@ONTO
def demote(*, slug: str, to: str | None, because: str, no_commit: bool, branch: str | None) -> None:
    """Pin a rule one step looser: block, warn, audit."""
    from rulec.commands import pin as command

    end(command.run(top(), command.DOWN, slug, onto(no_commit=no_commit, branch=branch), to=to or "", because=because))


@rulec.command()
@click.argument("slug")
@click.option("--file", "given", type=click.File("rb"), help='What the rule\'s file shall be ("-": standard input).')
@BECAUSE
@ONTO
def edit(*, slug: str, given: BinaryIO | None, because: str, no_commit: bool, branch: str | None) -> None:
    """Open a rule in $VISUAL or $EDITOR; it is written once it is valid and its check proves itself.

    Another slug renames it: the old name goes to the archive, history and evidence stay with the rule.
    """
    from rulec.commands import edit as command

    where = onto(no_commit=no_commit, branch=branch)
    if given is None and not attended():
        raise RulecError("there is nobody to edit: standard input is no terminal", hint="pass --file PATH, or --file -")
    if given is None:
        end(command.run(top(), slug, command.asked(editor, say), where, because=because))
    else:
        name = getattr(given, "name", "-").replace("<stdin>", "standard input")
        end(command.run(top(), slug, command.given(given.read(), name), where, because=because, source=name))


@rulec.command()
@click.argument("old")
@click.argument("new")
@BECAUSE
@ONTO
def supersede(*, old: str, new: str, because: str, no_commit: bool, branch: str | None) -> None:
    """Let the rule NEW take the place of OLD, which goes to the archive."""
    from rulec.commands import supersede as command

    end(command.run(top(), old, new, onto(no_commit=no_commit, branch=branch), because=because))


@rulec.command()
@click.argument("slug")
@click.option(
    "--because",
    "--reason",
    "because",
    required=True,
    metavar="TEXT",
    help="Why; it stays in the archive and the commit.",
)
@ONTO
def retire(*, slug: str, because: str, no_commit: bool, branch: str | None) -> None:
    """Take a rule out of force; it goes to the archive, and rulec rollback brings it back."""
    from rulec.commands import retire as command

    end(command.run(top(), slug, onto(no_commit=no_commit, branch=branch), because=because))
