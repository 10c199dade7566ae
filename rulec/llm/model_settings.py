"""Which model is asked, by whose settings: the option before the person's own before the team's."""

from dataclasses import replace
from pathlib import Path
from typing import Any

from rulec.domain.prompt import MOST_OF_A_TEAM, ModelSettings
from rulec.infra import text_files
from rulec.infra.rulebooks import personal_rulebook, work_tree
from rulec.rulebook import config, file_paths
from rulec.rulebook.config import Config
from rulec.rulebook.rulebook import Rulebook

EXCHANGE_ROOT = ".rulec"  # in the work tree: what is exchanged with whoever answers


def choose_models(top: Path | None, book: Rulebook, backend: str = "") -> ModelSettings:
    """Who is asked: the option before the person's own settings before the team's.

    A repository, which may be anybody's, must not choose where a person's key is sent, nor spend without end by it.
    """
    ours = top is not None and work_tree.is_personal(top)
    layers = {
        "team": _stated_models(book.config, own=ours),
        "own": _stated_models(personal_settings(), own=True),
        "option": {"backend": backend} if backend else {},
    }
    found: dict[str, Any] = {}
    for name, layer in layers.items():
        if layer.get("backend"):
            found["named"] = "own" if ours and name == "team" else name
        if layer.get("backend", found.get("backend")) != found.get("backend"):
            found.pop("model", None)  # a model of one backend is none of another's
        found |= layer
    return ModelSettings(**found)


def personal_settings() -> Config:
    """The person's own settings."""
    path = personal_rulebook.personal_folder() / file_paths.CONFIG
    return config.parse_config(text_files.read_text(path), source=str(path), own=True) if path.is_file() else Config()


def _stated_models(config: Config, *, own: bool) -> dict[str, Any]:
    told = {name: getattr(config.models, name) for name in config.models_told if own or name != "base_url"}
    return told if own else {name: min(value, MOST_OF_A_TEAM.get(name, value)) for name, value in told.items()}


def with_folder(top: Path | None, models: ModelSettings) -> ModelSettings:
    """With the folder in which the backend may keep files."""
    folder = str(top / EXCHANGE_ROOT / models.backend) if top is not None else ""
    return replace(models, folder=models.folder or folder)
