"""Kills a verb right before one of its own operations on files or processes."""

import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from tests.support.world import act

KILLED = 137
WRITES = ("os.rename", "os.remove", "os.rmdir", "os.mkdir", "os.link", "os.symlink", "os.truncate")
OF_GIT = ("update-index", "update-ref", "commit-tree", "write-tree", "read-tree", "add")
Kind = Callable[[str, tuple[Any, ...]], str]


def writes(event: str, given: tuple[Any, ...]) -> bool:
    """Whether a file may change by it."""
    if event == "open":
        return isinstance(given[2], int) and bool(given[2] & (os.O_WRONLY | os.O_RDWR | os.O_CREAT))
    return event in WRITES


def own_write(event: str, given: tuple[Any, ...]) -> str:
    """What is about to happen, where it may change a file: by what, and whether git's own; else ""."""
    if event == "subprocess.Popen":
        return next((word for word in given[1] if word in OF_GIT), "")
    return f"{event} {'.git/' in str(given[0])}" if writes(event, given) else ""


def forked(
    top: Path, argv: tuple[str, ...], heed: Callable[[str], None], kind: Kind = own_write, stdin: str = ""
) -> int:
    """The exit code of a process, the leader of its group, that runs a verb and tells of each event right before."""
    child = os.fork()
    if child:
        return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    ended = 1
    busy = False

    def told(event: str, given: tuple[Any, ...]) -> None:
        nonlocal busy
        if not busy and (name := kind(event, given)):
            busy = True
            heed(name)
            busy = False

    try:
        os.setsid()
        sys.addaudithook(told)
        ended = act(top, *argv, code=None, stdin=stdin).code
    finally:
        os._exit(ended)


def events(
    top: Path, argv: tuple[str, ...], note: Path, kind: Kind = own_write, stdin: str = ""
) -> tuple[int, list[str]]:
    """The exit code of a verb that nobody kills, and the kinds of its events in order."""

    def write_down(name: str) -> None:
        with note.open("a") as file:
            file.write(f"{name}\n")

    note.write_text("")
    return forked(top, argv, write_down, kind, stdin), note.read_text().splitlines()


def killer(point: int, end: Callable[[str], None] = lambda _: os._exit(KILLED)) -> Callable[[str], None]:
    """Ends the process at the event with that number, counted from 0."""
    left = point

    def kill(name: str) -> None:
        nonlocal left
        left -= 1
        if left == -1:
            end(name)

    return kill
