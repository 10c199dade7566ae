"""Commands about the gates: check, test, backtest, approve, report."""

import os
from pathlib import Path
from typing import TYPE_CHECKING, TextIO

import click

from rulec.cli.group import (
    BACKEND,
    BRANCH,
    FORMAT,
    FORMS,
    SLUG_OR_ALL,
    YES,
    finish,
    number_option,
    rulec,
    target_of,
    verb,
    work_tree,
)
from rulec.domain.finding import RUNS
from rulec.errors import RulecError
from rulec.terminal import complain, confirmer, is_attended, progress_bar, say

if TYPE_CHECKING:
    from rulec.domain.finding import RunTests


UNDER_WAY = "."  # no file of a message has that name


@verb(
    "rulec check --staged                  # what git commit would be refused for",
    "rulec check --base origin/main        # the commits since main, as CI does",
    "rulec check --all                     # every file",
    "rulec check src/app.py --format sarif",
    "rulec check --command 'npm install x'  # what each rule would say, without running it",
)
@click.argument("files", nargs=-1)
@click.option("--staged", is_flag=True, help="Check what is staged, by the rules of HEAD.")
@click.option("--base", default="", metavar="REV", help="Check the commits since REV, by the rules of REV.")
@click.option("--all", "everything", is_flag=True, help="Check every file of the work tree.")
@click.option(
    "--message",
    default="",
    is_flag=False,
    flag_value=UNDER_WAY,
    metavar="[FILE]",
    help="Check the commit message in this file, or that of the commit under way.",
)
@click.option("--command", default="", metavar="LINE", help="Check a command that an agent would run; it is not run.")
@click.option("--path", default="", metavar="FILE", help="Check an edit of this file.")
@click.option(
    "--content",
    default=None,
    type=click.File("r", encoding="utf-8", errors="surrogateescape"),
    help="With --path: what the file would hold; - is standard input.",
)
@click.option("--agent", default="claude-code", show_default=True, metavar="NAME", help="The agent that would do it.")
@click.option(
    "--tests",
    "runs",
    type=click.Choice(RUNS),
    default=RUNS[0],
    show_default=True,
    help="With --base: run the suites of tests here, leave them to another job, or run them alone.",
)
@BACKEND
@click.option("--judge-cache", "cache", metavar="DIR", default="", help="Cache the answers of judges in this folder.")
@click.option(
    "--report", "reports", metavar="FORMAT=FILE", multiple=True, help="Also write a report into a file (repeatable)."
)
@click.option(
    "--format",
    "form",
    default="text",
    show_default=True,
    metavar="FORM",
    help="Output: text, json, sarif, github, gitlab or markdown.",
)
def check(
    *, files: tuple[str, ...], staged: bool, base: str, everything: bool, message: str, command: str, path: str,
    content: TextIO | None, agent: str,
    runs: "RunTests", backend: str, cache: str, reports: tuple[str, ...], form: str,
) -> None:  # fmt: skip
    """Check files, commits, a message, or an action.

    It exits with 1 where something is refused.
    """
    from rulec.gates.judging.judge_settings import JudgeChoice
    from rulec.services.gating.check import (
        check_files,
        check_message,
        check_since,
        check_staged,
        report_files,
        write_reports,
    )

    if sum(map(bool, (files, staged, base, everything, message, command, path))) != 1:
        raise RulecError(
            "say what to check",
            hint="exactly one of FILES, --staged, --base REV, --all, --message FILE, --command LINE and --path FILE",
        )
    if content and not path:
        raise RulecError("needs --path", where="--content", hint="name the file that would hold it")
    if command or path:
        _check_action(command=command, path=path, content=content, agent=agent, form=form)
        return
    here = work_tree()
    wanted = report_files(reports)
    if runs != RUNS[0] and not base:
        raise RulecError("needs --base", where="--tests", hint="suites of tests are run for the commits since a base")
    choice = JudgeChoice(backend=backend, cache=cache, say=complain)
    if (backend or cache) and (staged or message):
        where = "--backend" if backend else "--judge-cache"
        hint = "a commit asks judges as the settings say: models.judges: [commit]"
        raise RulecError("cannot be used with --staged or --message", where=where, hint=hint)
    if staged:
        outcome = check_staged(here, form, complain)
    elif base:
        outcome = check_since(here, base, form, progress_bar, choice=choice, runs=runs)
    elif message:
        outcome = check_message(here, "" if message == UNDER_WAY else message, form, complain)
    else:
        outcome = check_files(here, files or [str(here)], form, progress_bar, choice=choice)
    write_reports(wanted, outcome)
    finish(outcome)


def _check_action(*, command: str, path: str, content: TextIO | None, agent: str, form: str) -> None:
    """What every rule would say of an action."""
    from rulec.services.gating import check_action

    if form not in FORMS:
        hint = f"use {' or '.join(FORMS)}"
        raise RulecError(f"unknown format {form!r} for an action", where="--format", hint=hint)
    top, here = work_tree(), Path.cwd()
    if command:
        outcome = check_action.check_command(top, here, command, agent)
    else:
        outcome = check_action.check_path(top, here, path, content.read() if content else None, agent)
    finish(outcome, form)


@rulec.command(hidden=True)
@click.argument("files", nargs=-1, required=True, type=click.Path(path_type=Path))
@FORMAT
def comment(*, files: tuple[Path, ...], form: str) -> None:
    """For workflows: write Markdown reports as the one comment of a pull request.

    The workflow's variables say which pull request it is, and GITHUB_TOKEN may write to it. A later run changes the
    comment. Where the reports name no rule and there is no comment yet, none is written.
    """
    from rulec.services.pull_request_comment import comment_on_pull_request

    finish(comment_on_pull_request(files, os.environ), form)


@verb(
    "rulec test                            # every rule",
    "rulec test use-pnpm                   # one rule: what it refuses, what passes, and what it does not see",
)
@SLUG_OR_ALL
@BACKEND
@FORMAT
def test(*, slug: str, backend: str, form: str) -> None:
    """Test the rules on their examples.

    Each example runs through the compiled check of its rule. Where a model is configured, judges are asked about
    theirs.
    """
    from rulec.services.gating.test import JudgeQuestions, test_rules

    asking = JudgeQuestions(backend=backend, echo=complain, progress=progress_bar)
    finish(test_rules(work_tree(), slug, asking), form)


@verb(
    "rulec backtest                        # all rules, on the last 200 commits",
    "rulec backtest use-pnpm --transcripts # one rule, also on agents' sessions",
)
@SLUG_OR_ALL
@number_option("--commits", least=1, default=200, show_default=True, help="Commits to look at.")
@click.option("--transcripts", is_flag=True, help="Also look at what agents did in this repository.")
@number_option("--seconds", least=0, whole=False, default=300, show_default=True, help="Time limit.")
@FORMAT
def backtest(*, slug: str, commits: int, transcripts: bool, seconds: float, form: str) -> None:
    """Show what the rules would have refused in the past.

    It exits with 0 whatever it finds.
    """
    from rulec.services.backtest.backtest import LookBack, backtest_rules

    reach = LookBack(commits=commits, seconds=seconds, sessions=transcripts)
    finish(backtest_rules(work_tree(), slug, reach, complain, progress_bar), form)


@verb(
    "rulec approve                         # the staged change",
    'rulec approve main~3..main --reason "hotfix, reviewed by hand"',
)
@click.option(
    "--reason", "--because", "reason", default="", metavar="TEXT", help="The reason, which is kept with the approval."
)
@click.argument("commits", nargs=-1)
def approve(*, commits: tuple[str, ...], reason: str) -> None:
    """Approve a change that weakens the gates, or a step.

    rulec lists what the staged change weakens, which protected paths it touches and which rules at steps were neither
    checked nor tested, and asks at the terminal. COMMITS,
    named as for git, are commits that no gate has checked; COMMIT:REF is a push that a rule on branches refuses.
    """
    from rulec.services.gating.approve import approve_commits, approve_staged

    def confirm(question: str) -> bool:
        say(question)
        if not is_attended():
            raise RulecError("standard input is no terminal", hint="a person has to run rulec approve at a terminal")
        return click.confirm("Approve this?", default=False)

    if commits:
        finish(approve_commits(work_tree(), commits, confirm, reason=reason))
        return
    finish(approve_staged(work_tree(), confirm, reason=reason))


@verb(
    "rulec report                          # all rules, the noisiest first",
    "rulec report use-pnpm --since 2026-11-01",
    "rulec report --commit                 # the counts of this machine become evidence, in one commit",
)
@SLUG_OR_ALL
@click.option("--since", default="", metavar="DAY", help="Leave out what is older, such as 2026-11-01.")
@click.option("--commit", is_flag=True, help="Commit what was counted here since the last time, as evidence.")
@YES
@BRANCH
@FORMAT
def report(*, slug: str, since: str, commit: bool, yes: bool, branch: str | None, form: str) -> None:
    """Report what each rule did at the gates.

    It counts what fired, was blocked, fixed and excepted, and how often somebody noted that a rule was wrong.
    """
    from rulec.services.history.activity import report_rules
    from rulec.services.history.commit_counts import commit_counts

    if commit:
        if slug or since or form != "text":
            raise RulecError("--commit takes all that was counted", hint="leave all but --yes and --branch out")
        finish(commit_counts(work_tree(), target_of(branch), confirmer(yes=yes)))
        return
    if yes or branch is not None:
        raise RulecError("--yes and --branch need --commit", hint="without it nothing is written")
    finish(report_rules(work_tree(), slug, since), form)
