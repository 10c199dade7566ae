"""Commands of every day: audit, ingest, add, review, rules, why, ui."""

import json
import os
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO

import click

from rulec.cli.group import (
    BACKEND,
    FORMAT,
    ONTO,
    PINNED,
    SLUG,
    YES,
    Verb,
    finish,
    number_option,
    verb,
    work_tree,
)
from rulec.errors import RulecError
from rulec.terminal import complain, decision_options, is_attended, progress_bar, reader_chooser, say

if TYPE_CHECKING:
    from rulec.services.rulebook_commit import ChangeTarget


@verb(
    "rulec audit                           # the sessions of this folder against its CLAUDE.md, AGENTS.md, ...",
    "rulec audit --all                     # every session of this machine",
    "rulec audit session.jsonl --document CLAUDE.md",
)
@click.argument("transcripts", nargs=-1)
@click.option("--all", "everywhere", is_flag=True, help="Every session of this machine, by the documents beside it.")
@click.option("--document", "documents", multiple=True, metavar="FILE", help="Only these instructions (repeatable).")
@BACKEND
@click.option("--format", "form", default="text", show_default=True, help="Output: text, json, markdown or html.")
def audit(
    *, transcripts: tuple[str, ...], everywhere: bool, documents: tuple[str, ...], backend: str, form: str
) -> None:
    """Show which of your instructions agents break.

    It reads agents' sessions and instruction documents, and tells which instructions were broken, how often, and what a
    check would have stopped. It needs no set-up and writes nothing; with --backend, a model writes checks of sentences
    that rulec alone does not understand, and its answers are kept.
    """
    from rulec.services.audit.audit import AuditSubject, run_audit
    from rulec.services.audit.audit_report import FORMS, audit_outcome

    if form not in FORMS:
        raise RulecError(f"unknown format {form!r}", where="--format", hint=f"use {' or '.join(FORMS)}")
    if everywhere and (transcripts or documents):
        raise RulecError("--all looks at every session", hint="name no TRANSCRIPT and no --document beside it")
    subject = AuditSubject(
        here=Path.cwd(), transcripts=transcripts, documents=documents, everywhere=everywhere, backend=backend
    )
    outcome = audit_outcome(run_audit(subject, complain, progress_bar), form)
    if form in ("markdown", "html"):
        say(outcome.text)
    else:
        finish(outcome, form)


DRY = (
    "Only show what was found. Without --backend, no repository is needed and nothing is written; with it, questions "
    "and answers are kept, but no rule and no proposal."
)


@verb(
    "rulec ingest                          # all sessions of this repository that were not read before",
    "rulec ingest session.jsonl            # one transcript",
    "rulec ingest session.jsonl --dry-run  # only look",
    "rulec ingest --queue shop.json        # what rulec mine-corpus found for this repository",
)
@click.argument("transcript", required=False)
@YES
@PINNED
@click.option("--dry-run", is_flag=True, help=DRY)
@click.option("--reader", default="", metavar="FORMAT", help="Read the transcript in this format.")
@BACKEND
@click.option("--continue", "resume", is_flag=True, help="Continue the last run that waits for answers in files.")
@click.option("--queue", metavar="FILE", help="Take the candidates of a file that rulec mine-corpus wrote.")
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
    queue: str | None,
    onto: "ChangeTarget",
    form: str,
) -> None:
    """Find corrections in transcripts and propose rules.

    rulec asks about each proposal and writes what you accept, one commit each. TRANSCRIPT is a file, or "-" for
    standard input; without it, rulec reads every session of this repository that it has not read yet, newest first.
    """
    from rulec.services.asking import reader_choice
    from rulec.services.mining.ingest import ingest_repository, ingest_transcript, read_dry

    if queue is not None:
        from rulec.services.corpus.queue_files import take_queue

        named = transcript is not None or enforcement != "auto" or not onto.commit
        if named or any((yes, dry_run, reader, resume, backend, onto.branch)):
            hint = "name no TRANSCRIPT beside it, and no option but --format"
            raise RulecError("--queue takes what was read already", hint=hint)
        finish(take_queue(work_tree(), Path(queue)), form)
        return
    _refuse_contradictions(transcript, dry_run=dry_run, resume=resume)
    if resume:
        transcript, reader, backend, dry_run = _resumed(transcript, reader, backend)
    here = None if dry_run and not backend else work_tree()
    if here and not backend and (line := reader_choice.choose_reader(here, reader_chooser(yes=yes))):
        say(line, err=True)
    options = decision_options(yes=yes, pinned=enforcement, onto=onto, backend=backend)
    show = _cards(form)
    if dry_run and transcript:
        asked = options if backend else None
        for turn in read_dry(transcript, reader, complain, whole=form == "json", top=here, options=asked):
            _dry_line(turn, form)
        return
    here = here or work_tree()
    if transcript:
        finish(ingest_transcript(here, transcript, reader, options, show), form)
    else:
        finish(ingest_repository(here, options, show), form)


def _refuse_contradictions(transcript: str | None, *, dry_run: bool, resume: bool) -> None:
    if transcript == "":  # an unset variable in a script must not mean every session
        raise RulecError("TRANSCRIPT is empty", hint="name a file, or leave it out to read all sessions")
    if resume and dry_run:
        raise RulecError("--dry-run and --continue exclude each other", hint="leave one of them out")
    if dry_run and not transcript:
        raise RulecError("--dry-run needs a TRANSCRIPT", hint="such as rulec ingest session.jsonl --dry-run")


def _resumed(transcript: str | None, reader: str, backend: str) -> tuple[str, str, str, bool]:
    """The transcript, reader and backend of the run that is continued, and whether it was a dry run."""
    from rulec.services.asking import exchange_run

    if transcript or reader or backend not in ("", exchange_run.EXCHANGE):
        hint = "leave TRANSCRIPT, --reader and --backend out; it takes those of the last run"
        raise RulecError("--continue reads what the last run read", hint=hint)
    asked = exchange_run.resume_run(work_tree())
    return asked.transcript, asked.reader, exchange_run.EXCHANGE, asked.dry


def _cards(form: str) -> Callable[[str], None]:
    """Print cards to standard error where standard output is for a program."""
    return partial(say, err=form == "json")


def _dry_line(turn: dict[str, Any], form: str) -> None:
    if form == "json":
        say(json.dumps(turn, ensure_ascii=True))
    elif turn["band"] != "none":
        say(f"turn {turn['turn']} ({turn['band']} {turn['score']:.2f}): {' '.join(turn['text'].split())[:100]}")
        for candidate in turn["candidates"]:
            checks = "; ".join(candidate["checks"]) or "no check, a reminder"
            say(f"  {candidate['slug']}: {candidate['statement']}\n    {checks}")


class _AddCommand(Verb):
    """The command whose --with belongs to the preceding --check: click does not keep the order of different options."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Prefix each value of --with with the number of its --check."""
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


@verb(
    'rulec add "Never commit .env files"',
    'rulec add "Never use npm" --check forbid-command --with commands=npm --invalid "npm ci" --valid "pnpm add x"',
    "rulec add --rule rule.yaml",
    cls=_AddCommand,
)
@click.argument("text", required=False)
@click.option(
    "--check", "checks", multiple=True, metavar="TEMPLATE", help="Check the rule by this template (repeatable)."
)
@click.option(
    "--with",
    "parameters",
    multiple=True,
    metavar="NAME=VALUE",
    help="A parameter of the preceding --check (repeatable); a list is NAME=[A, B].",
)
@click.option(
    "--invalid",
    multiple=True,
    metavar="EXAMPLE",
    help="What must be caught: a command, or {file: …, content: …} (repeatable).",
)
@click.option("--valid", multiple=True, metavar="EXAMPLE", help="What must pass (repeatable).")
@click.option(
    "--scope", multiple=True, metavar="GLOB", help="Files that the rule is about; !GLOB excludes some (repeatable)."
)
@click.option(
    "--not-checked", multiple=True, metavar="TEXT", help="A part of the sentence that no check sees (repeatable)."
)
@click.option("--rule", type=click.File("rb"), help='Read the whole rule from a file ("-" for standard input).')
@click.option("--judge", is_flag=True, help="Let a model judge changes, where no check can.")
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
    onto: "ChangeTarget",
    form: str,
) -> None:
    """Write a rule in your own words.

    rulec finds a check where one of its templates explains the whole sentence; else an agent's CLI writes one, if you
    allow it. With --check you name the template yourself (see rulec templates). If a rule is already about this, rulec
    proposes to change it instead.
    """
    from rulec.services.proposals.rule_offer import CheckOptions
    from rulec.services.rules.new_rule import add_sentence, add_whole_rule, add_with_checks

    said = [(int(number), value) for number, _, value in (one.partition(":") for one in parameters)]
    given = CheckOptions(
        checks=checks, parameters=said, invalid=invalid, valid=valid, scope=scope, not_checked=not_checked
    )  # fmt: skip
    if (rule is None) == (text is None) or (rule and given) or (judge and (rule or given)):
        raise RulecError(
            "give either TEXT (with --check or --judge, if you like) or --rule FILE", hint="see rulec add --help"
        )
    options = decision_options(yes=yes, pinned=enforcement, onto=onto)
    if rule is not None:
        finish(add_whole_rule(work_tree(), rule, getattr(rule, "name", "-"), options, _cards(form)), form)
    elif given:
        finish(add_with_checks(work_tree(), text or "", given, options, _cards(form)), form)
    else:
        choose = reader_chooser(yes=yes)
        finish(add_sentence(work_tree(), text or "", options, _cards(form), judge=judge, choose=choose), form)


@verb(
    "rulec review                          # decide at the terminal",
    "rulec review --format json            # list what waits, with its proofs",
    "rulec review --accept use-pnpm",
)
@click.option("--accept", multiple=True, metavar="SLUG", help="Accept this proposal (repeatable).")
@click.option(
    "--new", multiple=True, metavar="SLUG", help="Accept it as a rule of its own, beside a similar one (repeatable)."
)
@click.option("--reject", multiple=True, metavar="SLUG", help="Reject it; it is not proposed again (repeatable).")
@PINNED
@ONTO
@FORMAT
def review(
    *,
    accept: tuple[str, ...],
    new: tuple[str, ...],
    reject: tuple[str, ...],
    enforcement: str,
    onto: "ChangeTarget",
    form: str,
) -> None:
    """Decide on the proposals that wait.

    Without a terminal, or with --format json, rulec lists them.
    """
    from rulec.services.rules.review import decide_by_slug, list_waiting, review_all

    options = decision_options(yes=False, pinned=enforcement, onto=onto)
    answers = [
        *((slug, "accept") for slug in accept),
        *((slug, "new") for slug in new),
        *((slug, "reject") for slug in reject),
    ]
    if answers:
        finish(decide_by_slug(work_tree(), answers, options, _cards(form), complain), form)
    elif form == "json" or not is_attended():
        finish(list_waiting(work_tree(), complain, whole=form == "json"), form)
    else:
        finish(review_all(work_tree(), options, say, complain))


@verb(
    "rulec rules",
    "rulec rules --format json",
)
@FORMAT
def rules(*, form: str) -> None:
    """List the rules and what each one does."""
    from rulec.services.rules import rule_list

    finish(rule_list.list_rules(work_tree()), form)


@verb(
    "rulec why use-pnpm",
)
@SLUG
def why(*, slug: str) -> None:
    """Show a rule, where it acts, and its past.

    It shows its file and checks, the quotes that it was made from, its proof, exceptions, confidence and findings, and
    every decision about it.
    """
    from rulec.services.browsing.why import explain_rule

    finish(explain_rule(work_tree(), slug))


_EXTRA = ("starlette", "uvicorn", "anyio", "h11", "multipart", "python_multipart", "cryptography")


@verb(
    "rulec ui                # until Ctrl-C",
    "rulec ui --no-browser   # only say where it is",
)
@number_option("--port", least=0, most=65535, default=0, help="Serve it at this port instead of a free one.")
@click.option("--no-browser", is_flag=True, help="Open no browser.")
def ui(*, port: int, no_browser: bool) -> None:
    """Show rules, queue and plans in your browser.

    You decide there, too. A person runs it, at a terminal. The page is for the browser alone whose code you type at the
    terminal, and only on this machine. Every change is a commit that the page names, as with the commands.
    """
    _require_person()
    top = work_tree()
    try:
        from rulec.web.server import serve_page
    except ModuleNotFoundError as missing:
        if str(missing.name).partition(".")[0] not in _EXTRA:
            raise
        raise RulecError(f"the page needs {missing.name}, which is not installed", hint="install rulec[ui]") from None
    serve_page(top, port=port, opens=not no_browser, tell=say)


def _require_person() -> None:
    """Refuse where nobody is at the terminal, or an agent is."""
    from rulec.agents.protocol.agent_spec import agents_around

    if not is_attended():
        raise RulecError("standard input is no terminal", hint="a person has to run rulec ui at a terminal")
    agents = agents_around(os.environ)
    if agents:
        told = f"{', '.join(agents)} runs this command"
        raise RulecError(told, hint="a person has to run rulec ui at a terminal of their own")
