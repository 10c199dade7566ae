"""Local state in the git folder, for its owner's eyes: what was rejected, what waits, what was asked."""

import hashlib
import json
import sys
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from rulec.errors import RulecError
from rulec.infra import fast_files, text_files
from rulec.infra.git import git_session


def state_dir_path(top: Path) -> Path:
    """Where that is, for those who only read."""
    return git_session.common_dir(top) / "rulec"


def state_dir(top: Path) -> Path:
    """Local state that is never committed: ``rulec/`` in the git folder, for its owner's eyes."""
    folder = state_dir_path(top)
    with suppress(OSError):  # a git folder that is mounted read-only: who reads finds nothing, who writes says so
        folder.mkdir(mode=0o700, exist_ok=True)
    return folder


PYTHON_FILE = "python"
PACKAGE_FILE = "package"


def read_state(top: Path, name: str) -> Any:
    """A piece of state, or None; a damaged file counts as none, for all of it can be had again."""
    try:
        return json.loads(fast_files.read_plain_file(str(state_path(top, name))) or b"")
    except ValueError:
        return None


def write_state(top: Path, name: str, value: Any) -> None:
    """Keep a piece of state, for its owner's eyes only."""
    data = json.dumps(value, ensure_ascii=False, indent=1).encode()
    text_files.write_atomically(state_dir(top) / f"{name}.json", data, mode=0o600)


def state_path(top: Path, name: str) -> Path:
    """Where a piece of state stands."""
    return state_dir_path(top) / f"{name}.json"


def state_names(top: Path, folder: str) -> list[str]:
    """The pieces in a folder of state, sorted."""
    return sorted(path.stem for path in (state_dir_path(top) / folder).glob("*.json"))


def read_state_text(top: Path, name: str) -> str:
    """A piece of state that cannot be had again, as it stands; ValueError where it is no text."""
    path = state_path(top, name)
    data = fast_files.read_plain_file(str(path))
    if data is None:
        raise RulecError("cannot be read", where=str(path), hint="see what it is and its rights")
    return data.decode("utf-8")


def write_state_text(top: Path, name: str, value: str) -> None:
    """Keep such a piece, for its owner's eyes only."""
    text_files.write_atomically(state_path(top, name), value.encode("utf-8", "replace"), mode=0o600)


def remove_state(top: Path, name: str) -> None:
    """Forget a piece of state; one that is gone is no error."""
    state_path(top, name).unlink(missing_ok=True)


def prune_state(top: Path, folder: str, most: int) -> None:
    """Keep the last written pieces of a folder of state."""
    found = sorted(state_path(top, folder).with_suffix("").glob("*.json"), key=lambda path: -path.stat().st_mtime_ns)
    for path in found[most:]:
        path.unlink(missing_ok=True)


def digest_of_values(parts: Sequence[Any]) -> str:
    """A short name for what some values say."""
    return hashlib.sha256(json.dumps(list(parts)).encode()).hexdigest()[:16]


def record_interpreter(top: Path) -> None:
    """Note the interpreter that has rulec, so that git hooks find it without an activated environment."""
    text_files.write_atomically(state_dir(top) / PYTHON_FILE, f"{sys.executable}\n".encode(), mode=0o600)
    # a shell sees by this file whether that interpreter still has rulec; to ask it would cost a start of Python
    package = Path(__file__).resolve().parent.parent / "__init__.py"
    text_files.write_atomically(
        state_dir(top) / PACKAGE_FILE, f"{package}\n".encode("utf-8", "surrogateescape"), mode=0o600
    )
