"""Local state in the git folder: what was rejected, what waits, which Python has rulec."""

import hashlib
import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from rulec.errors import RulecError
from rulec.host import journal, quick

PYTHON = "python"
PACKAGE = "package"


def read(top: Path, name: str) -> Any:
    """A piece of state, or None; a damaged file counts as none, for all of it can be had again."""
    try:
        return json.loads(quick.read(str(place(top, name))) or b"")
    except ValueError:
        return None


def write(top: Path, name: str, value: Any) -> None:
    """Keep a piece of state, for its owner's eyes only."""
    data = json.dumps(value, ensure_ascii=False, indent=1).encode()
    journal.replace(journal.state_dir(top) / f"{name}.json", data, mode=0o600)


def place(top: Path, name: str) -> Path:
    """Where a piece of state stands."""
    return journal.state_place(top) / f"{name}.json"


def names(top: Path, folder: str) -> list[str]:
    """The pieces in a folder of state, sorted."""
    return sorted(path.stem for path in (journal.state_place(top) / folder).glob("*.json"))


def text(top: Path, name: str) -> str:
    """A piece of state that cannot be had again, as it stands; ValueError where it is no text."""
    path = place(top, name)
    data = quick.read(str(path))
    if data is None:
        raise RulecError("cannot be read", where=str(path), hint="see what it is and its rights")
    return data.decode("utf-8")


def write_text(top: Path, name: str, value: str) -> None:
    """Keep such a piece, for its owner's eyes only."""
    journal.replace(place(top, name), value.encode("utf-8", "replace"), mode=0o600)


def remove(top: Path, name: str) -> None:
    """Forget a piece of state; one that is gone is no error."""
    place(top, name).unlink(missing_ok=True)


def prune(top: Path, folder: str, most: int) -> None:
    """Keep the last written pieces of a folder of state."""
    found = sorted(place(top, folder).with_suffix("").glob("*.json"), key=lambda path: -path.stat().st_mtime_ns)
    for path in found[most:]:
        path.unlink(missing_ok=True)


def digest(parts: Sequence[Any]) -> str:
    """A short name for what some values say."""
    return hashlib.sha256(json.dumps(list(parts)).encode()).hexdigest()[:16]


def record_python(top: Path) -> None:
    """Note the interpreter that has rulec, so that git hooks find it without an activated environment."""
    journal.replace(journal.state_dir(top) / PYTHON, f"{sys.executable}\n".encode(), mode=0o600)
    # a shell sees by this file whether that interpreter still has rulec; to ask it would cost a start of Python
    package = Path(__file__).resolve().parent.parent / "__init__.py"
    journal.replace(journal.state_dir(top) / PACKAGE, f"{package}\n".encode("utf-8", "surrogateescape"), mode=0o600)
