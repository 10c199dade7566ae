"""The command group, the work tree that a verb is about, and how a command ends."""

import json
import sys
from pathlib import Path

import click

from rulec import __version__
from rulec.cli.terminal import complain, say
from rulec.domain.outcome import Outcome


def work_tree() -> Path:
    """The work tree that the person stands in; with --personal, that of their own rulebook."""
    if click.get_current_context().find_root().params.get("personal"):
        from rulec.services.setup import init

        return init.begin_personal_rulebook(complain)
    from rulec.infra.git import git_session

    return git_session.work_tree_root(Path.cwd())


def finish(outcome: "Outcome", form: str = "text") -> None:
    """Print what a command has to say, and leave with its exit code."""
    text = json.dumps(outcome.data, ensure_ascii=False, indent=1) if form == "json" else outcome.text
    if text:
        say(text)
    if outcome.code:
        sys.exit(outcome.code)


@click.group(invoke_without_command=True, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, message="rulec %(version)s")
@click.option("--personal", is_flag=True, help="Of your own rulebook, which no team's sees.")
@click.pass_context
def rulec(context: click.Context, *, personal: bool) -> None:
    """Corrections of coding agents, compiled into checks. Alone: where things stand and the next step."""
    if context.invoked_subcommand is None:
        from rulec.services.history import status

        finish(status.show_status(work_tree() if personal else Path.cwd()))
