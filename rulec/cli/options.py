"""Options that several verbs share."""

from collections.abc import Callable
from functools import wraps
from pathlib import Path
from typing import Any, TypeVar, cast

import click

from rulec.domain.enforcement import PINS
from rulec.errors import RulecError

Verb = TypeVar("Verb", bound=Callable[..., Any])
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
) -> Callable[[Verb], Verb]:
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
    from rulec.cli.group import work_tree
    from rulec.services.rules.former_names import follow_name
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


def ONTO(verb: Verb) -> Verb:  # noqa: N802 - it is used like the options above
    """Add --no-commit and --branch to a command, which gets them as ``onto``, the target of its change."""

    @wraps(verb)
    def with_target(*, no_commit: bool, branch: str | None, **given: Any) -> Any:
        from rulec.services.rulebook_commit import ChangeTarget

        if branch == "":
            raise RulecError("the branch has no name", hint="name one, such as --branch rules/use-pnpm")
        if branch and no_commit:
            raise RulecError("--branch and --no-commit exclude each other", hint="leave one of them out")
        return verb(**given, onto=ChangeTarget(branch=branch or "", commit=not no_commit))

    return cast("Verb", NO_COMMIT(BRANCH(with_target)))
