"""Whether the person said yes to a backend that costs and that only a repository's settings name."""

import os
from contextlib import suppress
from pathlib import Path

from rulec.errors import RulecError
from rulec.host import state

_NAME = "backends"  # in the git folder, where no commit brings it: those that the person named here
_NO = ("", "0", "false")


def given(top: Path | None, backend: str) -> bool:
    """Whether they named it here once; in CI whoever wrote down its keys has."""
    return os.environ.get("CI", "").strip().casefold() not in _NO or backend in _named(top)


def note(top: Path | None, backend: str) -> None:
    """They have named it; where that cannot be kept they are asked again."""
    named = _named(top)
    if top is not None and backend not in named:
        with suppress(RulecError, OSError):
            state.write(top, _NAME, [*named, backend])


def _named(top: Path | None) -> list[str]:
    if top is None:
        return []
    with suppress(RulecError, OSError):
        kept = state.read(top, _NAME)
        return [name for name in kept if isinstance(name, str)] if isinstance(kept, list) else []
    return []
