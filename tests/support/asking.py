"""The hook asked as the launcher starts it, in a process of its own; or with one of its modules broken."""

import json
import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from rulec.hook import start

START = str(Path(start.__file__).resolve())
# Starts the hook although a module of it cannot be imported: as a damaged installation would.
BROKEN = f"""\
import sys
module = sys.argv.pop(1)
class Finder:
    def find_spec(self, name, *_):
        if name == module:
            raise ValueError("broken")
sys.meta_path.insert(0, Finder())
sys.path.append({str(Path(START).parents[2])!r})
from rulec.hook import start
start.run(sys.argv[1:])
"""


def ask_hook(
    top: Path, asked: Mapping[str, Any] | bytes, agent: str = "claude-code", *options: str,
    python: str | Path = sys.executable, cwd: Path | None = None, broken: str = "", **environment: str,
) -> subprocess.CompletedProcess[bytes]:  # fmt: skip
    """The answer to an agent in a repository; ``options`` are Python's, ``broken`` a module that does not load."""
    run = ["-c", BROKEN, broken] if broken else [START]
    return subprocess.run(
        [python, "-I", "-S", *options, *run, agent],
        input=asked if isinstance(asked, bytes) else json.dumps(asked).encode(),
        capture_output=True,
        cwd=cwd or top,
        env={**os.environ, "CLAUDE_PROJECT_DIR": str(top), **environment},
        check=False,
    )
