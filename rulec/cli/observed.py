"""The verbs about what gates saw: tally, report, dispute."""

import click

from rulec.cli._root import ONTO, YES, end, onto, rulec, top
from rulec.terminal import confirming


@rulec.command()
@YES
@ONTO
def tally(*, yes: bool, no_commit: bool, branch: str | None) -> None:
    """Fold what fired, was fixed, suppressed and disputed on this machine to evidence, in one commit."""
    from rulec.commands import tally as command

    end(command.run(top(), onto(no_commit=no_commit, branch=branch), confirming(yes=yes)))


@rulec.command()
@click.argument("slug")
@click.option(
    "--reason", "--because", "reason", required=True, metavar="TEXT", help="What was wrong; it stands in the evidence."
)
@click.option("--path", default="", metavar="PATH", help="The file that it was wrong about.")
@click.option("--command", default="", metavar="TEXT", help="The command that it was wrong about.")
@click.option("--agent", default="", metavar="NAME", help="The agent that it was wrong with.")
def dispute(*, slug: str, reason: str, path: str, command: str, agent: str) -> None:
    """Say that a rule was wrong to fire: the next tally counts it against the rule."""
    from rulec.commands import dispute as verb
    from rulec.commands.exception import Where

    end(verb.run(top(), slug, Where(path=path, command=command, agent=agent), reason))


@rulec.command()
@click.argument("slug", default="")
@click.option("--since", default="", metavar="DAY", help="Leave out what was seen before, such as 2026-11-01.")
@click.option("--format", "form", default="text", show_default=True, help="text, json or html.")
@click.option("--out", default="", metavar="FILE", help="Write it there.")
def report(*, slug: str, since: str, form: str, out: str) -> None:
    """Say what each rule did: fired, blocked, fixed, suppressed, disputed; the noisiest first."""
    from rulec.commands import report as command

    end(command.run(top(), slug, since, form, out), "text" if out else form)
