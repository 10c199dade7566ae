"""What the verbs share: the group they belong to, their common options, and how a command ends."""

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from rulec import __version__
from rulec.terminal import say

if TYPE_CHECKING:
    from rulec.commands._outcome import Outcome

# Every verb imports its command inside: ``rulec --help`` must not pay for what it does not run.
ENFORCEMENT = click.Choice(["auto", "audit", "warn", "block"])
FORMAT = click.option("--format", "form", default="text", show_default=True, help="text or json.")
YES = click.option("--yes", is_flag=True, help="Never ask; accept.")
PINNED = click.option(
    "--enforcement", type=ENFORCEMENT, default="auto", show_default=True, help="What a finding does, pinned."
)
NO_COMMIT = click.option("--no-commit", is_flag=True, help="Leave the change in the work tree.")


def top() -> Path:
    """The work tree that the person stands in."""
    from rulec.host import git

    return git.root(Path.cwd())


def end(outcome: "Outcome", form: str = "text") -> None:
    """Print what a command has to say, and leave with its exit code."""
    text = json.dumps(outcome.data, ensure_ascii=False, indent=1) if form == "json" else outcome.text
    if text:
        say(text)
    if outcome.code:
        sys.exit(outcome.code)


@click.group(invoke_without_command=True, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, message="rulec %(version)s")
@click.pass_context
def rulec(context: click.Context) -> None:
    """Corrections of coding agents, compiled into checks. Alone: where things stand and the next step."""
    if context.invoked_subcommand is None:
        from rulec.commands import status

        end(status.run(Path.cwd()))
