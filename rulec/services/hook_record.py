"""What ``rulec init`` leaves in the git directory, where no commit puts a file: the launcher's copy, and its record.

Agents' settings and git's hooks start the copy; the record's two lines name the Python and ``rulec/hook/start.py``.
"""

import sys
from pathlib import Path

from rulec.checkout.rules_layout import LAUNCHER_COPY, RECORD
from rulec.compiling.launcher import launcher
from rulec.hook import start
from rulec.infra import state, text_files
from rulec.rulebook.config import Config


def put_launcher(top: Path, config: Config) -> list[str]:
    """Write both for this clone and all its work trees; a line for each that was another."""
    folder = state.state_dir(top)
    lines, copy = f"{sys.executable}\n{own_start()}\n", launcher(top, config).text or ""
    done = []
    if (was := _text(folder / RECORD)) != lines:
        earlier = f" instead of that of {Path(was.splitlines()[1]).parents[1]}" if was.count("\n") > 1 else ""
        done.append(f"recorded  the rulec of {own_start().parents[1]}, which the gates of this clone start{earlier}")
    if _text(folder / LAUNCHER_COPY) not in (copy, ""):
        done.append(f"renewed   {folder / LAUNCHER_COPY}, which agents and git's hooks start")
    text_files.write_atomically(folder / RECORD, lines.encode("utf-8", "surrogateescape"), mode=0o600)
    text_files.write_atomically(folder / LAUNCHER_COPY, copy.encode(), mode=0o700)
    return done


def _text(path: Path) -> str:
    try:
        return path.read_text("utf-8", "surrogateescape")
    except OSError:
        return ""


def has_record(top: Path) -> bool:
    """Whether init ran in this clone."""
    folder = state.state_dir_path(top)
    return (folder / RECORD).exists() or (folder / LAUNCHER_COPY).exists()


def own_start() -> Path:
    """The start of the hook in the rulec that runs here."""
    return Path(start.__file__).resolve()
