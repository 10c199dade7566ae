"""Whether models judge at a gate, and which."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

from rulec.domain.finding import Verdict
from rulec.domain.outcome import Progress, no_progress
from rulec.domain.prompt import ModelFailure, ModelSettings
from rulec.errors import RulecError
from rulec.infra import text_files
from rulec.infra.git import git_contents, git_session
from rulec.infra.rulebooks import personal_rulebook, rulebook_files
from rulec.rulebook import config, file_paths
from rulec.rulebook.rulebook import Rulebook

COMMIT_SECONDS = 20.0  # that somebody waits for a request who came for something else
_WORD = "judges"  # of the settings that say where they are asked; where nobody says it they are asked in CI


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgeSettings:
    """Which model is asked, by which settings, and where its answers are kept."""

    top: Path
    models: ModelSettings
    say: Callable[[str], None]
    progress: Progress = no_progress
    cache: str = ""  # a folder that CI carries along; "" is the git folder
    off: bool = False  # nobody is asked here, and that is told
    trouble: ModelFailure | None = None  # why nobody can be: each rule says what that means


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgeOutcome:
    """The verdicts of judges on a change, and how many judges could not be asked."""

    verdicts: list[Verdict] = field(default_factory=list)
    counts: Mapping[str, int] = field(default_factory=dict)
    unheard: frozenset[str] = frozenset()  # rules of which nothing is known for sure: nothing of theirs is put right


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgeChoice:
    """What a person chose for the judges of one run."""

    backend: str = ""
    cache: str = ""
    say: Callable[[str], None] = lambda _: None


NO_CHOICE = JudgeChoice()


def judges_at_commit(top: Path, say: Callable[[str], None], gate: str = "commit") -> JudgeSettings | None:
    """The settings by HEAD and the person's own settings; where these cannot be read each rule's on_error decides."""
    team = settings_at_commit(top, "HEAD")
    if not team and not git_session.head_commit(top):  # a first commit is judged by the rules that it brings
        team = settings_at_commit(top, "")
    try:
        if _WORD not in team + _personal_text():
            return None
        models = _models_of(top, team)
        quick = replace(models, seconds=min(COMMIT_SECONDS, models.seconds), aside=True)
        asking = JudgeSettings(top=top, models=quick, say=say)
    except RulecError as error:
        say(f"no judge is asked: {error}")
        return JudgeSettings(top=top, models=ModelSettings(), say=say, trouble=ModelFailure(what=str(error)))
    return asking if gate in asking.models.judges else None


def judges_at_stop(top: Path) -> JudgeSettings | None:
    """At the end of an agent's turn, as at a commit; files are nobody's to answer there."""
    asking = judges_at_commit(top, lambda _: None, gate="stop")
    return asking if asking and asking.models.backend and not _waits(asking.models.backend) else None


def _waits(name: str) -> bool:
    from rulec import registry  # noqa: PLC0415 - every plug there is, for what hardly a commit needs

    try:
        return registry.backend(name).waits
    except RulecError:
        return False  # one that nobody knows is trouble, and told as such


def judges_in_ci(top: Path, base: str, choice: JudgeChoice, progress: Progress) -> JudgeSettings | None:
    """By the settings of the base: a change cannot say who judges it."""
    models = _models_of(top, settings_at_commit(top, base), choice.backend)
    if not ("ci" in models.judges or choice.backend):
        return None
    return JudgeSettings(top=top, models=models, say=choice.say, progress=progress, cache=choice.cache)


def judges_on_files(top: Path, choice: JudgeChoice, progress: Progress, *, folders: bool) -> JudgeSettings | None:
    """The settings by the work tree: a person who names files sees the cost; a folder would cost too much."""
    path = top / file_paths.CONFIG
    models = _models_of(top, text_files.read_text(path) if path.is_file() else "", choice.backend)
    asking = JudgeSettings(top=top, models=models, say=choice.say, progress=progress, cache=choice.cache)
    return replace(asking, off=folders)


def settings_at_commit(top: Path, revision: str) -> str:
    """The team's settings as a commit has them, or the index where ``revision`` is ""."""
    (found,) = git_contents.read_blobs(top, [f"{revision}:{file_paths.CONFIG}"])
    return (found or b"").decode("utf-8", "surrogateescape")


def _personal_text() -> str:
    path = personal_rulebook.personal_folder() / file_paths.CONFIG
    return text_files.read_text(path) if path.is_file() else ""


def _models_of(top: Path, settings: str, backend: str = "") -> ModelSettings:
    from rulec.llm import model_settings  # noqa: PLC0415 - 20 ms of what hardly a commit needs

    team = config.parse_config(settings, source=file_paths.CONFIG, own=rulebook_files.is_personal(top), past=True)
    return model_settings.choose_models(top, Rulebook(config=team), backend)
