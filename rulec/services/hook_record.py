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


def put_launcher(top: Path, config: Config) -> None:
    """Write both for this clone and all its work trees."""
    folder = state.state_dir(top)
    lines = f"{sys.executable}\n{own_start()}\n"
    text_files.write_atomically(folder / RECORD, lines.encode("utf-8", "surrogateescape"), mode=0o600)
    text_files.write_atomically(folder / LAUNCHER_COPY, (launcher(top, config).text or "").encode(), mode=0o700)


def has_record(top: Path) -> bool:
    """Whether init ran in this clone."""
    folder = state.state_dir_path(top)
    return (folder / RECORD).exists() or (folder / LAUNCHER_COPY).exists()


def own_start() -> Path:
    """The start of the hook in the rulec that runs here."""
    return Path(start.__file__).resolve()
