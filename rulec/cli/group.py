"""The command group with its sections, and what all commands share."""

import json
import sys
from collections.abc import Callable
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar, cast

import click

from rulec import __version__
from rulec.domain.enforcement import PINS
from rulec.domain.outcome import Outcome
from rulec.errors import RulecError
from rulec.terminal import complain, say

if TYPE_CHECKING:
    from rulec.services.rulebook_commit import ChangeTarget

Function = TypeVar("Function", bound=Callable[..., Any])
# Every verb imports its command inside: ``rulec --help`` must not pay for what it does not run.
ENFORCEMENT = click.Choice(PINS)
FORMS = ("text", "json")


def _known_form(_: click.Context, __: click.Parameter, form: str) -> str:
    if form not in FORMS:
        raise RulecError(f"unknown format {form!r}", where="--format", hint=f"use {' or '.join(FORMS)}")
    return form


FORMAT = click.option(
    "--format",
    "form",
    default="text",
    show_default=True,
    callback=_known_form,
    help="Output: text or json.",
    metavar="FORM",
)


def known_backend(_: click.Context, __: click.Parameter, name: str) -> str:
    """The name of a backend, checked against the files in the folder of backends without importing one."""
    if name:
        from rulec import registry

        known = registry.backend_names()
        if name not in known:
            raise RulecError(f"unknown backend {name!r}", where="--backend", hint=f"use one of {', '.join(known)}")
    return name


def number_option(
    *names: str, least: int, most: int | None = None, whole: bool = True, **more: Any
) -> Callable[[Function], Function]:
    """An option that takes a number between bounds and refuses any other with one line that says the bounds."""
    bounds = f"of {least} or more" if most is None else f"from {least} to {most}"

    def held(_: click.Context, param: click.Parameter, value: Any) -> int | float | None:
        if value is None:
            return None
        try:
            found = int(value) if whole else float(value)
        except ValueError:
            found = float("nan")
        if found >= least and (most is None or found <= most):
            return found
        told = f"takes a {'whole ' * whole}number {bounds}, not {value!r}"
        raise RulecError(told, where=param.opts[-1])

    return click.option(*names, type=click.UNPROCESSED, callback=held, metavar="NUMBER", **more)


BACKEND = click.option(
    "--backend",
    default="",
    callback=known_backend,
    metavar="NAME",
    help="The model to ask: exchange (files), an agent's CLI such as claude-cli, openai or anthropic.",
)
YES = click.option("--yes", is_flag=True, help="Accept without asking.")
PINNED = click.option(
    "--enforcement",
    type=ENFORCEMENT,
    default="auto",
    show_default=True,
    help="What a finding does; auto follows the evidence.",
)
BECAUSE = click.option(
    "--because", "--reason", "because", default="", metavar="TEXT", help="The reason, for the commit message."
)
NO_COMMIT = click.option("--no-commit", is_flag=True, help="Leave the change in the work tree.")
BRANCH = click.option(
    "--branch", metavar="NAME", help="Commit on this branch instead, for a pull request; the work tree stays as it is."
)


def known_slugs(_: click.Context, __: click.Parameter, begun: str) -> list[str]:
    """For shell completion: the rules of this repository whose name begins so."""
    from rulec.infra.git import git_session
    from rulec.rulebook import file_paths

    try:
        folder = git_session.work_tree_root(Path.cwd()) / file_paths.RULES
    except RulecError:
        return []
    files = [path for path in folder.glob("*.yaml") if path.name != Path(file_paths.CONFIG).name]
    return sorted(path.stem for path in files if path.stem.startswith(begun))


def current_name(_: click.Context, __: click.Parameter, slug: str) -> str:
    """The rule that a name leads to: that of a merged rule leads to the one that it went into, which is said."""
    if not slug:
        return slug
    # MERGED
    from rulec.services.rules.rule_list import follow_name
    from rulec.terminal import complain

    try:
        found = follow_name(work_tree(), slug)
    except RulecError:
        return slug  # the command itself says what is wrong
    if found != slug:
        complain(f"{slug} was merged into {found}, which is shown and changed in its place")
    return found


def current_names(context: click.Context, param: click.Parameter, slugs: tuple[str, ...]) -> tuple[str, ...]:
    """As ``current_name``, of several."""
    return tuple(current_name(context, param, slug) for slug in slugs)


SLUG = click.argument("slug", shell_complete=known_slugs, callback=current_name)
SLUG_OR_ALL = click.argument("slug", default="", shell_complete=known_slugs, callback=current_name)


def ONTO(command: Function) -> Function:  # noqa: N802 - it is used like the options above
    """Add --no-commit and --branch to a command, which gets them as ``onto``, the target of its change."""

    @wraps(command)
    def with_target(*, no_commit: bool, branch: str | None, **given: Any) -> Any:
        if branch and no_commit:
            raise RulecError("--branch and --no-commit exclude each other", hint="leave one of them out")
        return command(**given, onto=target_of(branch, commit=not no_commit))

    return cast("Function", NO_COMMIT(BRANCH(with_target)))


def target_of(branch: str | None, *, commit: bool = True) -> "ChangeTarget":
    """The target of a change: the branch that is checked out, or the one that was named."""
    from rulec.services.rulebook_commit import ChangeTarget

    if branch == "":
        raise RulecError("the branch has no name", hint="name one, such as --branch rules/use-pnpm")
    return ChangeTarget(branch=branch or "", commit=commit)


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


SECTIONS = {  # of ``rulec --help``, in the order in which a person comes to need them
    "Every day": ("audit", "add", "ingest", "review", "rules", "why", "ui"),
    "Rules": ("edit", "set", "except", "retire", "rollback", "note", "evolve", "diff", "templates"),
    "Gates": ("check", "test", "backtest", "approve", "report"),
    "Plans": ("plan", "run", "prove"),
    "For agents": ("snapshot", "try", "propose"),
    "Set-up": ("init", "doctor", "compile", "hook", "import", "extend", "demo", "mine-corpus"),
}


class Verbs(click.Group):
    """A group whose help lists its commands in sections."""

    def format_commands(self, _: click.Context, formatter: click.HelpFormatter) -> None:
        """Write a table a section."""
        width = max(len(name) for names in SECTIONS.values() for name in names)
        for title, names in SECTIONS.items():
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
        from rulec.services.history.repository_status import show_status

        finish(show_status(work_tree() if personal else Path.cwd()))


def verb(
    *examples: str, name: str | None = None, cls: type[Verb] = Verb, interrupted: str = ""
) -> Callable[[Callable[..., Any]], click.Command]:
    """Make a function a command; the examples are command lines, each with its comment."""
    return rulec.command(name, cls=cls, examples=examples, interrupted=interrupted)
