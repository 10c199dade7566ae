"""The verbs that put up the gates and stand at them: init, compile, check and their kin; and git's merge."""

from pathlib import Path

import click

from rulec.cli._root import BACKEND, FORMAT, ONTO, YES, end, number, onto, rulec, top
from rulec.errors import RulecError
from rulec.terminal import choosing, complain, confirming, progress, say


@rulec.command()
@YES
@click.option("--agent", "agents", multiple=True, help="Write this agent's hooks (repeatable).")
@click.option("--no-ci", is_flag=True, help="Write no CI workflow.")
@click.option("--remove", is_flag=True, help="Take out exactly what init put in.")
def init(*, yes: bool, agents: tuple[str, ...], no_ci: bool, remove: bool) -> None:
    """Write .rules/, agent hooks and CI, and install the git hooks."""
    from rulec.commands import _installed
    from rulec.commands import init as command

    confirm = confirming(yes=yes)
    end(command.remove(top(), confirm) if remove else command.run(top(), agents=agents, ci=not no_ci, confirm=confirm))
    if not remove and (line := _installed.settle(top(), choosing(yes=yes))):
        say(line)


@rulec.command()
@click.option("--check", is_flag=True, help="Only say whether artifacts are current (exit 1 if not).")
def compile(*, check: bool) -> None:  # noqa: A001 - the verb's name
    """Prove and write every artifact that is not current."""
    from rulec.commands import compile as command

    end(command.run(top(), complain, check=check))


@rulec.command(hidden=True)
@click.argument("base")
@click.argument("ours")
@click.argument("theirs")
@click.argument("marker")
@click.argument("path")
def merge(*, base: str, ours: str, theirs: str, marker: str, path: str) -> None:
    """For git: merge what rulec generates, as `rulec init` told it to."""
    from rulec.commands import merge as command
    from rulec.host.mergefile import Versions

    end(command.run(Versions(top=Path.cwd(), base=base, ours=ours, theirs=theirs, marker=marker), path))


@rulec.command()
@click.argument("files", nargs=-1)
@click.option("--staged", is_flag=True, help="The index, by the rules of HEAD.")
@click.option("--base", default="", help="What HEAD adds to this revision, by its rules.")
@click.option("--all", "everything", is_flag=True, help="Every file in the work tree.")
@click.option("--message", default="", help="A file with a commit message.")
@click.option("--shard", metavar="I/N", default="1/1", help="Only the I-th of N parts, for machines side by side.")
@BACKEND
@click.option("--judge-cache", "cache", metavar="DIR", default="", help="Keep what judges said there, for CI.")
@click.option("--report", "reports", metavar="FORMAT=FILE", multiple=True, help="A report in a file, too (repeatable).")
@click.option(
    "--format", "form", default="text", show_default=True, help="text, json, sarif, github, gitlab, junit or markdown."
)
def check(
    *, files: tuple[str, ...], staged: bool, base: str, everything: bool, message: str, shard: str,
    backend: str, cache: str, reports: tuple[str, ...], form: str,
) -> None:  # fmt: skip
    """Judge files, a change or a commit message; exit 1 where something is refused."""
    from rulec.commands import _reports
    from rulec.commands import check as command
    from rulec.commands._asking import Choice
    from rulec.commands._part import WHOLE, part

    if sum(map(bool, (files, staged, base, everything, message))) != 1:
        raise RulecError("say what to check", hint="FILES, --staged, --base REF, --all or --message FILE")
    here, own = top(), part(shard)
    wanted = _reports.wanted(reports)
    if own != WHOLE and (staged or message):
        raise RulecError("a commit is judged whole", where="--shard", hint="leave it out, or use --base or --all")
    choice = Choice(backend=backend, cache=cache, say=complain)
    if (backend or cache) and (staged or message):
        raise RulecError("a commit asks by the settings alone", where="--backend", hint="set models.judges: [commit]")
    if staged:
        outcome = command.staged(here, form, complain)
    elif base:
        outcome = command.since(here, base, form, own, progress, choice=choice)
    elif message:
        outcome = command.message(here, message, form, complain)
    else:
        outcome = command.at_hand(here, files or [str(here)], form, own, progress, choice=choice)
    _reports.write(wanted, outcome)
    end(outcome)


@rulec.command()
@click.argument("slug", default="")
@BACKEND
@number("--repeats", least=2, most=20, default=3, show_default=True, help="How often judges are asked.")
@click.option("--real", is_flag=True, help="Play the examples at the real gates; exit 1 where one decides otherwise.")
@click.option("--record", is_flag=True, help="Write what judges reach as evidence, so that they may block.")
@ONTO
@FORMAT
def test(
    *, slug: str, backend: str, repeats: int, real: bool, record: bool, no_commit: bool, branch: str | None, form: str
) -> None:
    """Run every rule's examples through its compiled check; where there is a model, measure the judges by theirs."""
    from rulec.commands import test as command

    if real:
        if record or backend:
            raise RulecError("--real asks no judge", hint="leave out --record and --backend")
        end(command.real(top(), slug), form)
        return
    if (no_commit or branch is not None) and not record:
        raise RulecError("nothing is written without --record", hint="add it, or leave out where it goes")
    where = onto(no_commit=no_commit, branch=branch) if record else None
    asking = command.Measuring(backend=backend, repeats=repeats, onto=where, say=complain, progress=progress)
    end(command.run(top(), slug, asking), form)


@rulec.command()
@click.argument("slug", default="")
@number("--commits", least=1, default=200, show_default=True, help="How many to look at.")
@click.option("--transcripts", is_flag=True, help="What agents did in this repository, too.")
@number("--seconds", least=0, whole=False, default=300, show_default=True, help="When to stop.")
@FORMAT
def backtest(*, slug: str, commits: int, transcripts: bool, seconds: float, form: str) -> None:
    """Say what the rules would have refused in the past; a look, so it exits 0."""
    from rulec.commands import backtest as command

    reach = command.Reach(commits=commits, seconds=seconds, sessions=transcripts)
    end(command.run(top(), slug, reach, complain, progress), form)


@rulec.command()
@click.option("--fix", is_flag=True, help="Do what can be done without you: compile, hooks, settings.")
@FORMAT
def doctor(*, fix: bool, form: str) -> None:
    """Fire a known-bad and a known-good event at every gate."""
    from rulec.commands import doctor as command

    end(command.run(top(), complain, fix=fix), form)


@rulec.command()
@click.option("--keep", is_flag=True, help="Keep the throw-away repository.")
def demo(*, keep: bool) -> None:
    """Play a correction through to a refused commit, in a throw-away repository."""
    from rulec.commands import demo as command

    end(command.run(click.echo, keep=keep))
