"""Asks once which agent's CLI on this machine may read transcripts, and saves the answer in the person's settings."""

import shutil
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from rulec import registry
from rulec.errors import RulecError
from rulec.infra import journal, text_files
from rulec.infra.rulebooks import personal_rulebook, rulebook_files
from rulec.llm import model_settings
from rulec.llm.model_settings import personal_settings
from rulec.rulebook import config, file_paths
from rulec.rulebook.config import Config
from rulec.services import rulebook_commit

Choose = Callable[[Sequence[str]], str]  # programs -> the one that may read, "" for none of them
_MESSAGE = "Say who reads transcripts\n"


def choose_reader(top: Path, choose: Choose | None) -> str:
    """Ask which CLI may read, unless that is settled, and save the answer; without ``choose`` only say how to choose.

    Returns a line about it, "" where there is nothing to choose. The settings of a repository are never changed.
    """
    if not rulebook_files.has_rulebook(top) or rulebook_files.is_personal(top) or model_settings.lacking_top_level():
        return ""
    try:
        mine = personal_settings()
        if "backend" in mine.models_told or _team_backend(top):
            return ""
    except RulecError:
        return ""  # whoever reads the settings next says what is wrong with them
    found = _installed_backends()
    if not found:
        return ""
    place = personal_rulebook.personal_folder() / file_paths.CONFIG
    if choose is None:
        names = " or ".join(f"--backend {name}" for name in found.values())
        return (
            f"a model can also read transcripts: rulec ingest {names}, or, for every run, set models.backend in {place}"
        )
    chosen = found.get(choose(list(found)), "")
    _keep_choice(mine, chosen)
    who = f"{chosen} reads" if chosen else "no agent's CLI reads"
    return f"{who} your transcripts from now on; change models.backend in {place}"


def _team_backend(top: Path) -> str:
    text = text_files.read_existing(top, [file_paths.CONFIG]).get(file_paths.CONFIG, "")
    return config.parse_config(text, source=file_paths.CONFIG).models.backend


def _installed_backends() -> Mapping[str, str]:
    """The programs that are installed, each with the backend that starts it."""
    known = {one.program: name for name, one in sorted(registry.backends().items()) if one.program}
    return {program: name for program, name in known.items() if shutil.which(program)}


def _keep_choice(mine: Config, backend: str) -> None:
    """Write the choice into the person's settings; as a commit where these are a personal rulebook."""
    here = personal_rulebook.personal_folder()
    place = here / file_paths.CONFIG
    old = text_files.read_text(place) if place.is_file() else ""
    chosen = replace(mine, models=replace(mine.models, backend=backend), models_told=(*mine.models_told, "backend"))
    text = config.dump_config(chosen, old)
    if (here / ".git").exists():
        with journal.write_lock(here):
            rulebook_commit.commit_rulebook_change(here, {file_paths.CONFIG: text}, _MESSAGE)
        return
    try:
        place.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        text_files.write_atomically(place, text.encode(), mode=0o600)
    except OSError as error:
        hint = "they decide who reads your transcripts: check who can write there"
        raise RulecError(f"cannot be written: {error.strerror}", where=str(place), hint=hint) from None
