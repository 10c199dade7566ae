"""Temporary folders of runs: deleted afterwards, and those of processes that were killed by the next run."""

import os
import re
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

_PREFIX = "rulec-run-"
_OWNED = re.compile(rf"{_PREFIX}(\d+)-\w+")


@contextmanager
def run_folder() -> Iterator[Path]:
    """A folder of this process, with links resolved; it is gone afterwards."""
    _remove_left()
    with tempfile.TemporaryDirectory(prefix=f"{_PREFIX}{os.getpid()}-", ignore_cleanup_errors=True) as name:
        yield Path(name).resolve()


def _remove_left() -> None:
    """Delete the folders of processes of this user that are no more."""
    for place in Path(tempfile.gettempdir()).glob(f"{_PREFIX}*"):
        found = _OWNED.fullmatch(place.name)
        with suppress(OSError):
            if found and place.lstat().st_uid == os.getuid() and not place.is_symlink() and not _lives(int(found[1])):
                shutil.rmtree(place, ignore_errors=True)


def _lives(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except OSError:
        return True
    return True
