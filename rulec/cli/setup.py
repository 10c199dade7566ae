"""Verbs that set a repository up: init, compile, doctor, hook, extend, import, export, demo; and git's merge."""

import sys
from pathlib import Path

import click

from rulec.cli.group import finish, rulec, work_tree
from rulec.cli.options import FORMAT, ONTO, PINNED, YES, number_option, onto
from rulec.cli.terminal import complain, confirmer, reader_chooser, say, wish_of_options
from rulec.errors import RulecError


@rulec.command()
@YES
@click.option("--agent", "agents", multiple=True, help="Write this agent's hooks (repeatable).")
@click.option("--no-ci", is_flag=True, help="Write no CI workflow.")
@click.option("--remove", is_flag=True, help="Take out exactly what init put in.")
def init(*, yes: bool, agents: tuple[str, ...], no_ci: bool, remove: bool) -> None:
    """Write .rules/, agent hooks and CI, and install the git hooks."""
    from rulec.services.asking import reader_choice
    from rulec.services.setup.init import init_repository, remove_gates

    confirm = confirmer(yes=yes)
    finish(
        remove_gates(work_tree(), confirm)
        if remove
        else init_repository(work_tree(), agents=agents, ci=not no_ci, confirm=confirm)
    )
    if not remove and (line := reader_choice.choose_reader(work_tree(), reader_chooser(yes=yes))):
        say(line)


@rulec.command()
@click.option("--check", is_flag=True, help="Only say whether artifacts are current (exit 1 if not).")
def compile(*, check: bool) -> None:  # noqa: A001 - the verb's name
    """Prove and write every artifact that is not current."""
    from rulec.services.setup.compile import compile_rulebook

    finish(compile_rulebook(work_tree(), complain, check=check))


@rulec.command(hidden=True)
@click.argument("base")
@click.argument("ours")
@click.argument("theirs")
@click.argument("marker")
@click.argument("path")
def merge(*, base: str, ours: str, theirs: str, marker: str, path: str) -> None:
    """For git: merge what rulec generates, as `rulec init` told it to."""
    from rulec.infra.git.merge_files import MergeVersions
    from rulec.services.setup import merge_driver

    finish(
        merge_driver.merge_file(MergeVersions(top=Path.cwd(), base=base, ours=ours, theirs=theirs, marker=marker), path)
    )


@rulec.command()
@click.option("--fix", is_flag=True, help="Do what can be done without you: compile, hooks, settings.")
@FORMAT
def doctor(*, fix: bool, form: str) -> None:
    """Fire a known-bad and a known-good event at every gate."""
    from rulec.services.doctor.doctor import examine

    finish(examine(work_tree(), complain, fix=fix), form)


@rulec.command()
@click.option("--keep", is_flag=True, help="Keep the throw-away repository.")
def demo(*, keep: bool) -> None:
    """Play a correction through to a refused commit, in a throw-away repository."""
    from rulec.services.demo import play_demo

    finish(play_demo(click.echo, keep=keep))


@rulec.command("import")
@click.argument("paths", nargs=-1)
@YES
@PINNED
@click.option("--dry-run", is_flag=True, help="Only say what was found; writes nothing, needs no repository.")
@ONTO
@FORMAT
def import_(
    *,
    paths: tuple[str, ...],
    yes: bool,
    enforcement: str,
    dry_run: bool,
    no_commit: bool,
    branch: str | None,
    form: str,
) -> None:
    """Make rules of CLAUDE.md, AGENTS.md, Cursor's and Copilot's rules: one idea each, as you accept them.

    PATH is a file, a folder, or FILE#HEADING for one section; without it, every such file of the repository.
    """
    from rulec.services.mining import import_documents

    here = Path.cwd()
    if dry_run:
        finish(import_documents.preview_import(here, paths), form)
        return
    wish = wish_of_options(yes=yes, pinned=enforcement, onto=onto(no_commit=no_commit, branch=branch))
    finish(
        import_documents.import_documents(work_tree(), here, paths, wish, lambda text: say(text, err=form == "json")),
        form,
    )


@rulec.command()
@click.option("--format", "form", default="agents-md", show_default=True, help="Which document: claude-md, gemini-md …")
@number_option("--max-tokens", least=200, help="Its budget; by default as the settings say.")
def export(*, form: str, max_tokens: int | None) -> None:
    """Print the rules as a document for agents, the weightiest first."""
    from rulec.services.setup.snapshot import export_document

    finish(export_document(work_tree(), form, max_tokens))


@rulec.group()
def hook() -> None:
    """Git hooks without pre-commit: install and uninstall."""


@hook.command()
@click.option("--pre-push", "push", is_flag=True, help="Also judge what is pushed and no gate has seen.")
@click.option("--instead", is_flag=True, help="Also take the place of pre-commit's hooks, and run them first.")
def install(*, push: bool, instead: bool) -> None:
    """Gate commits, messages and, if wanted, pushes; a hook that stands there is still run."""
    from rulec.services.setup import git_hooks

    finish(git_hooks.install_git_hooks(work_tree(), push=push, instead=instead))


@hook.command()
def uninstall() -> None:
    """Take them out, and put back what stood there before."""
    from rulec.services.setup import git_hooks

    finish(git_hooks.uninstall_git_hooks(work_tree()))


@hook.command(hidden=True)
@click.argument("remote", default="")
def pushed(*, remote: str) -> None:
    """For git: judge what is about to be pushed, as standard input names it."""
    from rulec.services.gating import push

    finish(push.judge_push(work_tree(), remote, sys.stdin.read() if remote else None))


@hook.command(hidden=True)
def ended() -> None:
    """For agents' hooks: what judges say of the files that standard input names, as JSON."""
    from rulec.services.gating import turn_end

    finish(turn_end.judge_turn_end(work_tree(), sys.stdin.read()))


@rulec.command()
@click.argument("source", default="")
@click.option("--rev", default="", help="A tag, a branch or a full commit id.")
@click.option("--name", default="", help="What it is called here; by default as its URL ends.")
@click.option("--path", "folder", default="", help="The folder in it that holds .rules, where that is not its top.")
@click.option("--update", "again", is_flag=True, help="Fetch it again, all of them or the one named SOURCE.")
@click.option("--remove", is_flag=True, help="Extend the one named SOURCE no more.")
@ONTO
@FORMAT
def extend(
    *, source: str, rev: str, name: str, folder: str, again: bool, remove: bool, no_commit: bool, branch: str | None,
    form: str,
) -> None:  # fmt: skip
    """Build on the rulebook of another team, at a git URL and revision; without SOURCE, list them."""
    from rulec.rulebook.config import ExtendedRulebook
    from rulec.services.setup.extend import extend_rulebook, list_extended, remove_extended, update_extended

    if (again and remove) or ((again or remove) and (name or folder)) or (remove and (rev or not source)):
        raise RulecError("these options do not go together", hint="URL --rev REV, --update [NAME] or --remove NAME")
    here, wish = work_tree(), onto(no_commit=no_commit, branch=branch)
    if again:
        outcome = update_extended(here, source, rev, wish)
    elif remove:
        outcome = remove_extended(here, source, wish)
    elif source:
        outcome = extend_rulebook(here, ExtendedRulebook(name=name, url=source, rev=rev, path=folder), wish)
    else:
        outcome = list_extended(here)
    finish(outcome, form)
