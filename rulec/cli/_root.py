"""What the verbs share: the group they belong to, their common options, and how a command ends."""

import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from rulec import __version__
from rulec.errors import RulecError
from rulec.terminal import complain, say

if TYPE_CHECKING:
    from rulec.commands._onto import Onto
    from rulec.commands._outcome import Outcome

Verb = TypeVar("Verb", bound=Callable[..., Any])
# Every verb imports its command inside: ``rulec --help`` must not pay for what it does not run.
ENFORCEMENT = click.Choice(["auto", "audit", "warn", "block"])
FORMS = ("text", "json")


def _known(_: click.Context, __: click.Parameter, form: str) -> str:
    if form not in FORMS:
        raise RulecError(f"no format {form!r}", hint=f"known are {', '.join(FORMS)}")
    return form


FORMAT = click.option(
    "--format", "form", default="text", show_default=True, callback=_known, help="text or json.", metavar="FORM"
)


def _backend(_: click.Context, __: click.Parameter, name: str) -> str:
    """Held to the names in the folder of backends; none of them is imported for it."""
    if name:
        from rulec import registry

        known = registry.backend_names()
        if name not in known:
            raise RulecError(f"no backend {name!r}", hint=f"known are {', '.join(known)}")
    return name


def number(*names: str, least: int, most: int | None = None, whole: bool = True, **more: Any) -> Callable[[Verb], Verb]:
    """An option that takes a number between bounds, and refuses any other in a line of our own."""
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
    callback=_backend,
    metavar="NAME",
    help="Who is asked: exchange, a CLI such as claude-cli, openai or anthropic.",
)
YES = click.option("--yes", is_flag=True, help="Never ask; accept.")
PINNED = click.option(
    "--enforcement", type=ENFORCEMENT, default="auto", show_default=True, help="What a finding does, pinned."
)
BECAUSE = click.option(
    "--because", "--reason", "because", default="", metavar="TEXT", help="Why; it stands in the commit."
)
NO_COMMIT = click.option("--no-commit", is_flag=True, help="Leave the change in the work tree.")
BRANCH = click.option(
    "--branch", metavar="NAME", help="Commit on this branch, for a pull request; the work tree stays as it is."
)


def ONTO(verb: Verb) -> Verb:  # noqa: N802 - it stands among the options as they do
    """Both options of where a change goes."""
    return NO_COMMIT(BRANCH(verb))


def onto(*, no_commit: bool, branch: str | None) -> "Onto":
    """Where a change goes, as the person chose it."""
    from rulec.commands._onto import Onto

    if branch is not None and (no_commit or not branch):
        hint = "choose one" if branch else "such as rules/use-pnpm"
        raise RulecError(
            "--branch and --no-commit exclude each other" if branch else "the branch has no name", hint=hint
        )
    return Onto(branch=branch or "", commit=not no_commit)


def top() -> Path:
    """The work tree that the person stands in; with --personal, that of their own rulebook."""
    if click.get_current_context().find_root().params.get("personal"):
        from rulec.commands import _own

        return _own.begun(complain)
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
@click.option("--personal", is_flag=True, help="Of your own rulebook, which no team's sees.")
@click.pass_context
def rulec(context: click.Context, *, personal: bool) -> None:
    """Corrections of coding agents, compiled into checks. Alone: where things stand and the next step."""
    if context.invoked_subcommand is None:
        from rulec.commands import status

        end(status.run(top() if personal else Path.cwd()))
