"""The verbs by which a person lets something through the gate: approve, suppress; and the list of what is."""

import click

from rulec.cli._root import FORMAT, ONTO, end, onto, rulec, top
from rulec.errors import RulecError
from rulec.terminal import attended, say


@rulec.command()
@click.option("--reason", "--because", "reason", default="", metavar="TEXT", help="Why; it is noted with the approval.")
@click.argument("commits", nargs=-1)
def approve(*, commits: tuple[str, ...], reason: str) -> None:
    """Let what is staged weaken the gate, or COMMITS that no gate has seen be, as you see it listed.

    It asks on a terminal. COMMITS are named as git names them, such as main~3..main.
    """
    from rulec.commands import approve as command

    def confirm(question: str) -> bool:
        say(question)
        if not attended():
            raise RulecError("there is nobody to ask", hint="a person runs rulec approve at a terminal")
        return click.confirm("Let it through?", default=False)

    if commits:
        end(command.past(top(), commits, confirm, reason=reason))
        return
    end(command.run(top(), confirm, reason=reason))


@rulec.command()
@click.argument("slug")
@click.option("--until", default="", metavar="DAY", help="The last day on which it counts, YYYY-MM-DD.")
@click.option(
    "--reason",
    "--because",
    "reason",
    default="",
    metavar="TEXT",
    help="Why the findings stay; it stands in the commit.",
)
@click.option("--path", "paths", multiple=True, metavar="GLOB", help="Only there (repeatable).")
@click.option("--remove", is_flag=True, help="Take it back before its last day.")
@ONTO
def suppress(
    *, slug: str, until: str, reason: str, paths: tuple[str, ...], remove: bool, no_commit: bool, branch: str | None
) -> None:
    """Leave a rule's findings alone until a day, in a commit of its own; they stay counted."""
    from rulec.commands import suppress as command

    where = onto(no_commit=no_commit, branch=branch)
    if remove:
        end(command.end(top(), slug, paths, where))
        return
    if not until or not reason:
        missing = [name for name, given in (("--until", until), ("--reason", reason)) if not given]
        told = f"{' and '.join(missing)} {'is' if len(missing) == 1 else 'are'} missing"
        raise RulecError(told, hint='such as --until 2027-01-31 --reason "goes with the old client"')
    end(command.run(top(), slug, paths, where, until=until, reason=reason))


@rulec.command()
@FORMAT
def suppressions(*, form: str) -> None:
    """List what is suppressed, in place and in files: by whom, why, until when, and whether it counts."""
    from rulec.commands import suppressions as command

    end(command.run(top()), form)
