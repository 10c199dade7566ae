"""Commits and their messages: the same one with other words, another order, other ends, or on a command line."""

import re
from collections.abc import Iterator
from dataclasses import replace
from shlex import quote

from rulec.checks.proving.check_reach import CheckReach, find_pattern
from rulec.domain.rule import Example, Rule

PICTURE = ("assets/pixel.svg", "<svg/>\n")


def vary_commit(example: Example, reach: CheckReach) -> Iterator[tuple[str, Example]]:
    """The same commit, made otherwise."""
    if not reach.scripts:
        yield "other words", replace(example, text="Do as was said")
        yield "no words", replace(example, text="x")
    if len(example.files) > 1:
        yield "files in another order", replace(example, files=tuple(reversed(example.files)))
    path = PICTURE[0]
    if reach.on("change") and not reach.scripts and all(reach.same_place(path, other) for other in ("", "pixel.bin")):
        yield "a picture as well", replace(example, files=(*example.files, PICTURE))
    if reach.on("change") and not any("\r" in text for _, text in example.files):
        yield "CRLF", replace(example, files=tuple((name, text.replace("\n", "\r\n")) for name, text in example.files))


BODY = "It was asked for"


def vary_message(message: str, rule: Rule, reach: CheckReach) -> Iterator[tuple[str, str]]:
    """The same message, as other tools and people hand it over."""
    bare = message.rstrip("\n")
    if "\r" not in message:
        yield "CRLF", message.replace("\n", "\r\n")
    yield "no last line end", bare
    yield "blank lines behind", f"{bare}\n\n\n"
    yield "blank line before", f"\n{message}"
    minds = any("body" in name and given for check in rule.checks for name, given in check.parameters.items())
    if (
        not minds
        and not _ends_in_trailer(bare)
        and not any(find_pattern(f"(?i){text}", BODY) for text in reach.patterns)
    ):
        yield "body behind", f"{bare}\n\n{BODY}\n"


def _ends_in_trailer(message: str) -> bool:
    """Whether the last line is a trailer, behind which no body stands."""
    return bool(re.search(r"\n[\w-]+ ?: .*\Z", message))


def on_command_line(message: str, reach: CheckReach) -> Iterator[tuple[str, str]]:
    """The message as the word of a command, where no rule speaks of the command itself."""
    if reach.free("git") and "\r" not in message and message.strip() and not message.startswith(("\n", " ", "#")):
        yield "git commit -m", f"git commit -m {quote(message.rstrip())}"
        yield "git commit --message=", f"git commit -a --message={quote(message.rstrip())}"
