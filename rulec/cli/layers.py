"""The verb of rulebooks under the own one: extend."""

import click

from rulec.cli._root import FORMAT, ONTO, end, onto, rulec, top
from rulec.errors import RulecError


@rulec.command()
@click.argument("source", default="")
@click.option("--rev", default="", help="A tag, a branch or a full commit id.")
@click.option("--name", default="", help="What it is called here; by default as its URL ends.")
@click.option("--path", "folder", default="", help="The folder in it that holds .rules, where that is not its top.")
@click.option("--update", "again", is_flag=True, help="Fetch it again, all of them or the one named SOURCE.")
@click.option("--remove", is_flag=True, help="Extend the one named SOURCE no more.")
@ONTO
@FORMAT
def extend(
    *, source: str, rev: str, name: str, folder: str, again: bool, remove: bool, no_commit: bool, branch: str | None,
    form: str,
) -> None:  # fmt: skip
    """Build on the rulebook of another team, at a git URL and revision; without SOURCE, list them."""
    from rulec.commands import extend as command
    from rulec.model.rulebook import Extension

    if (again and remove) or ((again or remove) and (name or folder)) or (remove and (rev or not source)):
        raise RulecError("these options do not go together", hint="URL --rev REV, --update [NAME] or --remove NAME")
    here, wish = top(), onto(no_commit=no_commit, branch=branch)
    if again:
        outcome = command.update(here, source, rev, wish)
    elif remove:
        outcome = command.remove(here, source, wish)
    elif source:
        outcome = command.run(here, Extension(name=name, url=source, rev=rev, path=folder), wish)
    else:
        outcome = command.listed(here)
    end(outcome, form)
