"""The person at the terminal: all output, and all questions."""

import re
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import click

from rulec.domain.text.one_line import spell_out_in_terminal
from rulec.errors import RulecError

if TYPE_CHECKING:
    from rulec.domain.outcome import Tick
    from rulec.services.proposals.candidate_decision import DecisionOptions
    from rulec.services.proposals.decision import Answer, Card
    from rulec.services.rulebook_commit import ChangeTarget

# What a terminal would obey or turn around: words and file names of strangers are shown, never performed.
_CONTROL = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069]")
_OFFERS: dict["Answer", str] = {
    "accept": "[a]ccept",
    "new": "[n]ew rule beside it",
    "edit": "[e]dit",
    "details": "[d]etails",
    "reject": "[r]eject",
    "later": "[l]ater",
    "quit": "[q]uit (later for all that are left); Ctrl-C keeps what was decided",
}
_ANSWERS: Mapping[str, "Answer"] = {**{answer: answer for answer in _OFFERS}, "yes": "accept", "no": "reject"}
_BATCH = {"one": "each", "accept": "accept", "reject": "reject", "later": "later"}
_LONG = 2_000_000  # bytes to read from which on a person wants to see how far it is


def say(text: str, *, err: bool = False) -> None:
    """Print a text; control and invisible characters are spelled out."""
    click.echo(spell_out_in_terminal(_CONTROL.sub(lambda match: f"\\u{ord(match[0]):04x}", text)), err=err)


def complain(text: str) -> None:
    """Print an error to standard error."""
    say(f"rulec: {text}", err=True)


def hand_on(text: str) -> None:
    """Print a text that another program reads, as it is; at a terminal as ``say`` does."""
    if sys.stdout.isatty():
        say(text.removesuffix("\n"))
    else:
        click.echo(text.encode("utf-8", "surrogatepass"), nl=False)


def is_attended() -> bool:
    """Whether standard input is a terminal."""
    return sys.stdin.isatty()


def shows_screens() -> bool:
    """Whether standard output is a terminal, on which a text can take the place of another."""
    return sys.stdout.isatty()


def show_screens(texts: Iterator[str]) -> None:
    """Print each text in the place of the one before, until Ctrl-C."""
    try:
        for text in texts:
            click.clear()
            say(text)
    except KeyboardInterrupt:
        return


def confirmer(*, yes: bool) -> Callable[[str], bool]:
    """A function that asks a person before something is done; with --yes it does not ask."""

    def confirm(question: str) -> bool:
        if yes:
            return True
        _needs_terminal()
        say(question)
        return click.confirm("Go on?", default=True)

    return confirm


def decision_options(*, yes: bool, pinned: Any, onto: "ChangeTarget", backend: str = "") -> "DecisionOptions":
    """The options of a decision, with the question that follows each card."""
    from rulec.services.proposals.candidate_decision import DecisionOptions

    return DecisionOptions(
        answer=(lambda _: "accept") if yes else ask_about_card,
        edit=editor,
        batch=_batch,
        progress=progress_bar,
        pinned=pinned,
        reviewed=not yes,
        confirms=not yes,
        onto=onto,
        asks=yes or is_attended(),
        backend=backend,
    )


def ask_about_card(card: "Card") -> str:
    """What a person answers to a card: one of what it offers."""
    _needs_terminal()
    offered = [_OFFERS[answer] for answer in card.offers]
    known = {word: meaning for word, meaning in _ANSWERS.items() if meaning in card.offers}
    return _choose(", ".join(offered), known)


def reader_chooser(*, yes: bool) -> Callable[[Sequence[str]], str] | None:
    """A function that asks which program may read transcripts; None where nobody can be asked."""
    if yes or not is_attended():
        return None

    def choose(programs: Sequence[str]) -> str:
        say(f"An agent's CLI here can find wishes and write checks that rulec alone cannot: {', '.join(programs)}.")
        say(
            "rulec starts it without tools and hooks and sends it what was said and done, without secrets; the requests"
        )
        say("the requests count on your own account with it.")
        if len(programs) == 1:
            one = programs[0]
            return _choose(f"May {one} read your transcripts? [y]es or [n]o", {"yes": one, one: one, "no": ""}, "no")
        known = {**{one: one for one in programs}, "none": ""}
        return _choose(f"Which of them may read your transcripts? {', '.join(programs)}, or none", known, "none")

    return choose


def _choose(question: str, known: Mapping[str, str], default: str = "later") -> str:
    letters = Counter(word[0] for word in known)
    meanings = {**known, **{word[0]: meaning for word, meaning in known.items() if letters[word[0]] == 1}}
    offered = re.findall(r"\[(\w)\](\w+)", question)  # a letter in brackets is its word's, whatever else begins so
    meanings |= {letter: known[letter + rest] for letter, rest in offered if letter + rest in known}

    def meant(said: str) -> str:
        word = said.strip().lower()
        if word not in meanings:
            how = "type a letter that stands in brackets, or its word" if "[" in question else "type one of the words"
            raise click.UsageError(f"{spell_out_in_terminal(said)!r} is none of them; {how}")
        return meanings[word]

    answer: str = click.prompt(question, default=default, value_proc=meant)
    return answer


def _batch(many: int) -> str:
    return _choose(f"these {many}: [o]ne by one, or all: [a]ccept, [r]eject, [l]ater", _BATCH)


def editor(text: str, wrong: str) -> str | None:
    """The text after editing in $VISUAL or $EDITOR; None where it was not saved or the person gave up."""
    if wrong and not click.confirm("Edit again?", default=True):
        return None
    try:
        return click.edit(text, extension=".yaml")
    except click.ClickException as error:
        complain(f"{error.format_message()}; set EDITOR to one that runs here")
        return None


@contextmanager
def progress_bar(what: str, many: int, least: int = _LONG) -> Iterator["Tick"]:
    """A progress bar on standard error, for long work at a terminal."""
    if many < least or not sys.stderr.isatty():
        yield lambda _: None
        return
    with click.progressbar(length=many, label=what, file=sys.stderr) as bar:
        yield bar.update


def _needs_terminal() -> None:
    if not is_attended():
        raise RulecError("standard input is no terminal, so nobody can be asked", hint="pass --yes to accept")
