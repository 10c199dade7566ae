"""Whether an agent ever ran its hook: Python keeps the compiled form of what only that agent's hook imports."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from rulec.runtime.world import cache_folder

KEPT = "pyc"


def ran(top: Path, agent: str) -> bool:
    """Whether its hook ran in this clone; nothing on the hook's way notes it, so nothing there pays for it."""
    return bool(_kept(top, agent))


@contextmanager
def untouched(top: Path) -> Iterator[None]:
    """What is run here leaves no trace of an agent that was not there before."""
    before = _kept(top)
    try:
        yield
    finally:
        for path in _kept(top) - before:
            path.unlink(missing_ok=True)


def _kept(top: Path, agent: str = "*") -> set[Path]:
    return set(Path(cache_folder(str(top)), KEPT).rglob(f"agent_{agent.replace('-', '_')}.*.pyc"))
