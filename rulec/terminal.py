"""The person at the terminal: what is shown and what is asked; the only place that prints."""

import re
import sys
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import click

from rulec.errors import RulecError

if TYPE_CHECKING:
    from rulec.commands._propose import Proposal
    from rulec.commands.ingest import Wish

# What a terminal would obey or turn around: words and file names of strangers are shown, never performed.
_CONTROL = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069]")
_ANSWERS = {"accept": "accept", "reject": "reject", "later": "later", "yes": "accept", "no": "reject"}
_ANSWERS |= {word[0]: meaning for word, meaning in _ANSWERS.items()}
_QUESTION = "[a]ccept, [r]eject for good, [l]ater; Ctrl-C stops, what was decided stays"


def say(text: str, *, err: bool = False) -> None:
    """Print a text with its control characters spelled out."""
    click.echo(_CONTROL.sub(lambda match: f"\\u{ord(match[0]):04x}", text), err=err)


def complain(text: str) -> None:
    """Print a refusal to standard error."""
    say(f"rulec: {text}", err=True)


def confirming(*, yes: bool) -> Callable[[str], bool]:
    """Ask a person before something is done; with --yes, do not."""

    def confirm(question: str) -> bool:
        if yes:
            return True
        _needs_terminal()
        say(question)
        return click.confirm("Go on?", default=True)

    return confirm


def wishing(*, yes: bool, pinned: Any, no_commit: bool) -> "Wish":
    """What the person chose, with the question that each proposal is followed by."""
    from rulec.commands.ingest import Wish  # noqa: PLC0415 - as in cli: the help must not pay for it

    def answer(_: "Proposal") -> str:
        if yes:
            return "accept"
        _needs_terminal()
        kinds = click.Choice(list(_ANSWERS), case_sensitive=False)
        return _ANSWERS[click.prompt(_QUESTION, type=kinds, default="later", show_choices=False)]

    return Wish(answer=answer, pinned=pinned, reviewed=not yes, into_git=not no_commit)


def _needs_terminal() -> None:
    if not sys.stdin.isatty():
        raise RulecError("there is nobody to ask: standard input is no terminal", hint="pass --yes to accept")
