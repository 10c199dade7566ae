"""Commands about rules: diff, edit, exception, dispute, set, supersede, retire, rollback, ..."""

from typing import TYPE_CHECKING, BinaryIO

import click

from rulec.cli.group import (
    BECAUSE,
    ENFORCEMENT,
    FORMAT,
    ONTO,
    RULES,
    SLUG,
    current_name,
    finish,
    known_slugs,
    number_option,
    work_tree,
    work_tree_or_folder,
)
from rulec.errors import RulecError
from rulec.terminal import editor, is_attended, say

if TYPE_CHECKING:
    from rulec.domain.enforcement import PinnedEnforcement
    from rulec.services.rulebook_commit import ChangeTarget


@RULES.verb(
    "rulec diff                            # HEAD and the work tree",
    "rulec diff main..HEAD                 # two commits",
    "rulec diff main --blast               # and what the changed rules find in the tree and in the last commits",
)
@click.argument("span", default="HEAD", metavar="[A[..B]]")
@click.option("--blast", is_flag=True, help="Also run changed rules on the whole tree and on the last commits.")
@number_option("--commits", least=1, default=200, show_default=True, help="Commits to look at.")
@number_option("--seconds", least=0, whole=False, default=120, show_default=True, help="Time limit.")
@click.option(
    "--format",
    "form",
    type=click.Choice(["text", "json", "markdown"]),
    default="text",
    show_default=True,
    help="Output.",
)
def diff(*, span: str, blast: bool, commits: int, seconds: float, form: str) -> None:
    """Show how rules differ between two commits.

    It lists the rules that were added, tightened, loosened or replaced, what their checks see, and the examples that
    are decided differently. A..B compares two commits, A alone a commit and the work tree.
    """
    from rulec.services.history.diff import ReachLimits, diff_rules

    reach = ReachLimits(commits=commits, seconds=seconds) if blast else None
    finish(diff_rules(work_tree(), span, reach=reach, page=form == "markdown"), form)


@RULES.verb(
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


@RULES.verb(
    'rulec exception use-pnpm --path "vendor/**" --because "third-party code"',
    'rulec exception use-pnpm --command "npm audit" --because "pnpm has none" --once',
)
@SLUG
@click.option("--path", default="", metavar="GLOB", help="Exempt these files, and commands that run in these folders.")
@click.option("--command", default="", metavar="TEXT", help="Exempt commands that begin so.")
@click.option("--arguments", default="", metavar="GLOB", help="Exempt commands that are given these paths alone.")
@click.option("--agent", default="", metavar="NAME", help="Exempt this agent, such as claude-code.")
@click.option(
    "--because", "--reason", "because", required=True, metavar="TEXT", help="The reason, for the rule and the commit."
)
@click.option("--once", is_flag=True, help="Only record a counterexample; three alike propose an exception.")
@ONTO
def exception(
    *, slug: str, path: str, command: str, arguments: str, agent: str, because: str, once: bool, onto: "ChangeTarget"
) -> None:
    """Exempt a path, a command or an agent from a rule.

    The rule gets an exception with examples and is proved again.
    """
    from rulec.services.rules.exceptions import ExceptionBounds, add_exception, note_counterexample

    where = ExceptionBounds(path=path, command=command, arguments=arguments, agent=agent)
    finish((note_counterexample if once else add_exception)(work_tree(), slug, where, because, onto))


@RULES.verb(
    'rulec dispute use-pnpm --command "npm audit" --reason "pnpm has no such command"',
)
@SLUG
@click.option(
    "--reason", "--because", "reason", required=True, metavar="TEXT", help="What was wrong, for the evidence."
)
@click.option("--path", default="", metavar="PATH", help="The file that it fired on.")
@click.option("--command", default="", metavar="TEXT", help="The command that it fired on.")
@click.option("--agent", default="", metavar="NAME", help="The agent that it fired on.")
def dispute(*, slug: str, reason: str, path: str, command: str, agent: str) -> None:
    """Report that a rule was wrong to fire.

    The next rulec tally counts it against the rule.
    """
    from rulec.services.rules.exceptions import ExceptionBounds, dispute_rule

    finish(dispute_rule(work_tree(), slug, ExceptionBounds(path=path, command=command, agent=agent), reason))


@RULES.verb(
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


@RULES.verb(
    "rulec supersede use-npm use-pnpm",
)
@click.argument("old", shell_complete=known_slugs, callback=current_name)
@click.argument("new", shell_complete=known_slugs, callback=current_name)
@BECAUSE
@ONTO
def supersede(*, old: str, new: str, because: str, onto: "ChangeTarget") -> None:
    """Replace one rule by another.

    OLD moves to the archive, and NEW says that it takes its place.
    """
    from rulec.services.rules import change_rule

    finish(change_rule.supersede_rule(work_tree(), old, new, onto, because=because))


@RULES.verb(
    'rulec retire use-pnpm --because "we moved to bun"',
)
@SLUG
@click.option(
    "--because",
    "--reason",
    "because",
    required=True,
    metavar="TEXT",
    help="The reason, for the archive and the commit.",
)
@ONTO
def retire(*, slug: str, because: str, onto: "ChangeTarget") -> None:
    """Take a rule out of force.

    It moves to the archive; rulec rollback restores it.
    """
    from rulec.services.rules import change_rule

    finish(change_rule.retire_rule(work_tree(), slug, onto, because=because))


@RULES.verb(
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


@RULES.verb(
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
