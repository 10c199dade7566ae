"""The verb by which a person narrows a rule: exception."""

import click

from rulec.cli._root import ONTO, end, onto, rulec, top


@rulec.command()
@click.argument("slug")
@click.option("--path", default="", metavar="GLOB", help="Files there, and commands that run there.")
@click.option("--command", default="", metavar="TEXT", help="This form of a command, with whatever follows it.")
@click.option("--agent", default="", metavar="NAME", help="What this agent does, such as claude-code.")
@click.option(
    "--because", "--reason", "because", required=True, metavar="TEXT", help="Why; it stands in the rule and the commit."
)
@click.option("--once", is_flag=True, help="Only note that it did not hold this time; three alike make a case.")
@ONTO
def exception(
    *, slug: str, path: str, command: str, agent: str, because: str, once: bool, no_commit: bool, branch: str | None
) -> None:
    """Let a rule leave something alone: the rule gets an exception with examples and is proved again."""
    from rulec.commands import exception as verb

    where = verb.Where(path=path, command=command, agent=agent)
    end((verb.once if once else verb.run)(top(), slug, where, because, onto(no_commit=no_commit, branch=branch)))
