"""Which model is asked, by whose settings, and whether it may be: with consent where it costs money."""

import os
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

from rulec.checkout import rules_layout
from rulec.domain.plugs import Backend
from rulec.domain.prompt import MOST_OF_A_TEAM, ModelSettings
from rulec.errors import RulecError
from rulec.infra import state, text_files
from rulec.infra.rulebooks import personal_rulebook, rulebook_files
from rulec.rulebook import config, file_paths
from rulec.rulebook.config import Config
from rulec.rulebook.rulebook import Rulebook

EXCHANGE_ROOT = ".rulec"  # in the work tree: what is exchanged with whoever answers


def choose_models(top: Path | None, book: Rulebook, backend: str = "") -> ModelSettings:
    """The model settings: the option before the person's settings before the team's.

    A repository, which may be anybody's, must not choose where a person's key is sent, nor spend without end by it.
    """
    ours = top is not None and rulebook_files.is_personal(top)
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
    """The settings of the personal rulebook."""
    path = personal_rulebook.personal_folder() / file_paths.CONFIG
    return config.parse_config(text_files.read_text(path), source=str(path), own=True) if path.is_file() else Config()


def _stated_models(config: Config, *, own: bool) -> dict[str, Any]:
    told = {name: getattr(config.models, name) for name in config.models_told if own or name != "base_url"}
    return told if own else {name: min(value, MOST_OF_A_TEAM.get(name, value)) for name, value in told.items()}


def with_folder(top: Path | None, models: ModelSettings) -> ModelSettings:
    """The settings with the folder in which the backend may keep files."""
    folder = str(top / EXCHANGE_ROOT / models.backend) if top is not None else ""
    return replace(models, folder=models.folder or folder)


def lacking_consent(top: Path | None, models: ModelSettings, backend: Backend) -> str:
    """Why the repository's settings alone do not let a backend be asked, "" where they do or a person named it."""
    if backend.free or backend.at_home(models) or models.named != "team" or has_consent(top, backend.name):
        return ""
    once = " or ".join(f"{verb} --backend {backend.name}" for verb in ("rulec ingest", "rulec check --base REF"))
    cure = f"{once} allows it, or models.backend in your personal settings"
    return f"only this repository's settings name it, and it costs money: {cure}"


NESTED_VARIABLE = rules_layout.BELOW_MODEL


def lacking_top_level() -> str:
    """Why no model is asked here: rulec itself was started by a model that rulec asked; else ""."""
    return "rulec runs below a model that it asked, and asks no other" if os.environ.get(NESTED_VARIABLE) else ""


_CONSENT_STATE = "backends"  # in the git folder, where no commit brings it: those that the person named here
_NO = ("", "0", "false")


def has_consent(top: Path | None, backend: str) -> bool:
    """Whether the person named the backend here once; in CI whoever stored its key did."""
    return os.environ.get("CI", "").strip().casefold() not in _NO or backend in _consented_backends(top)


def record_consent(top: Path | None, backend: str) -> None:
    """Note that the person named the backend; where that fails they are asked again."""
    if top is not None and backend not in _consented_backends(top):
        with suppress(RulecError, OSError):
            state.update_state(top, _CONSENT_STATE, lambda kept: sorted({*_named(kept), backend}))


def _consented_backends(top: Path | None) -> list[str]:
    if top is None:
        return []
    with suppress(RulecError, OSError):
        return _named(state.read_state(top, _CONSENT_STATE))
    return []


def _named(kept: object) -> list[str]:
    return [name for name in kept if isinstance(name, str)] if isinstance(kept, list) else []
