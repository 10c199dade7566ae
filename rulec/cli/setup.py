"""Commands that set a repository up, or many: init, doctor, compile, import, extend, hook, demo, mine-corpus."""

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Literal

import click
from click import shell_completion

from rulec.cli.group import FORMAT, ONTO, PINNED, YES, finish, number_option, rulec, verb, work_tree
from rulec.errors import RulecError
from rulec.terminal import complain, confirmer, decision_options, progress_bar, reader_chooser, say

if TYPE_CHECKING:
    from rulec.services.rulebook_commit import ChangeTarget


@verb(
    "rulec init                            # lists what it will write, and asks",
    "rulec init --yes --agent claude-code",
    "rulec init --from-audit               # and propose what rulec audit showed to be broken",
    "rulec init --remove",
)
@YES
@click.option("--agent", "agents", multiple=True, metavar="NAME", help="Write the hooks of this agent (repeatable).")
@click.option("--no-ci", is_flag=True, help="Write no CI workflow.")
@click.option("--from-audit", is_flag=True, help="Propose the instructions that agents broke, with their checks.")
@click.option("--remove", is_flag=True, help="Remove exactly what init wrote.")
def init(*, yes: bool, agents: tuple[str, ...], no_ci: bool, from_audit: bool, remove: bool) -> None:
    """Set up rulec in this repository.

    It writes .rules/, the hooks of agents and a CI workflow, and installs the git hooks.
    """
    from rulec.services.asking import reader_choice
    from rulec.services.setup.init import init_repository, remove_gates

    if remove and from_audit:
        raise RulecError("--remove and --from-audit exclude each other", hint="leave one of them out")
    confirm = confirmer(yes=yes)
    finish(
        remove_gates(work_tree(), confirm)
        if remove
        else init_repository(work_tree(), agents=agents, ci=not no_ci, confirm=confirm)
    )
    if from_audit:
        from rulec.services.audit.audit import propose_broken

        finish(propose_broken(work_tree(), complain, progress_bar))
    if not remove and (line := reader_choice.choose_reader(work_tree(), reader_chooser(yes=yes))):
        say(line)


@verb(
    "rulec doctor",
    "rulec doctor --fix",
    "rulec doctor --forget                 # what rulec has learned about you",
)
@click.option("--fix", is_flag=True, help="Fix what needs no decision: compiled files, hooks, settings.")
@click.option("--forget", is_flag=True, help="Only delete how much each rule matters to you, in all repositories.")
@FORMAT
def doctor(*, fix: bool, forget: bool, form: str) -> None:
    """Check that every gate works.

    It tests each hook with an action that must be refused and one that must pass, and looks at settings and tools.
    """
    if forget:
        from rulec.services.doctor.machine import forget_person

        if fix:
            raise RulecError("--fix and --forget exclude each other", hint="leave one of them out")
        finish(forget_person(), form)
        return
    from rulec.services.doctor.doctor import run_doctor

    finish(run_doctor(work_tree(), complain, fix=fix), form)


@verb(
    "rulec compile",
    "rulec compile --check                 # in CI: exit 1 where something is out of date",
)
@click.option("--check", is_flag=True, help="Write nothing; exit 1 where something is out of date.")
def compile(*, check: bool) -> None:  # noqa: A001 - the verb's name
    """Prove the rules and write their checks.

    Only what is out of date is proved and written.
    """
    from rulec.services.setup.compile import compile_rulebook

    finish(compile_rulebook(work_tree(), complain, check=check))


@rulec.command(hidden=True)
@click.argument("base")
@click.argument("ours")
@click.argument("theirs")
@click.argument("marker")
@click.argument("path")
def merge(*, base: str, ours: str, theirs: str, marker: str, path: str) -> None:
    """For git: merge a file that rulec generates, as its merge driver."""
    from rulec.infra.git.merge_files import MergeVersions
    from rulec.services.setup import merge_driver

    finish(
        merge_driver.merge_file(MergeVersions(top=Path.cwd(), base=base, ours=ours, theirs=theirs, marker=marker), path)
    )


@verb(
    "rulec import                          # CLAUDE.md, AGENTS.md, rules of Cursor and Copilot",
    "rulec import CLAUDE.md#Testing --dry-run",
    name="import",
)
@click.argument("paths", nargs=-1)
@YES
@PINNED
@click.option("--dry-run", is_flag=True, help="Only show what was found; needs no repository.")
@ONTO
@FORMAT
def import_(
    *,
    paths: tuple[str, ...],
    yes: bool,
    enforcement: str,
    dry_run: bool,
    onto: "ChangeTarget",
    form: str,
) -> None:
    """Turn instruction documents into rules.

    Each sentence that says how to work becomes a proposal. PATHS are files, folders, or FILE#HEADING for one section;
    without them, every instruction document of the repository is read.
    """
    from rulec.services.mining import import_documents

    here = Path.cwd()
    if dry_run:
        finish(import_documents.preview_import(here, paths), form)
        return
    wish = decision_options(yes=yes, pinned=enforcement, onto=onto)
    finish(
        import_documents.import_documents(work_tree(), here, paths, wish, lambda text: say(text, err=form == "json")),
        form,
    )


@verb(
    "rulec extend https://git.example.com/team/rules --rev v2",
    "rulec extend                          # list them",
    "rulec extend --update rules",
)
@click.argument("source", default="")
@click.option("--rev", default="", help="A tag, a branch or a full commit id.")
@click.option("--name", default="", help="Its local name; by default the last part of the URL.")
@click.option("--path", "folder", default="", help="The folder in it that holds .rules; by default its top.")
@click.option("--update", "again", is_flag=True, help="Fetch it again; without SOURCE, all of them.")
@click.option("--remove", is_flag=True, help="Stop extending it.")
@ONTO
@FORMAT
def extend(
    *, source: str, rev: str, name: str, folder: str, again: bool, remove: bool, onto: "ChangeTarget",
    form: str,
) -> None:  # fmt: skip
    """Build on the rulebook of another team.

    SOURCE is a git URL, or the local name of a rulebook that is extended already.
    """
    from rulec.rulebook.config import ExtendedRulebook
    from rulec.services.setup.extend import extend_rulebook, list_extended, remove_extended, update_extended

    if (again and remove) or ((again or remove) and (name or folder)) or (remove and (rev or not source)):
        raise RulecError(
            "these options exclude each other",
            hint="use URL --rev REV [--name] [--path], --update [NAME] or --remove NAME",
        )
    here = work_tree()
    if again:
        outcome = update_extended(here, source, rev, onto)
    elif remove:
        outcome = remove_extended(here, source, onto)
    elif source:
        outcome = extend_rulebook(here, ExtendedRulebook(name=name, url=source, rev=rev, path=folder), onto)
    else:
        outcome = list_extended(here)
    finish(outcome, form)


@click.group()
def hook() -> None:
    """Install or remove the git hooks."""


rulec.add_command(hook)


@hook.command()
@click.option("--instead", is_flag=True, help="Replace the hooks of pre-commit, and run them first.")
def install(*, instead: bool) -> None:
    """Install git hooks that check commits, messages and pushes; hooks that are there already still run."""
    from rulec.services.setup import git_hooks

    finish(git_hooks.install_git_hooks(work_tree(), instead=instead))


@hook.command()
def uninstall() -> None:
    """Remove them and restore the hooks that were there before."""
    from rulec.services.setup import git_hooks

    finish(git_hooks.uninstall_git_hooks(work_tree()))


@hook.command(hidden=True)
def prepare() -> None:
    """For git's prepare-commit-msg: check an agent's commit that no other gate has checked."""
    from rulec.services.gating import check

    finish(check.check_prepared(work_tree(), complain))


@hook.command(hidden=True)
@click.argument("remote", default="")
def pushed(*, remote: str) -> None:
    """For git: check the refs that standard input names, before they are pushed."""
    from rulec.services.gating import push

    finish(push.judge_push(work_tree(), remote, sys.stdin.read() if remote else None))


@hook.command(hidden=True)
@click.argument("transcript")
def learn(*, transcript: str) -> None:
    """For agents' hooks: keep in mind what the session before this one left to learn."""
    from rulec.services.mining import last_session

    last_session.look_at_session(work_tree(), Path(transcript))


@hook.command(hidden=True)
def ended() -> None:
    """For agents' hooks: print as JSON what judges find in the files that standard input names."""
    from rulec.services.gating import check

    finish(check.judge_turn_end(work_tree(), sys.stdin.read()))


@hook.command(hidden=True)
def left() -> None:
    """For agents' hooks: print as JSON what the commit's gate would say of the files that standard input names."""
    from rulec.services.gating import check

    finish(check.check_left(work_tree(), sys.stdin.read()))


@rulec.command(hidden=True)
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish"]))
def completion(*, shell: str) -> None:
    """Print the completion script of a shell."""
    script = shell_completion.get_completion_class(shell)
    if script:
        say(script(rulec, {}, "rulec", "_RULEC_COMPLETE").source())


@verb(
    "rulec demo",
)
@click.option("--keep", is_flag=True, help="Keep the temporary repository.")
def demo(*, keep: bool) -> None:
    """Show how a correction becomes a rule.

    It plays through an example in a temporary repository.
    """
    from rulec.services.demo import play_demo

    finish(play_demo(click.echo, keep=keep))


def _named_folder(_: click.Context, __: click.Parameter, name: str) -> Path:
    if not name:  # an unset variable in a script must not mean the current folder
        raise RulecError("is empty", where="--out", hint="name a folder")
    return Path(name)


@verb(
    "rulec mine-corpus transcripts",
    "rulec mine-corpus transcripts --engine dask --workers 8",
    "rulec mine-corpus s3://bucket/transcripts --engine dask --cluster tcp://10.0.0.5:8786 --out /shared/mined",
    name="mine-corpus",
    interrupted="run it again to go on",
)
@click.argument("place", metavar="PATH|s3://BUCKET/FOLDER")
@click.option(
    "--engine",
    type=click.Choice(["local", "dask"]),
    default="local",
    show_default=True,
    help="What runs the workers: processes of this machine, or Dask.",
)
@number_option("--workers", least=1, most=1000, help="Start so many workers here (default: one for each processor).")
@click.option("--cluster", default="", metavar="ADDRESS", help="Use the workers of this Dask cluster instead.")
@click.option(
    "--out",
    callback=_named_folder,
    default="mined",
    show_default=True,
    metavar="FOLDER",
    help="The folder of the results; a second run goes on from what is there.",
)
@click.option("--reader", default="", metavar="FORMAT", help="Read all transcripts in this format.")
@FORMAT
def mine_corpus(
    *,
    place: str,
    engine: Literal["local", "dask"],
    workers: int | None,
    cluster: str,
    out: Path,
    reader: str,
    form: str,
) -> None:
    """Mine the transcripts of many repositories.

    It needs none of the repositories. It writes one queue for each of them, which `rulec ingest --queue` takes, and a
    report of the wishes that several of them share. Transcripts that did not change since the last run are not read.
    """
    from rulec.infra.corpus.workers import WorkerSettings
    from rulec.services.corpus.mine_corpus import CorpusOptions, mine_corpus

    how = WorkerSettings(engine=engine, workers=workers or os.cpu_count() or 1, cluster=cluster)
    options = CorpusOptions(out=out, how=how, reader=reader, progress=progress_bar)
    finish(mine_corpus(place, options), form)
