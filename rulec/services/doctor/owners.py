"""Suppressions that ended, and owners of the rules whom nobody asks."""

from collections.abc import Iterator
from pathlib import Path

from rulec.infra import clock, text_files
from rulec.rulebook import code_owners, file_paths
from rulec.rulebook.rulebook import Rulebook
from rulec.services.doctor.sign import Sign


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
    texts = text_files.read_existing(top, code_owners.CODEOWNERS_PATHS)
    path = next((path for path in code_owners.CODEOWNERS_PATHS if path in texts), code_owners.CODEOWNERS_PATHS[0])
    named = code_owners.owners_of(texts.get(path, ""), file_paths.CONFIG)
    if set(named) == set(book.config.owners):
        return Sign(f"{path} asks {', '.join(named)} about the rules")
    who = ", ".join(named) or "nobody"
    if "codeowners" in book.config.emitters:
        return Sign(
            f"{path} asks {who} about the rules, not {', '.join(book.config.owners)}", "run rulec compile", "compile"
        )
    return Sign(
        f"{path} asks {who} about the rules", f"add codeowners to emitters in {file_paths.CONFIG}, or the line by hand"
    )
