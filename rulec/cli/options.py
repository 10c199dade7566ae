"""Options that several verbs share."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeVar

import click

from rulec.domain.enforcement import PINS
from rulec.errors import RulecError

if TYPE_CHECKING:
    from rulec.services.change_target import ChangeTarget

Verb = TypeVar("Verb", bound=Callable[..., Any])
# Every verb imports its command inside: ``rulec --help`` must not pay for what it does not run.
ENFORCEMENT = click.Choice(PINS)
FORMS = ("text", "json")


def _known_form(_: click.Context, __: click.Parameter, form: str) -> str:
    if form not in FORMS:
        raise RulecError(f"no format {form!r}", hint=f"known are {', '.join(FORMS)}")
    return form


FORMAT = click.option(
    "--format", "form", default="text", show_default=True, callback=_known_form, help="text or json.", metavar="FORM"
)


def _known_backend(_: click.Context, __: click.Parameter, name: str) -> str:
    """Held to the names in the folder of backends; none of them is imported for it."""
    if name:
        from rulec import registry

        known = registry.backend_names()
        if name not in known:
            raise RulecError(f"no backend {name!r}", hint=f"known are {', '.join(known)}")
    return name


def number_option(
    *names: str, least: int, most: int | None = None, whole: bool = True, **more: Any
) -> Callable[[Verb], Verb]:
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
    callback=_known_backend,
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


def onto(*, no_commit: bool, branch: str | None) -> "ChangeTarget":
    """Where a change goes, as the person chose it."""
    from rulec.services.change_target import ChangeTarget

    if branch is not None and (no_commit or not branch):
        hint = "choose one" if branch else "such as rules/use-pnpm"
        raise RulecError(
            "--branch and --no-commit exclude each other" if branch else "the branch has no name", hint=hint
        )
    return ChangeTarget(branch=branch or "", commit=not no_commit)
