"""Whether judges are asked at a gate, and of whom; where there are none nobody pays for the question."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

from rulec import configfile
from rulec.commands._progress import Progress, unwatched
from rulec.errors import RulecError
from rulec.host import git, personal, worktree
from rulec.model.exchange import Models, Trouble
from rulec.model.finding import Verdict
from rulec.model.rulebook import Rulebook

SECONDS = 20.0  # that somebody waits for a request who came for something else
_WORD = "judges"  # of the settings that say where they are asked; where nobody says it they are asked in CI


@dataclass(frozen=True, slots=True, kw_only=True)
class Asking:
    """Who is asked, by which settings, and where what they say is kept."""

    top: Path
    models: Models
    say: Callable[[str], None]
    progress: Progress = unwatched
    cache: str = ""  # a folder that CI carries along; "" is the git folder
    off: bool = False  # nobody is asked here, and that is told
    trouble: Trouble | None = None  # why nobody can be: each rule says what that means


@dataclass(frozen=True, slots=True, kw_only=True)
class Judged:
    """What judges made of a change, and how many could not be asked."""

    verdicts: list[Verdict] = field(default_factory=list)
    counts: Mapping[str, int] = field(default_factory=dict)
    unheard: frozenset[str] = frozenset()  # rules of which nothing is known for sure: nothing of theirs is put right


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice:
    """What a person said of the judges when they ran a check."""

    backend: str = ""
    cache: str = ""
    say: Callable[[str], None] = lambda _: None


NO_CHOICE = Choice()


def at_commit(top: Path, say: Callable[[str], None], gate: str = "commit") -> Asking | None:
    """By the settings of HEAD and the person's own; where they cannot be read it is for each rule to say what then."""
    team = settings_at(top, "HEAD")
    if not team and not git.head(top):  # a first commit is judged by the rules that it brings
        team = settings_at(top, "")
    try:
        if _WORD not in team + _own():
            return None
        models = _models(top, team)
        quick = replace(models, seconds=min(SECONDS, models.seconds), aside=True)
        asking = Asking(top=top, models=quick, say=say)
    except RulecError as error:
        say(f"no judge is asked: {error}")
        return Asking(top=top, models=Models(), say=say, trouble=Trouble(what=str(error)))
    return asking if gate in asking.models.judges else None


def at_stop(top: Path) -> Asking | None:
    """At the end of an agent's turn, as at a commit; files are nobody's to answer there."""
    asking = at_commit(top, lambda _: None, gate="stop")
    return asking if asking and asking.models.backend and not _waits(asking.models.backend) else None


def _waits(name: str) -> bool:
    from rulec import registry  # noqa: PLC0415 - every plug there is, for what hardly a commit needs

    try:
        return registry.backend(name).waits
    except RulecError:
        return False  # one that nobody knows is trouble, and told as such


def in_ci(top: Path, base: str, choice: Choice, progress: Progress) -> Asking | None:
    """By the settings of the base: a change cannot say who judges it."""
    models = _models(top, settings_at(top, base), choice.backend)
    if not ("ci" in models.judges or choice.backend):
        return None
    return Asking(top=top, models=models, say=choice.say, progress=progress, cache=choice.cache)


def at_hand(top: Path, choice: Choice, progress: Progress, *, folders: bool) -> Asking | None:
    """By the settings of the work tree: whoever names files is there to see what it costs; folders hold too much."""
    path = top / worktree.CONFIG
    models = _models(top, worktree.text(path) if path.is_file() else "", choice.backend)
    asking = Asking(top=top, models=models, say=choice.say, progress=progress, cache=choice.cache)
    return replace(asking, off=folders)


def settings_at(top: Path, revision: str) -> str:
    """The team's settings as a commit has them, or the index where it is ""; in one call of git."""
    found = git.git(top, "cat-file", "blob", f"{revision}:{worktree.CONFIG}")
    return "" if found.code else found.text


def _own() -> str:
    path = personal.place() / worktree.CONFIG
    return worktree.text(path) if path.is_file() else ""


def _models(top: Path, settings: str, backend: str = "") -> Models:
    from rulec.commands import _ask  # noqa: PLC0415 - 20 ms of what hardly a commit needs

    team = configfile.loads(settings, source=worktree.CONFIG, own=worktree.is_own(top))
    return _ask.models(top, Rulebook(config=team), backend)
