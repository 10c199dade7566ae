"""The person's own rulebook: a git repository of its own among their settings."""

from dataclasses import replace
from pathlib import Path

from rulec.errors import RulecError
from rulec.host import git, worktree
from rulec.model.rule import Scope
from rulec.model.rulebook import Rulebook
from rulec.runtime import layers, layout, ledger, projects

LAYER = "personal"
MARK = "(personal)"  # before what such a rule says


def place() -> Path:
    """Where it is, or would be."""
    return Path(layout.settled())


def seen_from(top: Path) -> Path | None:
    """Where it is, None where the person has none or stands in it."""
    here = place()
    try:
        return here if _is_book(here) and here.resolve() != top.resolve() else None
    except OSError as error:
        hint = "it is your personal rulebook: see who may read there"
        raise RulecError(f"cannot be read: {error.strerror}", where=str(here), hint=hint) from None


def _is_book(here: Path) -> bool:
    """Whether there is more than settings that somebody wrote by hand."""
    settings = here / worktree.CONFIG
    return worktree.exists(here) and ((here / ".git").exists() or list(settings.parent.iterdir()) != [settings])


def begin() -> bool:
    """Make the repository where there is none; True where that had to be done. Its settings are still to be written."""
    here = place()
    if here.exists() and not here.is_dir():
        raise RulecError("is no folder", where=str(here), hint="the personal rulebook would be there: move it away")
    if (here / ".git").exists():
        return not worktree.exists(here)
    try:
        here.mkdir(parents=True, exist_ok=True, mode=0o700)
    except OSError as error:
        raise RulecError(f"cannot be made: {error.strerror}", where=str(here), hint="see who may write there") from None
    git.must(here, "init", "-q", "--template=", str(here))
    return True


def book(here: Path) -> Rulebook:
    """Its rules, each marked as of this layer."""
    try:
        found = worktree.load(here)
    except RulecError as error:  # its paths look like the team's
        raise RulecError(error.message, where=str(here / error.where), hint=error.hint) from None
    return replace(found, rules=tuple(replace(rule, layer=LAYER) for rule in found.rules))


def weighed(top: Path, here: Path) -> dict[str, str] | None:
    """Which of its rules lose to the team's, and why, where that was found out of both as they are now."""
    return layers.stored(ledger.place(str(top), layers.STATE), layers.stamps(str(top), str(here)))[1]


def store(top: Path, here: Path, lost: dict[str, str]) -> None:
    """Keep which lose, for the hook and the next gate."""
    path = ledger.place(str(top), layers.STATE)
    if path:
        layers.store(path, layers.stamps(str(top), str(here)), lost)


def speaks_of(top: Path, scope: Scope) -> bool:
    """Whether a rule of that scope is for this repository."""
    return not scope.projects or projects.holds({"projects": list(scope.projects)}, str(top))
