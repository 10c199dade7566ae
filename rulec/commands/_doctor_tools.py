"""What doctor sees of the tools on this machine."""

import shutil
from collections.abc import Iterator
from pathlib import Path

from rulec.commands._sign import Sign
from rulec.host import process
from rulec.host.call import call

OLDEST = (3, 9)
_ASK = "import sys; print('%d.%d' % sys.version_info[:2])"


def signs() -> Iterator[Sign]:
    """The Python that runs agents' hooks, and Semgrep's core."""
    python = shutil.which("python3")
    number = call([python, "-I", "-S", "-c", _ASK], cwd=Path("/")).text.strip() if python else ""
    fits = _version(number) >= OLDEST
    cure = "agent hooks need python3 3.9 or newer on PATH"
    yield Sign(f"python3 on PATH is {number or 'none'}", "" if fits else cure)
    core = Path(process.semgrep_core())
    there = core.is_file()
    yield Sign("semgrep-core is here" if there else f"{core} is missing", "" if there else "pip install semgrep again")


def _version(number: str) -> tuple[int, ...]:
    parts = number.split(".")
    return tuple(map(int, parts)) if all(part.isdigit() for part in parts) else ()
