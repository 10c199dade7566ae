"""A damaged .pyc file of rulec: refused in one line, removed, and all is well again."""

import os
import subprocess
import sys
from pathlib import Path

import pytest


@pytest.mark.parametrize("name", ["rulec/terminal", "rulec/services/rules/rule_list"])  # at the start, and in a verb
def test_a_damaged_file_is_removed_and_nothing_passes_meanwhile(ruled: Path, tmp_path: Path, name: str) -> None:
    environment = {**os.environ, "PYTHONPYCACHEPREFIX": str(tmp_path / "cache"), "PYTHONDONTWRITEBYTECODE": ""}

    def rules() -> tuple[int, str]:
        line = [sys.executable, "-m", "rulec", "rules"]
        done = subprocess.run(line, cwd=ruled, env=environment, capture_output=True, text=True, check=False)
        return done.returncode, done.stderr.lstrip()

    assert rules() == (0, "")
    (place,) = (tmp_path / "cache").rglob(f"{name}.cpython-*.pyc")
    sound = place.read_bytes()
    for damaged in (sound[: len(sound) // 2], sound[:16], sound[:16] + b"\x00garbage"):
        place.write_bytes(damaged)
        assert rules() == (2, f"rulec: {place} was damaged and is removed: run the command again\n")
        assert rules() == (0, "")
