"""Verbs that make rules of what people say: ingest, review, add, detect."""

import json
from collections.abc import Callable, Iterable
from functools import partial
from typing import Any, BinaryIO

import click

from rulec.cli.group import finish, rulec, work_tree
from rulec.cli.options import BACKEND, FORMAT, ONTO, PINNED, YES, onto
from rulec.cli.terminal import complain, is_attended, reader_chooser, say, wish_of_options
from rulec.errors import RulecError

DRY = (
    "Only say what was found. Without --backend it writes nothing and needs no repository; with one no rule and no "
    "proposal is written, but questions and answers are kept, and --continue is a dry run as well."
)


@rulec.command()
@click.argument("transcript", required=False)
@YES
@PINNED
@click.option("--dry-run", is_flag=True, help=DRY)
@click.option("--reader", default="", help="Force a transcript format.")
@BACKEND
@click.option("--continue", "resume", is_flag=True, help="Hear the answers that the last run by files waits for.")
@click.option("--bulk", is_flag=True, help="Within a day at a lower price, where the backend can.")
@ONTO
@FORMAT
def ingest(
    *,
    transcript: str | None,
    yes: bool,
    enforcement: str,
    dry_run: bool,
    reader: str,
    backend: str,
    resume: bool,
    bulk: bool,
    no_commit: bool,
    branch: str | None,
    form: str,
) -> None:
    """Find corrections in a transcript ("-" for standard input), propose rules, write what is accepted.

    Without TRANSCRIPT: in every session of this repository that was not read before, newest first.
    """
    from rulec.services.asking import reader_choice
    from rulec.services.mining.ingest import ingest_repository, ingest_transcript, read_dry

    if transcript == "":  # an unset variable in a script must not mean every session
        raise RulecError("the transcript's name is empty", hint="name one, or leave it out for all sessions")
    if resume and dry_run:
        raise RulecError("--dry-run hears no answers", hint="leave one of --dry-run and --continue out")
    if dry_run and not transcript:
        raise RulecError("--dry-run reads one transcript", hint="rulec ingest TRANSCRIPT --dry-run")
    if bulk and dry_run and not backend:
        raise RulecError(
            "--bulk asks a model, and without --backend none is", hint="leave --bulk out, or name a backend"
        )
    if resume:
        transcript, reader, backend, dry_run = _resumed(transcript, reader, backend)
    where = onto(no_commit=no_commit, branch=branch)
    here = None if dry_run and not backend else work_tree()
    if here and not backend and (line := reader_choice.choose_reader(here, reader_chooser(yes=yes))):
        say(line, err=True)
    wish = wish_of_options(yes=yes, pinned=enforcement, onto=where, backend=backend, bulk=bulk)
    show = _cards(form)
    if dry_run and transcript:
        asked = wish if backend else None
        for turn in read_dry(transcript, reader, complain, whole=form == "json", top=here, wish=asked):
            _dry_line(turn, form)
        return
    here = here or work_tree()
    if transcript:
        finish(ingest_transcript(here, transcript, reader, wish, show), form)
    else:
        finish(ingest_repository(here, wish, show), form)


def _resumed(transcript: str | None, reader: str, backend: str) -> tuple[str, str, str, bool]:
    """The transcript, reader and backend of the run whose answers are to be heard, and whether it was a dry one."""
    from rulec.services.asking import exchange_run

    if transcript or reader or backend not in ("", exchange_run.EXCHANGE):
        hint = "leave the rest out; --yes, --branch and the like are said anew"
        raise RulecError("--continue reads again what the last run read", hint=hint)
    asked = exchange_run.resume_run(work_tree())
    return asked.transcript, asked.reader, exchange_run.EXCHANGE, asked.dry


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
    from rulec.services.rules.review import decide_by_slug, list_waiting, review_all

    wish = wish_of_options(yes=False, pinned=enforcement, onto=onto(no_commit=no_commit, branch=branch))
    answers = [
        *((slug, "accept") for slug in accept),
        *((slug, "new") for slug in new),
        *((slug, "reject") for slug in reject),
    ]
    if answers:
        finish(decide_by_slug(work_tree(), answers, wish, _cards(form), complain), form)
    elif form == "json" or not is_attended():
        finish(list_waiting(work_tree(), complain, whole=form == "json"), form)
    else:
        finish(review_all(work_tree(), wish, say, complain))


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
    from rulec.services.mining.turn_candidates import score_turns

    if form != "json":
        raise RulecError(f"no format {form!r}", hint="json is the only one")
    for told in score_turns(rows, getattr(rows, "name", "-")):
        say(json.dumps(told))


class _Numbered(click.Command):
    """A command where each --with belongs to the --check before it: click alone forgets how they were mixed."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Put before each value of --with the number of its check."""
        numbered: list[str] = []
        checks, value = 0, False
        for at, word in enumerate(args):
            if word == "--" and not value:
                numbered += args[at:]
                break
            word = word if value else word.removeprefix("- ")  # noqa: PLW2901 - a bullet of a list is no option
            option, sign, rest = word.partition("=")
            checks += option == "--check" and not value
            joined = option == "--with" and bool(sign)
            numbered.append(f"{checks}:{word}" if value else f"--with={checks}:{rest}" if joined else word)
            value = word == "--with" and not value
        return super().parse_args(ctx, numbered)


@rulec.command(cls=_Numbered)
@click.argument("text", required=False)
@click.option("--check", "checks", multiple=True, metavar="TEMPLATE", help="What checks it (repeatable).")
@click.option("--with", "parameters", multiple=True, metavar="NAME=VALUE", help="A parameter of the check before it.")
@click.option(
    "--invalid", multiple=True, metavar="EXAMPLE", help="Must be caught: a command, or {file: …, content: …}."
)
@click.option("--valid", multiple=True, metavar="EXAMPLE", help="Must pass.")
@click.option("--scope", multiple=True, metavar="GLOB", help="Where it holds; !GLOB: where not.")
@click.option("--not-checked", multiple=True, metavar="TEXT", help="What the sentence says and the checks do not see.")
@click.option("--rule", type=click.File("rb"), help='The whole rule, as in a rule file ("-": standard input).')
@click.option("--judge", is_flag=True, help="Let a model judge it, where no check can see what it means.")
@YES
@PINNED
@ONTO
@FORMAT
def add(
    *,
    text: str | None,
    checks: tuple[str, ...],
    parameters: tuple[str, ...],
    invalid: tuple[str, ...],
    valid: tuple[str, ...],
    scope: tuple[str, ...],
    not_checked: tuple[str, ...],
    rule: BinaryIO | None,
    judge: bool,
    yes: bool,
    enforcement: str,
    no_commit: bool,
    branch: str | None,
    form: str,
) -> None:
    """Make a rule from your own sentence, or change the rule that it is about.

    With --check you say yourself what checks it: rulec add "Never use npm" --check forbid-command --with commands=npm
    --invalid "npm ci" --valid "pnpm add x". See rulec templates --catalogue.
    """
    from rulec.services.proposals.rule_offer import CheckOptions
    from rulec.services.rules.add import add_sentence, add_whole_rule, add_with_checks

    said = [(int(number), value) for number, _, value in (one.partition(":") for one in parameters)]
    given = CheckOptions(
        checks=checks, parameters=said, invalid=invalid, valid=valid, scope=scope, not_checked=not_checked
    )  # fmt: skip
    if (rule is None) == (text is None) or (rule and given) or (judge and (rule or given)):
        raise RulecError("say one thing", hint="a sentence, a sentence with --check, one with --judge, or --rule FILE")
    wish = wish_of_options(yes=yes, pinned=enforcement, onto=onto(no_commit=no_commit, branch=branch))
    if rule is not None:
        finish(add_whole_rule(work_tree(), rule, getattr(rule, "name", "-"), wish, _cards(form)), form)
    elif given:
        finish(add_with_checks(work_tree(), text or "", given, wish, _cards(form)), form)
    else:
        finish(add_sentence(work_tree(), text or "", wish, _cards(form), judge=judge), form)
