"""Which of the agents' CLIs on this machine may read transcripts: asked once, kept among the person's own settings."""

import shutil
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from rulec import configfile, registry
from rulec.commands import _write
from rulec.commands._ask import own
from rulec.errors import RulecError
from rulec.host import below, journal, personal, worktree
from rulec.model.rulebook import Config

Choose = Callable[[Sequence[str]], str]  # programs -> the one that may read, "" for none of them
_MESSAGE = "Say who reads transcripts\n"


def settle(top: Path, choose: Choose | None) -> str:
    """Ask where nobody has said yet who reads, and keep the answer; without ``choose`` only say how to choose.

    The line that tells it, "" where there is nothing to choose. A repository's settings are never written for it.
    """
    if not worktree.exists(top) or worktree.is_own(top) or below.below():
        return ""
    try:
        mine = own()
        if "backend" in mine.models_told or _team(top):
            return ""
    except RulecError:
        return ""  # whoever reads the settings next says what is wrong with them
    found = _installed()
    if not found:
        return ""
    place = personal.place() / worktree.CONFIG
    if choose is None:
        names = " or ".join(f"--backend {name}" for name in found.values())
        return f"a model can read transcripts, too: rulec ingest {names}, or for always models.backend in {place}"
    chosen = found.get(choose(list(found)), "")
    _keep(mine, chosen)
    who = f"{chosen} reads" if chosen else "no agent's CLI reads"
    return f"{who} your transcripts from now on: models.backend in {place}"


def _team(top: Path) -> str:
    text = worktree.present(top, [worktree.CONFIG]).get(worktree.CONFIG, "")
    return configfile.loads(text, source=worktree.CONFIG).models.backend


def _installed() -> Mapping[str, str]:
    """Programs that are here, and the backends that start them."""
    known = {one.program: name for name, one in sorted(registry.backends().items()) if one.program}
    return {program: name for program, name in known.items() if shutil.which(program)}


def _keep(mine: Config, backend: str) -> None:
    """Write it into the person's own settings; where those are a rulebook of theirs, as a commit there."""
    here = personal.place()
    place = here / worktree.CONFIG
    old = worktree.text(place) if place.is_file() else ""
    chosen = replace(mine, models=replace(mine.models, backend=backend), models_told=(*mine.models_told, "backend"))
    text = configfile.dumps(chosen, old)
    if (here / ".git").exists():
        with journal.lock(here):
            _write.to_commit(here, {worktree.CONFIG: text}, _MESSAGE)
        return
    try:
        place.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        journal.replace(place, text.encode(), mode=0o600)
    except OSError as error:
        hint = "they hold who reads your transcripts: see who may write there"
        raise RulecError(f"cannot be written: {error.strerror}", where=str(place), hint=hint) from None
