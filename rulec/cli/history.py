"""Verbs that look back: why, log, diff, rollback, tally, dispute, report."""

import click

from rulec.cli.group import finish, rulec, work_tree
from rulec.cli.options import FORMAT, ONTO, YES, number_option, onto
from rulec.cli.terminal import confirmer


@rulec.command()
@click.argument("slug")
def why(*, slug: str) -> None:
    """Say whose words a rule is, what it did, and how sure it is."""
    from rulec.services.history.why import explain_rule

    finish(explain_rule(work_tree(), slug))


@rulec.command()
@click.argument("slug")
@FORMAT
def log(*, slug: str, form: str) -> None:
    """List the commits that made, changed, moved and archived a rule."""
    from rulec.services.history import rule_history

    finish(rule_history.log_rule(work_tree(), slug), form)


@rulec.command()
@click.argument("span", default="HEAD", metavar="[A[..B]]")
@click.option("--blast", is_flag=True, help="What changed rules say of the whole tree and of the last commits, too.")
@number_option("--commits", least=1, default=200, show_default=True, help="How many to look at.")
@number_option("--seconds", least=0, whole=False, default=120, show_default=True, help="When to stop looking.")
@click.option("--format", "form", type=click.Choice(["text", "json", "markdown"]), default="text", show_default=True)
def diff(*, span: str, blast: bool, commits: int, seconds: float, form: str) -> None:
    """Say which rules were added, tightened, loosened or superseded, and whose examples are decided otherwise.

    A..B compares two commits, A alone the commit with the work tree; by default HEAD with the work tree.
    """
    from rulec.services.history.diff import diff_rules
    from rulec.services.history.diff_reach import ReachLimits

    reach = ReachLimits(commits=commits, seconds=seconds) if blast else None
    finish(diff_rules(work_tree(), span, reach=reach, page=form == "markdown"), form)


@rulec.command()
@click.argument("slug")
@click.option("--to", default="", help="A commit, or @N for revision N of the rule; by default before its last change.")
@ONTO
def rollback(*, slug: str, to: str, no_commit: bool, branch: str | None) -> None:
    """Bring a rule back to an earlier state."""
    from rulec.services.history.rollback import roll_back

    finish(roll_back(work_tree(), slug, to, onto(no_commit=no_commit, branch=branch)))


@rulec.command()
@YES
@ONTO
def tally(*, yes: bool, no_commit: bool, branch: str | None) -> None:
    """Fold what fired, was fixed, suppressed and disputed on this machine to evidence, in one commit."""
    from rulec.services.history.tally import tally_ledger

    finish(tally_ledger(work_tree(), onto(no_commit=no_commit, branch=branch), confirmer(yes=yes)))


@rulec.command()
@click.argument("slug")
@click.option(
    "--reason", "--because", "reason", required=True, metavar="TEXT", help="What was wrong; it stands in the evidence."
)
@click.option("--path", default="", metavar="PATH", help="The file that it was wrong about.")
@click.option("--command", default="", metavar="TEXT", help="The command that it was wrong about.")
@click.option("--agent", default="", metavar="NAME", help="The agent that it was wrong with.")
def dispute(*, slug: str, reason: str, path: str, command: str, agent: str) -> None:
    """Say that a rule was wrong to fire: the next tally counts it against the rule."""
    from rulec.services.rules.dispute import dispute_rule
    from rulec.services.rules.exception import ExceptionBounds

    finish(dispute_rule(work_tree(), slug, ExceptionBounds(path=path, command=command, agent=agent), reason))


@rulec.command()
@click.argument("slug", default="")
@click.option("--since", default="", metavar="DAY", help="Leave out what was seen before, such as 2026-11-01.")
@click.option("--format", "form", default="text", show_default=True, help="text, json or html.")
@click.option("--out", default="", metavar="FILE", help="Write it there.")
def report(*, slug: str, since: str, form: str, out: str) -> None:
    """Say what each rule did: fired, blocked, fixed, suppressed, disputed; the noisiest first."""
    from rulec.services.history.report import report_rules

    finish(report_rules(work_tree(), slug, since, form, out), "text" if out else form)
