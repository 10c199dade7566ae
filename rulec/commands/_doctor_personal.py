"""What doctor sees of the person's own rulebook."""

from collections.abc import Iterator
from pathlib import Path

from rulec.commands import _personal, _write
from rulec.commands._sign import Sign
from rulec.errors import RulecError
from rulec.host import personal, worktree
from rulec.model.rulebook import Rulebook


def signs(top: Path, book: Rulebook) -> Iterator[Sign]:
    """Nothing where they have none."""
    try:
        here = personal.seen_from(top)
        if here is None:
            return
        own = personal.book(here)
        stale = _write.sync(here, worktree.load(here))
        _personal.layer(top, book)
        lost = personal.weighed(top, here) or {}
    except RulecError as error:
        yield Sign(f"your personal rules do not load: {error.message}", f"{error.where}: {error.hint}")
        return
    if stale:
        yield Sign(f"personal artifacts: {len(stale)} stale", "run rulec --personal compile")
        return
    told = f", {len(lost)} of them lost to the team's ({', '.join(sorted(lost))})" if lost else ""
    yield Sign(f"{len(own.rules)} personal rules load{told}")
