"""The verbs that make rules of what people say: ingest, review, add, propose, detect."""

import json
from collections.abc import Callable, Iterable
from functools import partial
from typing import Any, BinaryIO

import click

from rulec.cli._root import FORMAT, ONTO, PINNED, YES, end, onto, rulec, top
from rulec.errors import RulecError
from rulec.terminal import attended, complain, say, wishing


@rulec.command()
@click.argument("transcript", required=False)
@YES
@PINNED
@click.option("--dry-run", is_flag=True, help="Only say what was found; writes nothing, needs no repository.")
@click.option("--reader", default="", help="Force a transcript format.")
@ONTO
@FORMAT
def ingest(
    *,
    transcript: str | None,
    yes: bool,
    enforcement: str,
    dry_run: bool,
    reader: str,
    no_commit: bool,
    branch: str | None,
    form: str,
) -> None:
    """Find corrections in a transcript ("-" for standard input), propose rules, write what is accepted.

    Without TRANSCRIPT: in every session of this repository that was not read before, newest first.
    """
    from rulec.commands import ingest as command

    if transcript == "":  # an unset variable in a script must not mean every session
        raise RulecError("the transcript's name is empty", hint="name one, or leave it out for all sessions")
    if dry_run:
        if not transcript:
            raise RulecError("--dry-run reads one transcript", hint="rulec ingest TRANSCRIPT --dry-run")
        for turn in command.dry(transcript, reader, complain, whole=form == "json"):
            _dry_line(turn, form)
        return
    wish = wishing(yes=yes, pinned=enforcement, onto=onto(no_commit=no_commit, branch=branch))
    show = _cards(form)
    if transcript:
        end(command.run(top(), transcript, reader, wish, show), form)
    else:
        end(command.everything(top(), wish, show), form)


def _cards(form: str) -> Callable[[str], None]:
    """Where proposals are shown: a program that reads standard output wants the result alone."""
    return partial(say, err=form == "json")


@rulec.command()
@click.option("--accept", multiple=True, metavar="SLUG", help="Accept this one unasked (repeatable).")
@click.option("--new", multiple=True, metavar="SLUG", help="Accept it beside the rule that it is like (repeatable).")
@click.option("--reject", multiple=True, metavar="SLUG", help="Reject this one for good, unasked (repeatable).")
@PINNED
@ONTO
@FORMAT
def review(
    *,
    accept: tuple[str, ...],
    new: tuple[str, ...],
    reject: tuple[str, ...],
    enforcement: str,
    no_commit: bool,
    branch: str | None,
    form: str,
) -> None:
    """Decide on the proposals that wait; without a terminal, or as json, list them."""
    from rulec.commands import review as command

    wish = wishing(yes=False, pinned=enforcement, onto=onto(no_commit=no_commit, branch=branch))
    answers = [
        *((slug, "accept") for slug in accept),
        *((slug, "new") for slug in new),
        *((slug, "reject") for slug in reject),
    ]
    if answers:
        end(command.settled(top(), answers, wish, _cards(form), complain), form)
    elif form == "json" or not attended():
        end(command.listed(top(), complain), form)
    else:
        end(command.run(top(), wish, say, complain))


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
@YES
@PINNED
@ONTO
@FORMAT
def add(*, text: str, yes: bool, enforcement: str, no_commit: bool, branch: str | None, form: str) -> None:
    """Make a rule from your own sentence, or change the rule that it is about."""
    from rulec.commands import add as command

    wish = wishing(yes=yes, pinned=enforcement, onto=onto(no_commit=no_commit, branch=branch))
    end(command.run(top(), text, wish, _cards(form)), form)


@rulec.command()
@click.argument("offer", type=click.File("rb"), default="-")
@FORMAT
def propose(*, offer: BinaryIO, form: str) -> None:
    """For agents: put a rule before the person, as one JSON object (a file, or standard input).

    {"statement", "when", "quote", "offence", "fix"}; offence and fix are examples as in rule files.
    """
    from rulec.commands import propose as command

    end(command.run(top(), offer, getattr(offer, "name", "-")), form)
