"""Files read as UTF-8 and written whole, in one step."""

import os
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path

from rulec.errors import RulecError


def write_atomically(path: Path, data: bytes, *, mode: int) -> None:
    """Put a file in its place in one step."""
    beside = path.with_name(f".{path.name}.rulec-new")  # always the same name: what a kill leaves, the redo replaces
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with open(beside, "wb", opener=lambda name, flags: os.open(name, flags | os.O_NONBLOCK, mode)) as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        os.replace(beside, path)  # noqa: PTH105 - its twin below is os.open
    except OSError as error:
        with suppress(OSError):
            beside.unlink(missing_ok=True)
        raise RulecError(
            f"cannot be written: {error.strerror}", where=str(path), hint="see its permissions and the disk"
        ) from None


def read_text(path: Path) -> str:
    """A file's text; RulecError where it is no UTF-8."""
    try:
        return path.read_bytes().decode("utf-8-sig").replace("\r\n", "\n")
    except UnicodeDecodeError:
        raise RulecError("is not UTF-8", where=str(path), hint="save it as UTF-8") from None
    except OSError as error:
        raise RulecError(
            f"cannot be read: {error.strerror}", where=str(path), hint="see the path and its rights"
        ) from None


def read_existing(top: Path, paths: Iterable[str]) -> dict[str, str]:
    """The texts of those of some files that exist, their line ends and all."""
    found = {}
    for path in paths:
        if (top / path).is_file():
            try:
                found[path] = (top / path).read_bytes().decode("utf-8")
            except UnicodeDecodeError:
                raise RulecError("is not UTF-8", where=path, hint="save it as UTF-8") from None
    return found


_HOW = os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_NOFOLLOW  # a change may bring a link of that name


def write_report(path: str, text: str) -> None:
    """Write a report where it was asked for; RulecError where that cannot be."""
    try:
        with os.fdopen(os.open(path, _HOW, 0o644), "wb") as file:
            file.write(f"{text.removesuffix(chr(10))}\n".encode("utf-8", "backslashreplace"))
    except OSError as error:
        hint = "name a plain file in a folder that exists and can be written"
        raise RulecError(f"cannot be written: {error.strerror}", where=path, hint=hint) from None
