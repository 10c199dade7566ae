"""Files of the git folder without a library: read, looked for and added to."""

import os
import stat

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable


def read_plain_file(place: str) -> "bytes | None":
    """A file of the git folder; None where there is none: a pipe in its place would hold up whoever reads it."""
    try:
        handle = os.open(place, os.O_RDONLY | os.O_NONBLOCK)
    except OSError:
        return None
    if not stat.S_ISREG(os.fstat(handle).st_mode):
        os.close(handle)
        return None
    with open(handle, "rb") as file:
        return file.read()


def is_file(path: str) -> bool:
    """Whether a file is there."""
    return os.path.isfile(path)


def append_lines(place: str, lines: "Iterable[str]") -> None:
    """Add lines to a file of the git folder, for its owner's eyes."""
    flags = os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_NOFOLLOW | os.O_NONBLOCK
    with open(os.open(place, flags, 0o600), "ab") as file:
        if stat.S_ISREG(os.fstat(file.fileno()).st_mode):
            file.write("".join(f"{line}\n" for line in lines).encode())
