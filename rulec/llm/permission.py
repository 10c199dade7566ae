"""Whether a model may be asked here: not below one that rulec asked, and none that costs without the person's consent."""

import os
from contextlib import suppress
from pathlib import Path

from rulec.domain import rules_layout
from rulec.domain.plugs import Backend
from rulec.domain.prompt import ModelSettings
from rulec.errors import RulecError
from rulec.infra import state


def lacking_consent(top: Path | None, models: ModelSettings, backend: Backend) -> str:
    """Why a repository's settings alone do not let us ask it, "" where they do or somebody else named it."""
    if backend.free or backend.at_home(models) or models.named != "team" or has_consent(top, backend.name):
        return ""
    once = " or ".join(f"{verb} --backend {backend.name}" for verb in ("rulec ingest", "rulec check --base REF"))
    return f"only this repository's settings name it, and it costs: {once} allows it, or models.backend of your own"


NESTED_VARIABLE = rules_layout.BELOW_MODEL


def lacking_top_level() -> str:
    """Why no model is asked here, "" where none that rulec asked stands above us."""
    return "rulec runs below a model that it asked, and asks no other" if os.environ.get(NESTED_VARIABLE) else ""


_CONSENT_STATE = "backends"  # in the git folder, where no commit brings it: those that the person named here
_NO = ("", "0", "false")


def has_consent(top: Path | None, backend: str) -> bool:
    """Whether they named it here once; in CI whoever wrote down its keys has."""
    return os.environ.get("CI", "").strip().casefold() not in _NO or backend in _consented_backends(top)


def record_consent(top: Path | None, backend: str) -> None:
    """They have named it; where that cannot be kept they are asked again."""
    named = _consented_backends(top)
    if top is not None and backend not in named:
        with suppress(RulecError, OSError):
            state.write_state(top, _CONSENT_STATE, [*named, backend])


def _consented_backends(top: Path | None) -> list[str]:
    if top is None:
        return []
    with suppress(RulecError, OSError):
        kept = state.read_state(top, _CONSENT_STATE)
        return [name for name in kept if isinstance(name, str)] if isinstance(kept, list) else []
    return []
