"""What doctor sees of the people who may let something through: suppressions that ended, owners whom nobody asks."""

from collections.abc import Iterator
from pathlib import Path

from rulec import ownersfile
from rulec.commands._sign import Sign
from rulec.host import clock, worktree
from rulec.model.rulebook import Rulebook


def signs(top: Path, book: Rulebook) -> Iterator[Sign]:
    """Nothing where nobody is suppressed and no owners are named."""
    today = clock.now()[:10]
    if book.suppressions:
        ended = [one.slug for one in book.suppressions if one.ended(today)]
        told = f", {len(ended)} of them ended ({', '.join(dict.fromkeys(ended))})" if ended else ""
        many = len(book.suppressions)
        yield Sign(f"{many} suppression{'s' * (many != 1)} in files{told}: rulec suppressions")
    if book.config.owners:
        yield _asked(top, book)


def _asked(top: Path, book: Rulebook) -> Sign:
    """Whether CODEOWNERS asks the owners of the rules for their approval."""
    texts = worktree.present(top, ownersfile.PATHS)
    path = next((path for path in ownersfile.PATHS if path in texts), ownersfile.PATHS[0])
    named = ownersfile.owners(texts.get(path, ""), worktree.CONFIG)
    if set(named) == set(book.config.owners):
        return Sign(f"{path} asks {', '.join(named)} about the rules")
    who = ", ".join(named) or "nobody"
    if "codeowners" in book.config.emitters:
        return Sign(
            f"{path} asks {who} about the rules, not {', '.join(book.config.owners)}", "run rulec compile", "compile"
        )
    return Sign(
        f"{path} asks {who} about the rules", f"add codeowners to emitters in {worktree.CONFIG}, or the line by hand"
    )
