"""What this machine has: Semgrep, and the configured models."""

import shutil
from collections.abc import Iterator
from pathlib import Path

from rulec import registry
from rulec.checkout import rules_layout
from rulec.domain.outcome import Outcome
from rulec.domain.prompt import ModelSettings
from rulec.errors import RulecError
from rulec.infra import jobs
from rulec.llm.model_settings import choose_models, lacking_consent, personal_settings, with_folder
from rulec.rulebook.rulebook import Rulebook
from rulec.services.asking import exchange_run
from rulec.services.doctor.diagnosis import Diagnosis
from rulec.weights import weight_store


def examine_tools() -> Iterator[Diagnosis]:
    """Semgrep; which Python starts the hooks stands in the clone's record."""
    core = Path(jobs.semgrep_core_path())
    there = core.is_file()
    yield Diagnosis(
        "semgrep-core is here" if there else f"{core} is missing", "" if there else "pip install semgrep again"
    )


def examine_models(top: Path, book: Rulebook) -> Iterator[Diagnosis]:
    """Whether the configured model can be asked; keys are never shown."""
    try:
        chosen = choose_models(top, book)
        personal = "backend" in personal_settings().models_told
    except RulecError as error:
        yield Diagnosis(f"your own settings do not load: {error.message}", f"{error.where}: {error.hint}")
        return
    if chosen.backend:
        yield _asked(top, chosen, here=personal or bool({*chosen.judges} - {"ci"}))
    else:
        yield Diagnosis("no model is configured, and none is needed (models.backend, or rulec ingest --backend NAME)")
    if told := exchange_run.exchange_pending_line(top):
        yield Diagnosis(told)


def _asked(top: Path, chosen: ModelSettings, *, here: bool) -> Diagnosis:
    """The backend; what it lacks is wrong only where it is asked on this machine (``here``)."""
    try:
        backend = registry.backend(chosen.backend)
    except RulecError as error:
        return Diagnosis(f"models.backend: {error.message}", error.hint)
    who = f"{backend.name} {chosen.model or backend.model}".strip()
    unasked = lacking_consent(top, chosen, backend)
    lacks = unasked or backend.missing(with_folder(top, chosen))
    if lacks and here and not unasked:
        return Diagnosis(f"{who} cannot be asked: {lacks}", "or choose another in models.backend")
    costs = (
        ""
        if backend.free or backend.at_home(chosen)
        else f", at most {chosen.tokens:,} tokens and ${chosen.money:.2f} a run"
    )
    judged = f"judges at {', '.join(chosen.judges)}" if chosen.judges else "no judges"
    return Diagnosis(f"{who} is asked{costs}, {judged}" + (f"; not from here: {lacks}" if lacks else ""))


def examine_weights(top: Path, _: Rulebook) -> Iterator[Diagnosis]:
    """Whether the person's weights can be read; where there are none, there is nothing to say."""
    if told := weight_store.why_unread(str(top)):
        yield Diagnosis(told, "rulec doctor --forget deletes it, and rulec learns anew")


def forget_person() -> Outcome:
    """Delete the weights of all repositories, with whatever lies beside them: half-written files, too."""
    folder = Path(rules_layout.personal_weights_path())
    if not folder.exists():
        return Outcome("nothing is kept of you", data={"forgotten": 0})
    try:
        count = sum(1 for one in folder.iterdir() if one.is_dir())
        shutil.rmtree(folder)
    except OSError as error:
        hint = "delete the folder yourself"
        raise RulecError(f"cannot be deleted: {error.strerror}", where=str(folder), hint=hint) from error
    many = "repository" if count == 1 else "repositories"
    said = f"forgot the weights of {count} {many}; the next session starts without any"
    return Outcome(said, data={"forgotten": count})
