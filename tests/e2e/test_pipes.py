"""A pipe in the place of a file of the git folder holds up nobody: it counts as no file, or is told."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support import payloads
from tests.support.gates import hooked, run

PLACES = [
    "seen", "seen-since", "checks", "reach", "parsed", "approved.json", "ledger.jsonl", "ledger.1.jsonl", "turns.json",
    "record", "tallied.json", "guards", "words", "lock",
]  # fmt: skip
LONGEST = 100  # seconds until one counts as held up


def _ends(top: Path, *argv: str, given: str = "") -> subprocess.CompletedProcess[str]:
    return subprocess.run(argv, cwd=top, input=given, capture_output=True, text=True, check=False, timeout=LONGEST)


def test_every_gate_ends_and_judges(tmp_path: Path) -> None:
    top = hooked(tmp_path / "repo")
    folder = top / ".git/rulec"
    for name in PLACES:
        (folder / name).unlink(missing_ok=True)
        os.mkfifo(folder / name)
    (top / "src/new.txt").write_text("XXX\n")
    run(top, "git", "add", "-A")
    said = _ends(top, sys.executable, "-m", "rulec", "check", "--staged")
    assert (said.returncode, "refused by no-bad-line" in said.stdout) == (1, True)
    assert _ends(top, "git", "commit", "-qm", "Bad").returncode
    (top / "src/new.txt").write_text("x\n")
    run(top, "git", "add", "-A")
    assert _ends(top, sys.executable, "-m", "rulec", "check", "--staged").returncode == 0
    given = json.dumps(payloads.runs("claude-code", str(top), "git commit --no-verify -m x"))
    said = _ends(top, "sh", ".rules/hook", "claude-code", "call", given=given)
    assert (said.returncode, "rulec that this clone uses does not start" in said.stderr) == (2, True)
    told = _ends(top, sys.executable, "-m", "rulec", "hook", "install")
    assert (told.returncode, "lock: cannot be locked: it is no file; see what it is" in told.stderr) == (2, True)
    for name in ("record", "lock"):
        (folder / name).unlink()
    run(top, sys.executable, "-m", "rulec", "hook", "install")
    assert "deny" in _ends(top, "sh", ".rules/hook", "claude-code", "call", given=given).stdout


@pytest.mark.parametrize(
    "verb", [("doctor",), ("report", "--commit"), ("retire", "no-env", "--because", "noise"), ("report",)]
)
@pytest.mark.parametrize("name", ["journal.json", "lock", "seen", "read.json"])
def test_every_verb_ends(tmp_path: Path, verb: tuple[str, ...], name: str) -> None:
    top = hooked(tmp_path / "repo")
    (top / ".git/rulec" / name).unlink(missing_ok=True)
    os.mkfifo(top / ".git/rulec" / name)
    said = _ends(top, sys.executable, "-m", "rulec", *verb)
    assert "Traceback" not in said.stderr
    shutil.rmtree(top)
