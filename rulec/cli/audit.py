"""The command that asks which instructions agents break: audit."""

from pathlib import Path

import click

from rulec.cli.group import BACKEND, finish, verb
from rulec.errors import RulecError
from rulec.terminal import complain, progress_bar, say


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
