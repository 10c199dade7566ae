"""The verb that says to agents what holds: snapshot."""

from pathlib import Path

import click

from rulec.cli._root import FORMAT, end, number, rulec, top
from rulec.terminal import complain


@rulec.command()
@click.option("--path", default="", help="The file or folder that is worked on.")
@click.option("--agent", default="", help="The agent that is told, such as claude-code.")
@click.option("--task", default="", help="What is to be done, in words.")
@number("--max-tokens", least=1, default=500, show_default=True, help="How much to say.")
@FORMAT
def snapshot(*, path: str, agent: str, task: str, max_tokens: int, form: str) -> None:
    """Say the rules that apply to a path, an agent and a task."""
    from rulec.commands import snapshot as command

    wanted = command.Wanted(path=path, agent=agent, task=task, max_tokens=max_tokens)
    outcome = command.run(top(), Path.cwd(), wanted)
    left = command.left_out(outcome.data)
    if left and form != "json":
        complain(f"left out: {left}; --format json names each")
    end(outcome, form)
