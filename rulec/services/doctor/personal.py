"""What doctor sees of the person's own rulebook."""

from collections.abc import Iterator
from pathlib import Path

from rulec.errors import RulecError
from rulec.gates import personal_rules
from rulec.infra.rulebooks import personal_rulebook, rulebook_files
from rulec.rulebook.rulebook import Rulebook
from rulec.services import rulebook_commit
from rulec.services.doctor.sign import Sign


def signs(top: Path, book: Rulebook) -> Iterator[Sign]:
    """Nothing where they have none."""
    try:
        here = personal_rulebook.personal_for(top)
        if here is None:
            return
        own = personal_rulebook.load_personal(here)
        stale = rulebook_commit.stale_files(here, rulebook_files.load_rulebook(here))
        personal_rules.load_personal_layer(top, book)
        lost = personal_rulebook.stored_precedence(top, here) or {}
    except RulecError as error:
        yield Sign(f"your personal rules do not load: {error.message}", f"{error.where}: {error.hint}")
        return
    if stale:
        yield Sign(f"personal artifacts: {len(stale)} stale", "run rulec --personal compile")
        return
    told = f", {len(lost)} of them lost to the team's ({', '.join(sorted(lost))})" if lost else ""
    yield Sign(f"{len(own.rules)} personal rules load{told}")
