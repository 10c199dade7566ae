"""A program on PATH that stands for an agent's CLI: it notes how it was started and prints what the test says."""

import json
import os
import sys
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

_PROGRAM = """\
#!{python}
import json, os, pathlib, signal, sys
note = {{
    "argv": sys.argv[1:], "environment": dict(os.environ), "stdin": sys.stdin.read(), "folder": os.getcwd(),
    "files": {{str(p): p.read_text() for p in pathlib.Path(os.getcwd()).parent.rglob("*") if p.is_file()}},
    "links": [str(p) for p in pathlib.Path(os.getcwd()).parent.rglob("*") if p.is_symlink()],
}}
pathlib.Path({note!r}).write_text(json.dumps(note))
how = json.loads(pathlib.Path({how!r}).read_text())
sys.stdout.write(how["out"] * how["times"])
sys.stderr.write(how["err"])
sys.stdout.flush()
if how["hang"]:
    signal.pause()
sys.exit(how["code"])
"""


@dataclass(frozen=True)
class Program:
    """One that is installed; ``says`` sets what it does from now on."""

    folder: Path

    def says(self, out: str = "", err: str = "", code: int = 0, times: int = 1, *, hang: bool = False) -> None:
        """What it prints, how often, and how it ends."""
        how = {"out": out, "err": err, "code": code, "times": times, "hang": hang}
        (self.folder / "how.json").write_text(json.dumps(how))

    @property
    def started(self) -> Mapping[str, Any]:
        """How it was started the last time."""
        return json.loads((self.folder / "note.json").read_text())


def install(name: str, folder: Path, monkeypatch: pytest.MonkeyPatch) -> Program:
    """Put it into a folder of its own before all others on PATH."""
    place = folder / f"program-{name}"
    place.mkdir()
    source = _PROGRAM.format(python=sys.executable, note=str(place / "note.json"), how=str(place / "how.json"))
    (place / name).write_text(source)
    (place / name).chmod(0o755)
    monkeypatch.setenv("PATH", f"{place}{os.pathsep}{os.environ['PATH']}")
    one = Program(place)
    one.says()
    return one


def without(programs: Collection[str], folder: Path) -> str:
    """PATH without those programs: a folder that holds one is replaced by links to all else that it holds."""
    kept: dict[Path, Path] = {}
    for number, place in enumerate(map(Path, os.environ["PATH"].split(os.pathsep))):
        real = place.resolve()
        if real not in kept and any((real / name).exists() for name in programs):
            kept[real] = folder / str(number)
            kept[real].mkdir()
            for one in real.iterdir():
                if one.name not in programs:
                    (kept[real] / one.name).symlink_to(one)
        else:
            kept.setdefault(real, place)
    return os.pathsep.join(map(str, kept.values()))
