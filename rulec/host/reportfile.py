"""Reports for other programs: files that a person named, written whole."""

import os

from rulec.errors import RulecError

_HOW = os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_NOFOLLOW  # a change may bring a link of that name


def write(path: str, text: str) -> None:
    """Write a report where it was asked for; RulecError where that cannot be."""
    try:
        with os.fdopen(os.open(path, _HOW, 0o644), "wb") as file:
            file.write(f"{text.removesuffix(chr(10))}\n".encode("utf-8", "backslashreplace"))
    except OSError as error:
        hint = "name a plain file in a folder that exists and can be written"
        raise RulecError(f"cannot be written: {error.strerror}", where=path, hint=hint) from None
