"""Verbs of the gates: check, test, backtest, approve, suppress, suppressions."""

import click

from rulec.cli.group import finish, rulec, work_tree
from rulec.cli.options import BACKEND, FORMAT, ONTO, number_option, onto
from rulec.cli.terminal import complain, is_attended, progress_bar, say
from rulec.errors import RulecError


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
    from rulec.gates.findings.check_runs import WHOLE, parse_shard
    from rulec.gates.judging.judge_settings import JudgeChoice
    from rulec.services.gating.check import (
        check_files,
        check_message,
        check_since,
        check_staged,
        report_files,
        write_reports,
    )

    if sum(map(bool, (files, staged, base, everything, message))) != 1:
        raise RulecError("say what to check", hint="FILES, --staged, --base REF, --all or --message FILE")
    here, own = work_tree(), parse_shard(shard)
    wanted = report_files(reports)
    if own != WHOLE and (staged or message):
        raise RulecError("a commit is judged whole", where="--shard", hint="leave it out, or use --base or --all")
    choice = JudgeChoice(backend=backend, cache=cache, say=complain)
    if (backend or cache) and (staged or message):
        raise RulecError("a commit asks by the settings alone", where="--backend", hint="set models.judges: [commit]")
    if staged:
        outcome = check_staged(here, form, complain)
    elif base:
        outcome = check_since(here, base, form, own, progress_bar, choice=choice)
    elif message:
        outcome = check_message(here, message, form, complain)
    else:
        outcome = check_files(here, files or [str(here)], form, own, progress_bar, choice=choice)
    write_reports(wanted, outcome)
    finish(outcome)


@rulec.command()
@click.argument("slug", default="")
@BACKEND
@number_option("--repeats", least=2, most=20, default=3, show_default=True, help="How often judges are asked.")
@click.option("--real", is_flag=True, help="Play the examples at the real gates; exit 1 where one decides otherwise.")
@click.option("--record", is_flag=True, help="Write what judges reach as evidence, so that they may block.")
@ONTO
@FORMAT
def test(
    *, slug: str, backend: str, repeats: int, real: bool, record: bool, no_commit: bool, branch: str | None, form: str
) -> None:
    """Run every rule's examples through its compiled check; where there is a model, measure the judges by theirs."""
    from rulec.services.gating.test import Measuring, test_at_real_gates, test_rules

    if real:
        if record or backend:
            raise RulecError("--real asks no judge", hint="leave out --record and --backend")
        finish(test_at_real_gates(work_tree(), slug), form)
        return
    if (no_commit or branch is not None) and not record:
        raise RulecError("nothing is written without --record", hint="add it, or leave out where it goes")
    where = onto(no_commit=no_commit, branch=branch) if record else None
    asking = Measuring(backend=backend, repeats=repeats, onto=where, say=complain, progress=progress_bar)
    finish(test_rules(work_tree(), slug, asking), form)


@rulec.command()
@click.argument("slug", default="")
@number_option("--commits", least=1, default=200, show_default=True, help="How many to look at.")
@click.option("--transcripts", is_flag=True, help="What agents did in this repository, too.")
@number_option("--seconds", least=0, whole=False, default=300, show_default=True, help="When to stop.")
@FORMAT
def backtest(*, slug: str, commits: int, transcripts: bool, seconds: float, form: str) -> None:
    """Say what the rules would have refused in the past; a look, so it exits 0."""
    from rulec.services.backtest.backtest import LookBack, backtest_rules

    reach = LookBack(commits=commits, seconds=seconds, sessions=transcripts)
    finish(backtest_rules(work_tree(), slug, reach, complain, progress_bar), form)


@rulec.command()
@click.option("--reason", "--because", "reason", default="", metavar="TEXT", help="Why; it is noted with the approval.")
@click.argument("commits", nargs=-1)
def approve(*, commits: tuple[str, ...], reason: str) -> None:
    """Let what is staged weaken the gate, or COMMITS that no gate has seen be, as you see it listed.

    It asks on a terminal. COMMITS are named as git names them, such as main~3..main.
    """
    from rulec.services.gating.approve import approve_commits, approve_staged

    def confirm(question: str) -> bool:
        say(question)
        if not is_attended():
            raise RulecError("there is nobody to ask", hint="a person runs rulec approve at a terminal")
        return click.confirm("Let it through?", default=False)

    if commits:
        finish(approve_commits(work_tree(), commits, confirm, reason=reason))
        return
    finish(approve_staged(work_tree(), confirm, reason=reason))


@rulec.command()
@click.argument("slug")
@click.option("--until", default="", metavar="DAY", help="The last day on which it counts, YYYY-MM-DD.")
@click.option(
    "--reason",
    "--because",
    "reason",
    default="",
    metavar="TEXT",
    help="Why the findings stay; it stands in the commit.",
)
@click.option("--path", "paths", multiple=True, metavar="GLOB", help="Only there (repeatable).")
@click.option("--remove", is_flag=True, help="Take it back before its last day.")
@ONTO
def suppress(
    *, slug: str, until: str, reason: str, paths: tuple[str, ...], remove: bool, no_commit: bool, branch: str | None
) -> None:
    """Leave a rule's findings alone until a day, in a commit of its own; they stay counted."""
    from rulec.services.rules.suppress import end_suppression, suppress_rule

    where = onto(no_commit=no_commit, branch=branch)
    if remove:
        finish(end_suppression(work_tree(), slug, paths, where))
        return
    if not until or not reason:
        missing = [name for name, given in (("--until", until), ("--reason", reason)) if not given]
        told = f"{' and '.join(missing)} {'is' if len(missing) == 1 else 'are'} missing"
        raise RulecError(told, hint='such as --until 2027-01-31 --reason "goes with the old client"')
    finish(suppress_rule(work_tree(), slug, paths, where, until=until, reason=reason))


@rulec.command()
@FORMAT
def suppressions(*, form: str) -> None:
    """List what is suppressed, in place and in files: by whom, why, until when, and whether it counts."""
    from rulec.services.rules.suppress import list_suppressions

    finish(list_suppressions(work_tree()), form)
