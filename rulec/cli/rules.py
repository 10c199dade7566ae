"""Verbs on rules: rules, show, templates, promote, demote, edit, supersede, retire, exception."""

from typing import BinaryIO

import click

from rulec.cli.group import finish, rulec, work_tree
from rulec.cli.options import BECAUSE, ENFORCEMENT, FORMAT, ONTO, onto
from rulec.cli.terminal import editor, is_attended, say
from rulec.errors import RulecError


@rulec.command()
@FORMAT
def rules(*, form: str) -> None:
    """List the rules."""
    from rulec.services.rules import rule_list

    finish(rule_list.list_rules(work_tree()), form)


@rulec.command()
@click.argument("slug")
def show(*, slug: str) -> None:
    """Print one rule's file."""
    from rulec.services.rules import rule_list

    finish(rule_list.show_rule(work_tree(), slug))


@rulec.command()
@click.argument("name", default="")
@click.option("--template", "named", default="", metavar="NAME", help="The whole of one, with its cases.")
@click.option("--catalogue", is_flag=True, help="All of them in a few pages, for whoever writes a check.")
@click.option("--guard-schema", "schema", is_flag=True, help="The JSON Schema of what raw-guard takes.")
@FORMAT
def templates(*, name: str, named: str, catalogue: bool, schema: bool, form: str) -> None:
    """List the check templates, or show one: what it checks, avoid, prefer, parameters, limits, cases."""
    from rulec.services.rules.templates import list_templates, show_catalogue, show_guard_schema, show_template

    name = name or named
    if bool(name) + catalogue + schema > 1:
        raise RulecError("--catalogue, --guard-schema and a template exclude each other", hint="choose one")
    where = work_tree()
    if schema:
        return finish(show_guard_schema(where), "json")
    return finish(
        show_catalogue(where) if catalogue else show_template(where, name) if name else list_templates(where), form
    )


_TO = click.option("--to", type=ENFORCEMENT, default=None, help="This step; auto leaves it to the evidence.")


@rulec.command()
@click.argument("slug")
@_TO
@BECAUSE
@ONTO
def promote(*, slug: str, to: str | None, because: str, no_commit: bool, branch: str | None) -> None:
    """Pin a rule one step firmer: audit, warn, block. Only what is proved may warn or block."""
    from rulec.services.rules.promote import UP, pin_enforcement

    finish(
        pin_enforcement(work_tree(), UP, slug, onto(no_commit=no_commit, branch=branch), to=to or "", because=because)
    )


@rulec.command()
@click.argument("slug")
@_TO
@BECAUSE
@ONTO
def demote(*, slug: str, to: str | None, because: str, no_commit: bool, branch: str | None) -> None:
    """Pin a rule one step looser: block, warn, audit."""
    from rulec.services.rules.promote import DOWN, pin_enforcement

    finish(
        pin_enforcement(work_tree(), DOWN, slug, onto(no_commit=no_commit, branch=branch), to=to or "", because=because)
    )


@rulec.command()
@click.argument("slug")
@click.option("--file", "given", type=click.File("rb"), help='What the rule\'s file shall be ("-": standard input).')
@BECAUSE
@ONTO
def edit(*, slug: str, given: BinaryIO | None, because: str, no_commit: bool, branch: str | None) -> None:
    """Open a rule in $VISUAL or $EDITOR; it is written once it is valid and its check proves itself.

    Another slug renames it: the old name goes to the archive, history and evidence stay with the rule.
    """
    from rulec.services.rules.edit import edit_rule, from_editor, from_script

    where = onto(no_commit=no_commit, branch=branch)
    if given is None and not is_attended():
        raise RulecError("there is nobody to edit: standard input is no terminal", hint="pass --file PATH, or --file -")
    if given is None:
        finish(edit_rule(work_tree(), slug, from_editor(editor, say), where, because=because))
    else:
        name = getattr(given, "name", "-").replace("<stdin>", "standard input")
        finish(edit_rule(work_tree(), slug, from_script(given.read(), name), where, because=because, source=name))


@rulec.command()
@click.argument("old")
@click.argument("new")
@BECAUSE
@ONTO
def supersede(*, old: str, new: str, because: str, no_commit: bool, branch: str | None) -> None:
    """Let the rule NEW take the place of OLD, which goes to the archive."""
    from rulec.services.rules import archive

    finish(archive.supersede_rule(work_tree(), old, new, onto(no_commit=no_commit, branch=branch), because=because))


@rulec.command()
@click.argument("slug")
@click.option(
    "--because",
    "--reason",
    "because",
    required=True,
    metavar="TEXT",
    help="Why; it stays in the archive and the commit.",
)
@ONTO
def retire(*, slug: str, because: str, no_commit: bool, branch: str | None) -> None:
    """Take a rule out of force; it goes to the archive, and rulec rollback brings it back."""
    from rulec.services.rules import archive

    finish(archive.retire_rule(work_tree(), slug, onto(no_commit=no_commit, branch=branch), because=because))


@rulec.command()
@click.argument("slug")
@click.option("--path", default="", metavar="GLOB", help="Files there, and commands that run there.")
@click.option("--command", default="", metavar="TEXT", help="This form of a command, with whatever follows it.")
@click.option("--agent", default="", metavar="NAME", help="What this agent does, such as claude-code.")
@click.option(
    "--because", "--reason", "because", required=True, metavar="TEXT", help="Why; it stands in the rule and the commit."
)
@click.option("--once", is_flag=True, help="Only note that it did not hold this time; three alike make a case.")
@ONTO
def exception(
    *, slug: str, path: str, command: str, agent: str, because: str, once: bool, no_commit: bool, branch: str | None
) -> None:
    """Let a rule leave something alone: the rule gets an exception with examples and is proved again."""
    from rulec.services.rules.exception import ExceptionBounds, add_exception, note_counterexample

    where = ExceptionBounds(path=path, command=command, agent=agent)
    finish(
        (note_counterexample if once else add_exception)(
            work_tree(), slug, where, because, onto(no_commit=no_commit, branch=branch)
        )
    )
