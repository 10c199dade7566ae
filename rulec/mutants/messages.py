"""Commit messages: the same message with other ends, with a body, or handed over on a command line."""

import re
from collections.abc import Iterator
from shlex import quote

from rulec.model.rule import Rule
from rulec.mutants.reach import Reach, find

BODY = "It was asked for"


def same(message: str, rule: Rule, reach: Reach) -> Iterator[tuple[str, str]]:
    """The same message, as other tools and people hand it over."""
    bare = message.rstrip("\n")
    if "\r" not in message:
        yield "CRLF", message.replace("\n", "\r\n")
    yield "no last line end", bare
    yield "blank lines behind", f"{bare}\n\n\n"
    yield "blank line before", f"\n{message}"
    minds = any("body" in name and given for check in rule.checks for name, given in check.parameters.items())
    if not minds and not _ends_in_trailer(bare) and not any(find(f"(?i){text}", BODY) for text in reach.patterns):
        yield "body behind", f"{bare}\n\n{BODY}\n"


def _ends_in_trailer(message: str) -> bool:
    """Whether the last line is a trailer, behind which no body stands."""
    return bool(re.search(r"\n[\w-]+ ?: .*\Z", message))


def on_command_line(message: str, reach: Reach) -> Iterator[tuple[str, str]]:
    """The message as the word of a command, where no rule speaks of the command itself."""
    if reach.free("git") and "\r" not in message and message.strip() and not message.startswith(("\n", " ", "#")):
        yield "git commit -m", f"git commit -m {quote(message.rstrip())}"
        yield "git commit --message=", f"git commit -a --message={quote(message.rstrip())}"
