"""The world of rulec's own tests, and ``python -m evaluation`` in it."""

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.conftest import _homes, _path, _repo, _world, git, messages, repo

__all__ = ["_homes", "_path", "_repo", "_world", "git", "messages", "repo"]
ROOT = Path(__file__).parents[2]
Evaluated = Callable[..., subprocess.CompletedProcess[str]]


def evaluate(*argv: str, cwd: Path, code: int = 0) -> subprocess.CompletedProcess[str]:
    """One evaluation, as it is typed at the root of a checkout."""
    line = [sys.executable, "-m", "evaluation", "eval", *argv]
    env = {**os.environ, "PYTHONPATH": str(ROOT)}
    done = subprocess.run(line, cwd=cwd, env=env, capture_output=True, text=True, check=False)
    assert done.returncode == code, done.stdout + done.stderr
    assert "Traceback" not in done.stderr
    return done


@pytest.fixture
def evaluated(repo: Path) -> Evaluated:
    """An evaluation that is started in a repository of somebody's."""
    return lambda *argv, code=0, cwd=repo: evaluate(*argv, cwd=cwd, code=code)
