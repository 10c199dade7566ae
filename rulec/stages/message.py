"""What stands in the file of a message -> the message that git makes of it."""

import re

_SCISSORS = "------------------------ >8 ------------------------"
_DIFF = re.compile(
    r"[ +\-@\\]|diff |index |(?:new|deleted|old) (?:file )?mode |(?:dis)?similarity index |(?:rename|copy) (?:from|to) "
    r"|Binary files |GIT binary patch|Submodule |$"
)


def message(text: str, *, edited: bool, comment: str = "#") -> str:
    """The message without what git's editor session put into it; without an editor git keeps all lines.

    Below the scissors only lines of a diff are left out, and of those only what git itself writes there (``commit
    -v``): without that option git keeps what stands below a line that merely looks like scissors.
    """
    if not edited or not comment:
        return text
    lines = text.split("\n")
    cut = next((n for n, line in enumerate(lines) if line.rstrip() == f"{comment} {_SCISSORS}"), len(lines))
    below = [line for line in lines[cut:] if not _DIFF.match(line)]
    return "".join(f"{line}\n" for line in _kept([*lines[:cut], *below], comment)).lstrip("\n")


def _kept(lines: list[str], comment: str) -> list[str]:
    kept = [line for line in lines if not line.startswith(comment)]
    while kept and not kept[-1].strip():
        kept.pop()
    return kept
