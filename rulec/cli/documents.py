"""The verbs of files that people write for agents: import, export."""

from pathlib import Path

import click

from rulec.cli._root import FORMAT, ONTO, PINNED, YES, end, number, onto, rulec, top
from rulec.terminal import say, wishing


@rulec.command("import")
@click.argument("paths", nargs=-1)
@YES
@PINNED
@click.option("--dry-run", is_flag=True, help="Only say what was found; writes nothing, needs no repository.")
@ONTO
@FORMAT
def import_(
    *,
    paths: tuple[str, ...],
    yes: bool,
    enforcement: str,
    dry_run: bool,
    no_commit: bool,
    branch: str | None,
    form: str,
) -> None:
    """Make rules of CLAUDE.md, AGENTS.md, Cursor's and Copilot's rules: one idea each, as you accept them.

    PATH is a file, a folder, or FILE#HEADING for one section; without it, every such file of the repository.
    """
    from rulec.commands import imports as command

    here = Path.cwd()
    if dry_run:
        end(command.dry(here, paths), form)
        return
    wish = wishing(yes=yes, pinned=enforcement, onto=onto(no_commit=no_commit, branch=branch))
    end(command.run(top(), here, paths, wish, lambda text: say(text, err=form == "json")), form)


@rulec.command()
@click.option("--format", "form", default="agents-md", show_default=True, help="Which document: claude-md, gemini-md …")
@number("--max-tokens", least=200, help="Its budget; by default as the settings say.")
def export(*, form: str, max_tokens: int | None) -> None:
    """Print the rules as a document for agents, the weightiest first."""
    from rulec.commands import export as command

    end(command.run(top(), form, max_tokens))
