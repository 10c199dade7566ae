"""The verbs that look back and turn back: why, log, diff, rollback."""

import click

from rulec.cli._root import FORMAT, ONTO, end, number, onto, rulec, top


@rulec.command()
@click.argument("slug")
def why(*, slug: str) -> None:
    """Say whose words a rule is, what it did, and how sure it is."""
    from rulec.commands import why as command

    end(command.run(top(), slug))


@rulec.command()
@click.argument("slug")
@FORMAT
def log(*, slug: str, form: str) -> None:
    """List the commits that made, changed, moved and archived a rule."""
    from rulec.commands import log as command

    end(command.run(top(), slug), form)


@rulec.command()
@click.argument("span", default="HEAD", metavar="[A[..B]]")
@click.option("--blast", is_flag=True, help="What changed rules say of the whole tree and of the last commits, too.")
@number("--commits", least=1, default=200, show_default=True, help="How many to look at.")
@number("--seconds", least=0, whole=False, default=120, show_default=True, help="When to stop looking.")
@click.option("--format", "form", type=click.Choice(["text", "json", "markdown"]), default="text", show_default=True)
def diff(*, span: str, blast: bool, commits: int, seconds: float, form: str) -> None:
    """Say which rules were added, tightened, loosened or superseded, and whose examples are decided otherwise.

    A..B compares two commits, A alone the commit with the work tree; by default HEAD with the work tree.
    """
    from rulec.commands import diff as command
    from rulec.commands._blast import Reach

    reach = Reach(commits=commits, seconds=seconds) if blast else None
    end(command.run(top(), span, reach=reach, page=form == "markdown"), form)


@rulec.command()
@click.argument("slug")
@click.option("--to", default="", help="A commit, or @N for revision N of the rule; by default before its last change.")
@ONTO
def rollback(*, slug: str, to: str, no_commit: bool, branch: str | None) -> None:
    """Bring a rule back to an earlier state."""
    from rulec.commands import rollback as command

    end(command.run(top(), slug, to, onto(no_commit=no_commit, branch=branch)))
