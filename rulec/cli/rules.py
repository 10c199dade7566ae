"""Commands about rules: diff, edit, except, set, retire, rollback, ..."""

from typing import TYPE_CHECKING, BinaryIO

import click

from rulec.cli.group import (
    BECAUSE,
    ENFORCEMENT,
    FORMAT,
    ONTO,
    SLUG,
    current_name,
    finish,
    known_slugs,
    number_option,
    verb,
    work_tree,
    work_tree_or_folder,
)
from rulec.errors import RulecError
from rulec.terminal import editor, is_attended, say

if TYPE_CHECKING:
    from rulec.domain.enforcement import PinnedEnforcement
    from rulec.services.rulebook_commit import ChangeTarget


@verb(
    "rulec diff                            # HEAD and the work tree",
    "rulec diff main..HEAD                 # two commits",
    "rulec diff main --blast               # and what the changed rules find in the tree and in the last commits",
)
@click.argument("span", default="HEAD", metavar="[A[..B]]")
@click.option("--blast", is_flag=True, help="Also run changed rules on the whole tree and on the last commits.")
@number_option("--commits", least=1, default=200, show_default=True, help="Commits to look at.")
@number_option("--seconds", least=0, whole=False, default=120, show_default=True, help="Time limit.")
@click.option("--no-scripts", is_flag=True, help="Run no check that is a script, as for a stranger's change.")
@click.option(
    "--format",
    "form",
    type=click.Choice(["text", "json", "markdown"]),
    default="text",
    show_default=True,
    help="Output.",
)
def diff(*, span: str, blast: bool, commits: int, seconds: float, no_scripts: bool, form: str) -> None:
    """Show how rules differ between two commits.

    It lists the rules that were added, tightened, loosened or replaced, what their checks see, and the examples that
    are decided differently. A..B compares two commits, A alone a commit and the work tree.
    """
    from rulec.services.history.diff import ReachLimits, diff_rules

    reach = ReachLimits(commits=commits, seconds=seconds) if blast else None
    page = form == "markdown"
    finish(diff_rules(work_tree(), span, reach=reach, page=page, scripts=not no_scripts), form)


@verb(
    "rulec edit use-pnpm                   # in $VISUAL or $EDITOR",
    "rulec edit use-pnpm --file new.yaml   # from a script",
)
@SLUG
@click.option(
    "--file", "given", type=click.File("rb"), help='Read the new rule from this file ("-" for standard input).'
)
@BECAUSE
@ONTO
def edit(*, slug: str, given: BinaryIO | None, because: str, onto: "ChangeTarget") -> None:
    """Change a rule in your editor.

    The rule is written once it is valid and its check is proved. Another slug renames it: history and evidence stay
    with the rule.
    """
    from rulec.services.rules.change_rule import edit_rule, from_editor, from_script

    if given is None and not is_attended():
        raise RulecError(
            "standard input is no terminal, so no editor can be opened", hint="pass --file PATH, or --file -"
        )
    if given is None:
        finish(edit_rule(work_tree(), slug, from_editor(editor, say), onto, because=because))
    else:
        name = getattr(given, "name", "-").replace("<stdin>", "standard input")
        finish(edit_rule(work_tree(), slug, from_script(given.read(), name), onto, because=because, source=name))


@verb(
    'rulec except use-pnpm --path "vendor/**" --because "third-party code"',
    'rulec except use-logger --path "scripts/**" --until 2027-01-31 --because "goes with the old client"',
    "rulec except --list                   # all of them, and whether they are in use",
    name="except",
)
@click.argument("slug", default="", shell_complete=known_slugs, callback=current_name)
@click.option(
    "--path", "paths", multiple=True, metavar="GLOB",
    help="Except these files, and commands that run in these folders (repeatable).",
)  # fmt: skip
@click.option("--command", default="", metavar="TEXT", help="Except commands that begin so.")
@click.option("--arguments", default="", metavar="GLOB", help="Except commands that are given these paths alone.")
@click.option("--agent", default="", metavar="NAME", help="Except this agent, such as claude-code.")
@click.option("--until", default="", metavar="DAY", help="The last day on which it counts, YYYY-MM-DD; only for paths.")
@click.option("--remove", is_flag=True, help="End the exception until a day now.")
@click.option("--list", "listed", is_flag=True, help="List the exceptions, of SLUG or of all rules.")
@BECAUSE
@ONTO
@FORMAT
def except_(
    *, slug: str, paths: tuple[str, ...], command: str, arguments: str, agent: str, until: str, remove: bool,
    listed: bool, because: str, onto: "ChangeTarget", form: str,
) -> None:  # fmt: skip
    """Except a path, a command or an agent from a rule.

    The rule gets an exception with examples and is proved again. With --until it is no part of the rule: what is found
    there is only counted, until that day.
    """
    from rulec.services.rules.exceptions import ExceptionBounds, add_exception, end_exception, list_exceptions

    where = ExceptionBounds(paths=paths, command=command, agent=agent, arguments=arguments)
    if listed:
        if where != ExceptionBounds() or until or remove or because:
            raise RulecError("--list takes no more than SLUG and --format", hint="leave the other options out")
        return finish(list_exceptions(work_tree(), slug), form)
    if not slug:
        raise RulecError("name the rule, or pass --list", hint="see rulec except --help")
    if remove:
        if until or where != ExceptionBounds(paths=paths):
            raise RulecError("--remove takes only the --path of what it ends", hint="see rulec except --list")
        return finish(end_exception(work_tree(), slug, paths, onto), form)
    return finish(add_exception(work_tree(), slug, where, because, onto, until=until), form)


@verb(
    "rulec set use-pnpm block",
    'rulec set use-pnpm audit --because "too many false findings"',
    name="set",
)
@SLUG
@click.argument("level", type=ENFORCEMENT)
@BECAUSE
@ONTO
def set_(*, slug: str, level: "PinnedEnforcement", because: str, onto: "ChangeTarget") -> None:
    """Set what a rule does: audit, warn, block.

    Only a rule whose check is proved may warn or block; auto follows the evidence.
    """
    from rulec.services.rules.change_rule import pin_enforcement

    finish(pin_enforcement(work_tree(), slug, level, onto, because=because))


@verb(
    'rulec retire use-pnpm --because "we moved to bun"',
    "rulec retire use-npm --for use-pnpm   # use-pnpm takes its place",
)
@SLUG
@click.option(
    "--for",
    "successor",
    default="",
    metavar="SLUG",
    shell_complete=known_slugs,
    callback=current_name,
    help="The rule that takes its place, and says so.",
)
@BECAUSE
@ONTO
def retire(*, slug: str, successor: str, because: str, onto: "ChangeTarget") -> None:
    """Take a rule out of force.

    It moves to the archive; rulec rollback restores it. Without --for it needs a reason.
    """
    from rulec.services.rules import change_rule

    finish(change_rule.retire_rule(work_tree(), slug, onto, because=because, successor=successor))


@verb(
    "rulec rollback use-pnpm               # undo the last change",
    "rulec rollback use-pnpm --to @2       # back to revision 2",
)
@SLUG
@click.option(
    "--to", default="", metavar="STATE", help="A commit, or @N for revision N; by default before the last change."
)
@BECAUSE
@ONTO
def rollback(*, slug: str, to: str, because: str, onto: "ChangeTarget") -> None:
    """Restore an earlier state of a rule."""
    from rulec.services.history.rollback import roll_back

    finish(roll_back(work_tree(), slug, to, onto, because=because))


@verb(
    "rulec templates",
    "rulec templates forbid-command        # parameters, limits and examples of one",
)
@click.argument("name", default="")
@click.option("--template", "named", default="", metavar="NAME", help="Show this template (as the argument does).")
@click.option("--catalogue", is_flag=True, help="Print all templates in brief, for whoever writes a check.")
@click.option("--guard-schema", "schema", is_flag=True, help="Print the JSON Schema of raw-guard's parameter.")
@FORMAT
def templates(*, name: str, named: str, catalogue: bool, schema: bool, form: str) -> None:
    """List the check templates, or show one."""
    from rulec.services.templates import list_templates, show_catalogue, show_guard_schema, show_template

    name = name or named
    if bool(name) + catalogue + schema > 1:
        raise RulecError("--catalogue, --guard-schema and a template exclude each other", hint="choose one")
    where = work_tree_or_folder()
    if schema:
        return finish(show_guard_schema(where), "json")
    return finish(
        show_catalogue(where) if catalogue else show_template(where, name) if name else list_templates(where), form
    )
