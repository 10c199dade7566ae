"""Commands for agents and programs: snapshot, try, propose."""

from pathlib import Path
from typing import BinaryIO

import click

from rulec.cli.group import FORMAT, finish, number_option, verb, work_tree
from rulec.terminal import complain


@verb(
    "rulec snapshot --path src/app.py --task 'add a parser'",
    "rulec snapshot --document claude-md --max-tokens 800",
)
@click.option("--path", default="", help="The file or folder that is worked on.")
@click.option("--agent", default="", metavar="NAME", help="The agent that reads them, such as claude-code.")
@click.option("--task", default="", metavar="TEXT", help="What is to be done.")
@click.option("--tag", "tags", multiple=True, metavar="TAG", help="What the work is about; may be given several times.")
@number_option("--max-rules", least=1, default=None, help="The number of rules.  [default: all that fit]")
@number_option("--max-tokens", least=1, default=None, help="The size of the output.  [default: 1500]")
@click.option("--document", default="", metavar="NAME", help="Print them as a document: agents-md, claude-md …")
@FORMAT
def snapshot(
    *, path: str, agent: str, task: str, tags: tuple[str, ...], max_rules: int | None, max_tokens: int | None,
    document: str, form: str,
) -> None:  # fmt: skip
    """Print the rules that apply to a path and a task.

    All of them are printed where they fit; else those that rank first, with the names of the others.
    """
    from rulec.reminders.selection import MOST_TOKENS
    from rulec.services.setup.snapshot import SnapshotRequest, count_left_out, export_document, take_snapshot

    if document:
        if path or agent or task or tags:
            raise click.UsageError("a document has all rules: --document goes with --max-tokens alone")
        finish(export_document(work_tree(), document, max_tokens), form)
        return
    wanted = SnapshotRequest(
        path=path, agent=agent, task=task, tags=tags, max_rules=max_rules or 0, max_tokens=max_tokens or MOST_TOKENS,
    )  # fmt: skip
    outcome = take_snapshot(work_tree(), Path.cwd(), wanted)
    left = count_left_out(outcome.data)
    if left and form != "json":
        complain(f"left out: {left}; --format json names each")
    finish(outcome, form)


@verb(
    "rulec try rule.json",
    name="try",
)
@click.argument("rule", type=click.File("rb"), default="-")
def try_(*, rule: BinaryIO) -> None:
    """Prove a rule without writing it.

    RULE is one JSON or YAML object, in a file or on standard input: {"statement", "checks": [{"template", "with"}],
    "examples": {"invalid", "valid"}, "scope", "not_checked"}. The proof is printed as JSON; the exit code is 0 where
    the rule is proved and 1 where it is not.
    """
    from rulec.services.gating import tryout

    finish(tryout.try_rule(work_tree(), rule, getattr(rule, "name", "-")))


@verb(
    "rulec propose rule.json",
)
@click.argument("offer", type=click.File("rb"), default="-")
@FORMAT
def propose(*, offer: BinaryIO, form: str) -> None:
    """Propose a rule to the person.

    OFFER is one JSON object, in a file or on standard input: {"statement", "when", "quote", "offence", "fix"}, or what
    rulec try takes. offence and fix are examples as in rule files. The rule waits for rulec review.
    """
    from rulec.services.rules.new_rule import propose_rule

    finish(propose_rule(work_tree(), offer, getattr(offer, "name", "-")), form)
