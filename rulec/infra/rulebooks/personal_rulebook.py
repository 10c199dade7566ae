"""The person's own rulebook: a git repository of its own among their settings."""

from dataclasses import dataclass, replace
from pathlib import Path

from rulec.checkout import ledger, personal_scope
from rulec.domain import rules_layout
from rulec.domain.rule import Scope
from rulec.errors import RulecError
from rulec.infra.git import git_session
from rulec.infra.rulebooks import rulebook_files
from rulec.rulebook import file_paths
from rulec.rulebook.rulebook import Rulebook


@dataclass(frozen=True, slots=True, kw_only=True)
class PersonalLayer:
    """The personal rules that hold in a repository, and why others do not."""

    here: Path
    book: Rulebook
    lost: tuple[str, ...] = ()


PERSONAL_LAYER = "personal"
PERSONAL_MARK = "(personal)"  # before what such a rule says


def personal_folder() -> Path:
    """Where it is, or would be."""
    return Path(rules_layout.personal_rulebook_path())


def personal_for(top: Path) -> Path | None:
    """Where it is, None where the person has none or stands in it."""
    here = personal_folder()
    try:
        return here if _is_book(here) and here.resolve() != top.resolve() else None
    except OSError as error:
        hint = "it is your personal rulebook: see who may read there"
        raise RulecError(f"cannot be read: {error.strerror}", where=str(here), hint=hint) from None


def _is_book(here: Path) -> bool:
    """Whether there is more than settings that somebody wrote by hand."""
    settings = here / file_paths.CONFIG
    return rulebook_files.has_rulebook(here) and (
        (here / ".git").exists() or list(settings.parent.iterdir()) != [settings]
    )


def create_personal() -> bool:
    """Make the repository where there is none; True where that had to be done. Its settings are still to be written."""
    here = personal_folder()
    if here.exists() and not here.is_dir():
        raise RulecError("is no folder", where=str(here), hint="the personal rulebook would be there: move it away")
    if (here / ".git").exists():
        return not rulebook_files.has_rulebook(here)
    try:
        here.mkdir(parents=True, exist_ok=True, mode=0o700)
    except OSError as error:
        raise RulecError(f"cannot be made: {error.strerror}", where=str(here), hint="see who may write there") from None
    git_session.git_output(here, "init", "-q", "--template=", str(here))
    return True


def load_personal(here: Path) -> Rulebook:
    """Its rules, each marked as of this layer."""
    try:
        found = rulebook_files.load_rulebook(here)
    except RulecError as error:  # its paths look like the team's
        raise RulecError(error.message, where=str(here / error.where), hint=error.hint) from None
    return replace(found, rules=tuple(replace(rule, layer=PERSONAL_LAYER) for rule in found.rules))


def stored_precedence(top: Path, here: Path) -> dict[str, str] | None:
    """Which of its rules lose to the team's, and why, where that was found out of both as they are now."""
    return personal_scope.load_overruled(
        ledger.worktree_file(str(top), personal_scope.OVERRULED), personal_scope.rulebooks_stamp(str(top), str(here))
    )[1]


def store_precedence(top: Path, here: Path, lost: dict[str, str]) -> None:
    """Keep which lose, for the hook and the next gate."""
    path = ledger.worktree_file(str(top), personal_scope.OVERRULED)
    if path:
        personal_scope.save_overruled(path, personal_scope.rulebooks_stamp(str(top), str(here)), lost)


def is_for_repository(top: Path, scope: Scope) -> bool:
    """Whether a rule of that scope is for this repository."""
    return not scope.projects or personal_scope.scope_holds({"projects": list(scope.projects)}, str(top))
