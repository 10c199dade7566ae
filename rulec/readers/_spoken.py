"""A person's words beside a program's: behind the note of an interruption, and behind a slash command."""

import re

from rulec.runtime.human import is_interrupt

_NOTE = re.compile(r"\s*(?:\[Request interrupted by user[^\]\n]{0,40}\]\s*)+")
_COMMAND = re.compile(r"/[A-Za-z][\w:-]*\s+(\S.*)", re.DOTALL)
_SENTENCE = 3  # words; fewer behind a command are its values


def after_interrupt(text: str) -> str:
    """The text without the note that the person stopped the agent."""
    if not is_interrupt(text):
        return text
    found = _NOTE.match(text)
    return text[found.end() :] if found else ""


def behind_command(text: str) -> str:
    """What stands behind a slash command that was typed as it is, where it is words and not a value."""
    found = _COMMAND.fullmatch(text.strip())
    return found[1] if found and len(found[1].split()) >= _SENTENCE else ""
