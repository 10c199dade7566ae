"""Whether globs and scopes speak of a place."""

from __future__ import annotations

import os

from rulec.checkout.worktree import common_directory, git_directory, tree_top
from rulec.domain.compiled_rule import EVERYWHERE, CommandCheck
from rulec.domain.files import globs
from rulec.domain.files.globs import OUTSIDE_PREFIXES
from rulec.shell.action_events import parsed_command, relative_path
from rulec.shell.git import folders
from rulec.shell.parsing.call import Call

TYPE_CHECKING = False
if TYPE_CHECKING:
    from rulec.domain.compiled_rule import RuleScope, SessionCheck
    from rulec.shell.action_events import Event


def applicable_globs(wanted: tuple[str, ...], path: str, *, all_files: bool = True) -> tuple[str, ...]:
    """The globs that can mean the path: of a file outside the repository those that begin with "/", "~" or "..".

    ``**`` means such a file only with ``all_files``: what is written there is no text of the repository.
    """
    if not path.startswith(OUTSIDE_PREFIXES):
        return wanted
    return tuple(one for one in wanted if one.startswith(("/", "~", "..")) or (all_files and one.startswith("**")))


def is_excepted(spared: tuple[str, ...], path: str) -> bool:
    """Whether what a check spares holds the path; what means any place in the repository means none outside."""
    if path.startswith(OUTSIDE_PREFIXES):
        spared = tuple(one for one in spared if one not in globs.EVERYWHERE)
    return globs.match(spared, path)


def holds_path(scope: RuleScope, path: str) -> bool:
    """Whether the rule's scope holds the path."""
    if scope.spared:
        from rulec.guard import exceptions  # noqa: PLC0415 (most rules have no exceptions, and pay for none)

        if exceptions.spares_path(scope.spared, path):
            return False
    return scope.holds(path)


def judged_calls(event: Event) -> list[Call]:
    """The commands of an event that are judged: all, or those that run in the tree whose rules are asked."""
    return parsed_command(event).calls if event.judged is None else event.judged


def runs_there(check: CommandCheck | SessionCheck, event: Event, call: Call) -> bool | None:
    """Whether a command runs in a folder that ``inside`` and ``outside`` allow; None where the folder is unknown.

    It runs in the folder that ``cd`` and the program's own option (git -C, npm --prefix) lead to. The same of the
    kind of work tree that ``checkout`` names.
    """
    if (
        isinstance(check, CommandCheck)
        and check.checkout
        and not is_in_checkout(check.checkout, _tree_of_call(event, call))
    ):
        return False
    if not (check.inside or check.outside):
        return True
    folder = folders.call_folder(call)
    if folder is None:
        return None
    place = relative_path(event, folder)
    spots = [f"{place}/." if place else "."]
    if event.root and place.startswith("/"):
        spots.append(os.path.relpath(place, event.root).replace("\\", "/") + "/.")  # a folder beside the repository
    within = any(globs.match(check.inside or EVERYWHERE, spot) for spot in spots)
    return within and not any(globs.match(check.outside, spot) for spot in spots)


def is_in_checkout(wanted: str, root: str) -> bool:
    """Whether the work tree is of the kind that is wanted, main or linked, as far as that is known."""
    own = git_directory(root) if wanted and root else ""
    return not own or (own != common_directory(root)) is (wanted == "linked")


def _tree_of_call(event: Event, call: Call) -> str:
    """The top of the work tree in which a command runs; "" where there is none to ask."""
    if not event.world:
        return ""
    place = event.world.absolute(relative_path(event, folders.call_folder(call) or ""))
    return tree_top(place) or event.world.root


def holds_folder(scope: RuleScope, event: Event, call: Call) -> bool:
    """Whether the rule's scope holds the folder in which a command runs, as far as the scope speaks of folders."""
    if scope.spared:
        from rulec.guard import exceptions  # noqa: PLC0415 (as above)

        if exceptions.spares_call(scope.spared, event, call):
            return False
    if call.adrift:
        return True
    place = relative_path(event, call.cwd) + "/."
    include = scope.include or EVERYWHERE
    folders = [glob for glob in include if glob.endswith(("/", "/**"))]
    if include != EVERYWHERE and len(folders) == len(include) and not globs.match(folders, place.lstrip("/")):
        return False
    left_out = [glob for glob in scope.exclude if glob.endswith(("/", "/**"))]
    return not (left_out and globs.match(left_out, place))
