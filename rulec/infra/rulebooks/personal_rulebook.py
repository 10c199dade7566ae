"""The person's rulebook: a git repository among their settings."""

from dataclasses import dataclass, replace
from pathlib import Path

from rulec.checkout import personal_scope, rules_layout
from rulec.domain.rule import Scope
from rulec.errors import RulecError
from rulec.infra.git import git_session
from rulec.infra.rulebooks import rulebook_files
from rulec.rulebook import file_paths
from rulec.rulebook.rulebook import Rulebook


@dataclass(frozen=True, slots=True, kw_only=True)
class PersonalLayer:
    """The personal rules that apply in a repository, and why others do not."""

    here: Path
    book: Rulebook
    lost: tuple[str, ...] = ()


PERSONAL_LAYER = "personal"
PERSONAL_MARK = "(personal)"  # before what such a rule says


def personal_folder() -> Path:
    """The folder of the personal rulebook, whether it exists or not."""
    return Path(rules_layout.personal_rulebook_path())


def personal_for(top: Path) -> Path | None:
    """The folder of the personal rulebook; None where there is none, or it is ``top`` itself."""
    here = personal_folder()
    try:
        return here if _is_book(here) and here.resolve() != top.resolve() else None
    except OSError as error:
        hint = "it is your personal rulebook: see who may read there"
        raise RulecError(f"cannot be read: {error.strerror}", where=str(here), hint=hint) from None


def _is_book(here: Path) -> bool:
    """Whether there is more than a settings file that somebody wrote by hand."""
    settings = here / file_paths.CONFIG
    return rulebook_files.has_rulebook(here) and (
        (here / ".git").exists() or list(settings.parent.iterdir()) != [settings]
    )


def require_personal() -> None:
    """Refuse where there is no personal rulebook."""
    if not rulebook_files.has_rulebook(personal_folder()):
        raise RulecError(
            "there is no personal rulebook yet", hint="rulec --personal add 'Use pnpm, never npm' begins one"
        )


def create_personal() -> bool:
    """Create the repository where there is none; True where its settings are still to be written."""
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
    """The personal rulebook, each rule marked as of its layer."""
    try:
        found = rulebook_files.load_rulebook(here)
    except RulecError as error:  # its paths look like the team's
        raise RulecError(error.message, where=str(here / error.where), hint=error.hint) from None
    return replace(found, rules=tuple(replace(rule, layer=PERSONAL_LAYER) for rule in found.rules))


def stored_precedence(top: Path, here: Path) -> dict[str, str] | None:
    """The personal rules that yield to the team's, with the reason; None where a rulebook changed since."""
    return personal_scope.load_overruled(str(top), str(here))[1]


def store_precedence(top: Path, here: Path, lost: dict[str, str]) -> None:
    """Store which personal rules yield, for the hook and the next gate."""
    personal_scope.save_overruled(str(top), str(here), lost)


def is_for_repository(top: Path, scope: Scope) -> bool:
    """Whether a rule of that scope applies in this repository."""
    return not scope.projects or personal_scope.scope_holds(scope.projects, str(top))
