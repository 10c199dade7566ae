"""Verbs for agents: snapshot, propose, try."""

from pathlib import Path
from typing import BinaryIO

import click

from rulec.cli.group import finish, rulec, work_tree
from rulec.cli.options import FORMAT, number_option
from rulec.cli.terminal import complain


@rulec.command()
@click.argument("offer", type=click.File("rb"), default="-")
@FORMAT
def propose(*, offer: BinaryIO, form: str) -> None:
    """For agents: put a rule before the person, as one JSON object (a file, or standard input).

    {"statement", "when", "quote", "offence", "fix"}; offence and fix are examples as in rule files.
    """
    from rulec.services.rules.propose import propose_rule

    finish(propose_rule(work_tree(), offer, getattr(offer, "name", "-")), form)


@rulec.command(name="try")
@click.argument("rule", type=click.File("rb"), default="-")
def try_(*, rule: BinaryIO) -> None:
    """Prove a rule and write nothing: one JSON or YAML rule (a file, or standard input), its proof as JSON.

    {"statement", "checks": [{"template", "with"}], "examples": {"invalid", "valid"}, "scope", "not_checked"}; exit code
    0 where it is proved, 1 where it is not. For agents, and for whoever writes a check.
    """
    from rulec.services.gating import tryout

    finish(tryout.try_rule(work_tree(), rule, getattr(rule, "name", "-")))


@rulec.command()
@click.option("--path", default="", help="The file or folder that is worked on.")
@click.option("--agent", default="", help="The agent that is told, such as claude-code.")
@click.option("--task", default="", help="What is to be done, in words.")
@number_option("--max-tokens", least=1, default=500, show_default=True, help="How much to say.")
@FORMAT
def snapshot(*, path: str, agent: str, task: str, max_tokens: int, form: str) -> None:
    """Say the rules that apply to a path, an agent and a task."""
    from rulec.services.setup.snapshot import SnapshotRequest, count_left_out, take_snapshot

    wanted = SnapshotRequest(path=path, agent=agent, task=task, max_tokens=max_tokens)
    outcome = take_snapshot(work_tree(), Path.cwd(), wanted)
    left = count_left_out(outcome.data)
    if left and form != "json":
        complain(f"left out: {left}; --format json names each")
    finish(outcome, form)
