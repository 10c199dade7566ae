"""The command group with its sections, and what all commands share."""

import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import click

from rulec import __version__
from rulec.domain.outcome import Outcome
from rulec.errors import RulecError
from rulec.terminal import complain, say

_BEGINS = ("add", "extend", "import", "ingest", "init", "propose")  # a personal rulebook, where there is none


def work_tree() -> Path:
    """The top of the work tree around the current folder; with --personal, the folder of the personal rulebook.

    Only a verb that puts rules into a rulebook begins a personal one.
    """
    if click.get_current_context().find_root().params.get("personal"):
        if click.get_current_context().info_name not in _BEGINS:
            from rulec.infra.rulebooks import personal_rulebook

            personal_rulebook.require_personal()
        from rulec.services.setup import init

        return init.begin_personal_rulebook(complain)
    from rulec.infra.git import git_session

    return git_session.work_tree_root(Path.cwd())


def work_tree_or_folder() -> Path:
    """The same, and the current folder where there is no work tree: for what is no different in a repository."""
    try:
        return work_tree()
    except RulecError:
        return Path.cwd()


def finish(outcome: "Outcome", form: str = "text") -> None:
    """Print the outcome of a command as text or as JSON, and exit with its code."""
    text = json.dumps(outcome.data, ensure_ascii=False, indent=1) if form == "json" else outcome.text
    if text:
        say(text)
    if outcome.code:
        sys.exit(outcome.code)


class Verb(click.Command):
    """A command whose help ends with examples, and which says in its own words what Ctrl-C leaves."""

    def __init__(self, *args: Any, examples: tuple[str, ...] = (), interrupted: str = "", **more: Any) -> None:
        super().__init__(*args, **more)
        self.examples, self.interrupted = examples, interrupted

    def invoke(self, context: click.Context) -> Any:
        """Run it; click knows no words for its end by Ctrl-C."""
        try:
            return super().invoke(context)
        except KeyboardInterrupt as error:
            if self.interrupted:
                raise click.exceptions.Abort(self.interrupted) from error
            raise

    def format_epilog(self, _: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the examples, one a line and unbroken, so that they can be copied."""
        if self.examples:
            with formatter.section("Examples"):
                formatter.write("".join(f"{'':{formatter.current_indent}}{line}\n" for line in self.examples))


class Verbs(click.Group):
    """A group whose help lists its commands in sections, each in the order in which it was filled."""

    def __init__(self, *args: Any, **more: Any) -> None:
        super().__init__(*args, **more)
        self.sections: dict[str, list[str]] = {}

    def format_commands(self, _: click.Context, formatter: click.HelpFormatter) -> None:
        """Write a table a section."""
        width = max(map(len, self.commands))
        for title, names in self.sections.items():
            limit = formatter.width - 6 - width
            rows = [(f"{name:{width}}", self.commands[name].get_short_help_str(limit)) for name in names]
            with formatter.section(title):
                formatter.write_dl(rows)


@click.group(cls=Verbs, invoke_without_command=True, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, message="rulec %(version)s")
@click.option("--personal", is_flag=True, help="Use your personal rulebook, which is yours on this machine alone.")
@click.pass_context
def rulec(context: click.Context, *, personal: bool) -> None:
    """Turn corrections of coding agents into rules that this repository enforces.

    Without a command, rulec shows the state of the repository and the next step.
    """
    if context.invoked_subcommand is None:
        from rulec.services.history import status

        finish(status.show_status(work_tree() if personal else Path.cwd()))


class Section:
    """A section of ``rulec --help``: a module of commands fills it, in the order of the file."""

    def __init__(self, title: str) -> None:
        self.names: list[str] = rulec.sections.setdefault(title, [])

    def verb(
        self, *examples: str, name: str | None = None, cls: type[Verb] = Verb, interrupted: str = ""
    ) -> Callable[[Callable[..., Any]], click.Command]:
        """Make a function a command of this section; the examples are command lines, each with its comment."""

        def add(function: Callable[..., Any]) -> click.Command:
            command = rulec.command(name, cls=cls, examples=examples, interrupted=interrupted)(function)
            self.names.append(str(command.name))
            return command

        return add

    def add(self, group: click.Group) -> click.Group:
        """Put a group of commands, such as ``rulec hook``, into this section."""
        rulec.add_command(group)
        self.names.append(str(group.name))
        return group


# In the order of ``rulec --help``.
EVERY_DAY, RULES, GATES, PLANS, SET_UP, AGENTS = map(
    Section, ("Every day", "Rules", "Gates", "Plans", "Set-up", "For agents")
)
