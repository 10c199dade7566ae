"""How often git is started: a program of that name before it on PATH, which notes what it is asked and runs git."""

import os
import shutil
from pathlib import Path

import pytest

_WRAPPER = '#!/bin/sh\nprintf "%s\\n" "$*" >> "{note}"\nexec "{git}" "$@"\n'


def wrapped(folder: Path) -> tuple[Path, str]:
    """The file of notes, and a PATH on which that program stands first."""
    note, place = folder / "git-calls", folder / "git-before-git"
    place.mkdir()
    real = shutil.which("git")
    assert real
    (place / "git").write_text(_WRAPPER.format(note=note, git=real))
    (place / "git").chmod(0o755)
    return note, f"{place}{os.pathsep}{os.environ['PATH']}"


class Counted:
    """The calls of git since ``forget`` was called last."""

    def __init__(self, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self.note, path = wrapped(folder)
        monkeypatch.setenv("PATH", path)
        self.forget()

    def forget(self) -> None:
        """Begin to count anew."""
        self.note.write_text("")

    @property
    def calls(self) -> list[str]:
        """What git was asked, in order."""
        return self.note.read_text().splitlines()
