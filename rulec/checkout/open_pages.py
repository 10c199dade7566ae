"""Which pages of ``rulec ui`` run for this repository.

Each notes its port as the name of an empty file, and holds a lock on it as long as it runs.
"""

import fcntl
import os
import re
from contextlib import suppress

from rulec.checkout.private_files import make_folder
from rulec.checkout.rules_layout import PAGES
from rulec.checkout.worktree import shared_state_directory

# This machine, as addresses name it; 0 alone does so before a port.
HERE = r"(?:\blocalhost\b|\b127\.\d|::1\b|::ffff:|\b0\.0\.0\.0\b|(?<![\w.:/-])0(?=[ :]\d))"


def note_page(root: str, port: int) -> int:
    """Note that a page runs at a port; the handle that holds the note, until it is closed. OSError where that fails."""
    folder = os.path.join(shared_state_directory(root), PAGES)
    make_folder(folder)
    _forget_ended(folder)
    handle = os.open(os.path.join(folder, str(port)), os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW, 0o600)
    with suppress(OSError):  # a file system without locks: a note that was left behind counts as a page
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    return handle


def forget_page(root: str, port: int, handle: int) -> None:
    """Take back the note of a page that ends."""
    path = os.path.join(shared_state_directory(root), PAGES, str(port))
    if os.path.lexists(path):
        os.unlink(path)
    os.close(handle)


def running_pages(root: str) -> "list[int]":
    """The ports of the pages that run."""
    folder = os.path.join(shared_state_directory(root), PAGES)
    try:
        names = os.listdir(folder)
    except OSError:
        return []
    return [int(name) for name in names if name.isdigit() and _runs(os.path.join(folder, name))]


def names_page(root: str, text: str) -> bool:
    """Whether a text, such as a program's, names the port of a page that runs for this repository."""
    return any(names_port(text, port) for port in running_pages(root))


def names_port(text: str, port: int) -> bool:
    """Whether the text names the port behind a colon, as in an address, or beside a name of this machine."""
    if str(port) not in text:
        return False
    found = re.search(rf"(:\s*|(?<![\d.])){port}(?!\d)", text)
    return found is not None and bool(found[1] or re.search(HERE, text, re.IGNORECASE))


def _forget_ended(folder: str) -> None:
    for name in os.listdir(folder):
        path = os.path.join(folder, name)
        if not _runs(path):
            os.unlink(path)


def _runs(path: str) -> bool:
    """Whether a page holds its note: the system lets go of it however the page ends."""
    try:
        handle = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
    except OSError:
        return False
    try:
        fcntl.flock(handle, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except OSError:  # held, or on a file system without locks
        return True
    else:
        return False
    finally:
        os.close(handle)
