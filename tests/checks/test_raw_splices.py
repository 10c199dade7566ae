"""Scripts spliced from honest and hostile ones: whatever passes runs nothing else and writes nothing."""

import random
import re
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from rulec.checks.shell.raw_script import PROGRAMS, vet_script
from rulec.domain.rule import Check, Rule
from rulec.errors import RulecError
from tests.checks.test_raw_shell import HONEST, REFUSED
from tests.templates.mutants import compiled

TAKEN = "TAKEN"
MOST = 12_000
SH = shutil.which("sh") or "sh"
SPLICES = [
    "$(touch TAKEN)", "`touch TAKEN`", ";touch TAKEN;", "\ntouch TAKEN\n", "|touch TAKEN|", "&touch TAKEN&", '"', "'",
    "\\", "${x:-", "}", "{", "(", ")", "$((", "))", "$", " # ", "<<E\n", "E\n", ">TAKEN",
    '"$path"', "$path", "do", "done", "esac", "case x in", "fi", "then", "for x in ", "!", "&&", "||", ";;", "|",
    "a[$(touch TAKEN)]", '"$(touch TAKEN)"', "'$(touch TAKEN)'", "${path%", "${path#", "~", "*", "x=", "IFS=", "-f",
    "sed -n", "'w TAKEN'", "s/a/b/w TAKEN", "printf", "read -r", "set --", "$1", '"$@"', "../", ".", "/",
]  # fmt: skip


def _spliced(rolls: random.Random) -> str:
    scripts = [case["script"] for case in (*HONEST, *REFUSED)]
    pieces = re.findall(r"\s+|\w+|.", rolls.choice(scripts), re.DOTALL)
    for _ in range(rolls.randint(1, 4)):
        at = rolls.randrange(len(pieces) + 1)
        if rolls.random() < 0.7:
            pieces.insert(at, rolls.choice(SPLICES))
        else:
            del pieces[at : at + rolls.randint(1, 3)]
    return "".join(pieces)


def _passing() -> Iterator[str]:
    rolls = random.Random(7)
    for _ in range(MOST):
        try:
            script = vet_script(_spliced(rolls), "script")
        except RulecError:
            continue
        if TAKEN in script:
            yield script


@pytest.fixture
def world(tmp_path: Path) -> Path:
    """A tree with files that try to be run, and a PATH with more than a script may run."""
    for folder in ("tree", "bin"):
        (tmp_path / folder).mkdir()
    (tmp_path / "tree/a.py").write_text("TODO a[$(touch TAKEN)]\n")
    (tmp_path / "tree/b.md").write_text("$(touch TAKEN)\n`touch TAKEN`\n")
    for name in (*PROGRAMS, "touch"):
        if found := shutil.which(name):
            (tmp_path / "bin" / name).symlink_to(found)
    return tmp_path


def test_what_passes_runs_nothing_and_writes_nothing(world: Path) -> None:
    ran = 0
    for script in _passing():
        check = Check(kind="shell", template="raw-shell", parameters={"script": script})
        text = compiled(Rule(slug="a", statement="A.", checks=(check,))).text or ""
        subprocess.run(
            [SH, "-c", f"ulimit -t 1\n{text}", "sh", "a.py", "b.md"], cwd=world / "tree", check=False,
            env={"PATH": str(world / "bin")}, capture_output=True, stdin=subprocess.DEVNULL,
        )  # fmt: skip
        ran += 1
        assert {path.name for path in world.rglob("*")} - set(PROGRAMS) == _THERE, script
    assert ran > 50


_THERE = {"tree", "bin", "a.py", "b.md", "touch"}
