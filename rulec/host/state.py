"""Local state in the git folder: what was rejected, what waits, which Python has rulec."""

import json
import sys
from pathlib import Path
from typing import Any

from rulec.host import journal

PYTHON = "python"


def read(top: Path, name: str) -> Any:
    """A piece of state, or None; a damaged file counts as none, for all of it can be had again."""
    try:
        return json.loads((journal.state_dir(top) / f"{name}.json").read_text("utf-8"))
    except (FileNotFoundError, ValueError):
        return None


def write(top: Path, name: str, value: Any) -> None:
    """Keep a piece of state, for its owner's eyes only."""
    data = json.dumps(value, ensure_ascii=False, indent=1).encode()
    journal.replace(journal.state_dir(top) / f"{name}.json", data, mode=0o600)


def record_python(top: Path) -> None:
    """Note the interpreter that has rulec, so that git hooks find it without an activated environment."""
    journal.replace(journal.state_dir(top) / PYTHON, f"{sys.executable}\n".encode(), mode=0o600)
