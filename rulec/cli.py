"""argv in, text and exit code out."""

import json
import os
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

import click

from rulec import __version__
from rulec.errors import RulecError
from rulec.terminal import complain, confirming, say, wishing

if TYPE_CHECKING:
    from rulec.commands._outcome import Outcome

# Every verb imports its command inside: ``rulec --help`` must not pay for what it does not run.
_ENFORCEMENT = click.Choice(["auto", "audit", "warn", "block"])
_FORMAT = click.option("--format", "form", default="text", show_default=True, help="text or json.")
_YES = click.option("--yes", is_flag=True, help="Never ask; accept.")
_PINNED = click.option(
    "--enforcement", type=_ENFORCEMENT, default="auto", show_default=True, help="What a finding does, pinned."
)
_NO_COMMIT = click.option("--no-commit", is_flag=True, help="Leave the change in the work tree.")


def main(argv: Sequence[str] | None = None) -> NoReturn:
    """Run one command: exit 0 clean, 1 findings, 2 refused, 3 our own bug."""
    try:
        rulec.main(args=list(argv) if argv is not None else None, prog_name="rulec", standalone_mode=False)
    except RulecError as error:
        complain(str(error))
        sys.exit(2)
    except click.exceptions.Abort:
        complain("interrupted; what was decided is written")
        sys.exit(130)
    except click.ClickException as error:
        complain(f"{error.format_message()}; see rulec --help")
        sys.exit(2)
    except BrokenPipeError:  # somebody's `| head` has seen enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(0)
    except Exception as error:  # the last line of defence: a bug is told, with exit 3, not dumped
        if os.environ.get("RULEC_DEBUG"):
            raise
        complain(f"a bug of rulec, please report it: {type(error).__name__}: {error} (RULEC_DEBUG=1 shows where)")
        sys.exit(3)
    sys.exit(0)


def _top() -> Path:
    from rulec.host import git

    return git.root(Path.cwd())


def _end(outcome: "Outcome", form: str = "text") -> None:
    text = json.dumps(outcome.data, ensure_ascii=False, indent=1) if form == "json" else outcome.text
    if text:
        say(text)
    if outcome.code:
        sys.exit(outcome.code)


@click.group(invoke_without_command=True, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, message="rulec %(version)s")
@click.pass_context
def rulec(context: click.Context) -> None:
    """Corrections of coding agents, compiled into checks. Alone: where things stand and the next step."""
    if context.invoked_subcommand is None:
        from rulec.commands import status

        _end(status.run(Path.cwd()))


@rulec.command()
@_YES
@click.option("--agent", "agents", multiple=True, help="Write this agent's hooks (repeatable).")
@click.option("--no-ci", is_flag=True, help="Write no CI workflow.")
@click.option("--remove", is_flag=True, help="Take out exactly what init put in.")
def init(*, yes: bool, agents: tuple[str, ...], no_ci: bool, remove: bool) -> None:
    """Write .rules/, agent hooks and CI, and install the git hooks."""
    from rulec.commands import init as command

    confirm = confirming(yes=yes)
    _end(
        command.remove(_top(), confirm) if remove else command.run(_top(), agents=agents, ci=not no_ci, confirm=confirm)
    )


@rulec.command()
@click.argument("transcript", default="")
@_YES
@_PINNED
@click.option("--dry-run", is_flag=True, help="Only say what was found; writes nothing, needs no repository.")
@click.option("--reader", default="", help="Force a transcript format.")
@_NO_COMMIT
@_FORMAT
def ingest(
    *, transcript: str, yes: bool, enforcement: str, dry_run: bool, reader: str, no_commit: bool, form: str
) -> None:
    """Find corrections in a transcript ("-" for standard input), propose rules, write what is accepted.

    Without TRANSCRIPT: in every session of this repository that was not read before, newest first.
    """
    from rulec.commands import ingest as command

    if dry_run:
        if not transcript:
            raise RulecError("--dry-run reads one transcript", hint="rulec ingest TRANSCRIPT --dry-run")
        if form not in ("text", "json"):
            raise RulecError(f"no format {form!r}", hint="known are text, json")
        for turn in command.dry(transcript, reader, complain, whole=form == "json"):
            _dry_line(turn, form)
        return
    wish = wishing(yes=yes, pinned=enforcement, no_commit=no_commit)
    if not transcript:
        _end(command.everything(_top(), wish, say))
        return
    _end(command.run(_top(), transcript, reader, wish, say), form)


def _dry_line(turn: dict[str, Any], form: str) -> None:
    if form == "json":
        say(json.dumps(turn, ensure_ascii=True))
    elif turn["band"] != "none":
        say(f"turn {turn['turn']} ({turn['band']} {turn['score']:.2f}): {' '.join(turn['text'].split())[:100]}")
        for candidate in turn["candidates"]:
            checks = "; ".join(candidate["checks"]) or "no check, a reminder"
            say(f"  {candidate['slug']}: {candidate['statement']}\n    {checks}")


@rulec.command()
@click.argument("rows", type=click.File("r", encoding="utf-8", errors="replace"))
@click.option("--format", "form", default="json", show_default=True, help="json alone.")
def detect(*, rows: Iterable[str], form: str) -> None:
    """Score single turns: JSON lines in ("-" for standard input), JSON lines out."""
    from rulec.commands import detect as command

    if form != "json":
        raise RulecError(f"no format {form!r}", hint="json is the only one")
    for told in command.run(rows, getattr(rows, "name", "-")):
        say(json.dumps(told))


@rulec.command()
@click.argument("text")
@_YES
@_PINNED
@_NO_COMMIT
def add(*, text: str, yes: bool, enforcement: str, no_commit: bool) -> None:
    """Make a rule from your own sentence."""
    from rulec.commands import add as command

    _end(command.run(_top(), text, wishing(yes=yes, pinned=enforcement, no_commit=no_commit), say))


@rulec.command()
@click.option("--check", is_flag=True, help="Only say whether artifacts are current (exit 1 if not).")
def compile(*, check: bool) -> None:  # noqa: A001 - the verb's name
    """Prove and write every artifact that is not current."""
    from rulec.commands import compile as command

    _end(command.run(_top(), check=check))


@rulec.command()
@click.argument("files", nargs=-1)
@click.option("--staged", is_flag=True, help="The index, by the rules of HEAD.")
@click.option("--base", default="", help="What HEAD adds to this revision, by its rules.")
@click.option("--all", "everything", is_flag=True, help="Every file in the work tree.")
@click.option("--message", default="", help="A file with a commit message.")
@_FORMAT
def check(*, files: tuple[str, ...], staged: bool, base: str, everything: bool, message: str, form: str) -> None:
    """Judge files, a change or a commit message; exit 1 where something is refused."""
    from rulec.commands import check as command

    if sum(map(bool, (files, staged, base, everything, message))) != 1:
        raise RulecError("say what to check", hint="FILES, --staged, --base REF, --all or --message FILE")
    top = _top()
    if staged:
        outcome = command.staged(top, form)
    elif base:
        outcome = command.since(top, base, form)
    elif message:
        outcome = command.message(top, message, form)
    else:
        outcome = command.at_hand(top, files or [str(top)], form)
    _end(outcome)


@rulec.command()
@click.argument("slug", default="")
@_FORMAT
def test(*, slug: str, form: str) -> None:
    """Run every rule's examples through its compiled check."""
    from rulec.commands import test as command

    _end(command.run(_top(), slug), form)


@rulec.command()
@_FORMAT
def rules(*, form: str) -> None:
    """List the rules."""
    from rulec.commands import rules as command

    _end(command.run(_top()), form)


@rulec.command()
@click.argument("slug")
def show(*, slug: str) -> None:
    """Print one rule's file."""
    from rulec.commands import rules as command

    _end(command.show(_top(), slug))


@rulec.command()
@click.argument("slug")
def why(*, slug: str) -> None:
    """Say whose words a rule is, what it did, and how sure it is."""
    from rulec.commands import why as command

    _end(command.run(_top(), slug))


@rulec.command()
@click.argument("slug")
def log(*, slug: str) -> None:
    """List the commits that made and changed a rule."""
    from rulec.commands import why as command

    _end(command.log(_top(), slug))


@rulec.command()
@click.argument("slug")
@click.option("--to", default="", help="The revision to go back to; by default before the last change.")
@_NO_COMMIT
def rollback(*, slug: str, to: str, no_commit: bool) -> None:
    """Bring a rule back to an earlier state."""
    from rulec.commands import rollback as command

    _end(command.run(_top(), slug, to, into_git=not no_commit))


@rulec.command()
def doctor() -> None:
    """Fire a known-bad and a known-good event at every gate."""
    from rulec.commands import doctor as command

    _end(command.run(_top()))


@rulec.command()
@click.option("--keep", is_flag=True, help="Keep the throw-away repository.")
def demo(*, keep: bool) -> None:
    """Play a correction through to a refused commit, in a throw-away repository."""
    from rulec.commands import demo as command

    _end(command.run(click.echo, keep=keep))
