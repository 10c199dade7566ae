"""Whether globs and scopes speak of a place."""

from __future__ import annotations

import os

from rulec.checkout.worktree import common_directory, git_directory, tree_top
from rulec.domain.files import globs
from rulec.domain.files.globs import OUTSIDE_PREFIXES
from rulec.shell.action_events import parsed_command, relative_path
from rulec.shell.git import folders
from rulec.shell.parsing.call import Call

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


def applicable_globs(wanted: list[str], path: str, *, all_files: bool = True) -> list[str]:
    """The globs that can mean the path: of a file outside the repository those that begin with "/", "~" or "..".

    ``**`` means such a file only with ``all_files``: what is written there is no text of the repository.
    """
    if not path.startswith(OUTSIDE_PREFIXES):
        return wanted
    return [one for one in wanted if one.startswith(("/", "~", "..")) or (all_files and one.startswith("**"))]


def is_excepted(check: dict[str, Any], path: str) -> bool:
    """Whether the check leaves the path alone; what means any place in the repository means none outside."""
    spared = check.get("except") or []
    if path.startswith(OUTSIDE_PREFIXES):
        spared = [one for one in spared if one not in globs.EVERYWHERE]
    return globs.match(spared, path)


def holds_path(scope: dict[str, Any], path: str) -> bool:
    """Whether the rule's scope holds the path."""
    include, exclude = scope.get("include") or ["**"], scope.get("exclude") or []
    if "spared" in scope:
        from rulec.guard import exceptions  # noqa: PLC0415 (most rules have no exceptions, and pay for none)

        if exceptions.spares_path(scope["spared"], path):
            return False
    return (include == ["**"] or globs.match(include, path)) and not globs.match(exclude, path)


def judged_calls(event: dict[str, Any]) -> list[Call]:
    """The commands of an event that are judged: all, or those that run in the tree whose rules are asked."""
    judged: list[Call] | None = event.get("judged")
    return parsed_command(event).calls if judged is None else judged


def runs_there(check: dict[str, Any], event: dict[str, Any], call: Call) -> bool | None:
    """Whether a command runs in a folder that ``inside`` and ``outside`` allow; None where the folder is unknown.

    It runs in the folder that ``cd`` and the program's own option (git -C, npm --prefix) lead to. The same of the
    kind of work tree that ``checkout`` names.
    """
    if check.get("checkout") and not is_in_checkout(check, _tree_of_call(event, call)):
        return False
    if not (check.get("inside") or check.get("outside")):
        return True
    folder = folders.call_folder(call)
    if folder is None:
        return None
    place = relative_path(event, folder)
    spots = [f"{place}/." if place else "."]
    root = str(event.get("root") or "")
    if root and place.startswith("/"):
        spots.append(os.path.relpath(place, root).replace("\\", "/") + "/.")  # a folder beside the repository
    within = any(globs.match(check.get("inside") or ["**"], spot) for spot in spots)
    return within and not any(globs.match(check.get("outside") or [], spot) for spot in spots)


def is_in_checkout(check: dict[str, Any], root: str) -> bool:
    """Whether the work tree is of the kind that the check speaks of, as far as that is known."""
    wanted = check.get("checkout")
    own = git_directory(root) if wanted and root else ""
    return not own or (own != common_directory(root)) is (wanted == "linked")


def _tree_of_call(event: dict[str, Any], call: Call) -> str:
    """The top of the work tree in which a command runs; "" where there is none to ask."""
    world = event.get("world")
    if not world:
        return ""
    folder = folders.call_folder(call)
    place = world.absolute(relative_path(event, folder or ""))
    return str(tree_top(place) or world.root)


def holds_folder(scope: dict[str, Any], event: dict[str, Any], call: Call) -> bool:
    """Whether the rule's scope holds the folder in which a command runs, as far as the scope speaks of folders."""
    if "spared" in scope:
        from rulec.guard import exceptions  # noqa: PLC0415 (as above)

        if exceptions.spares_call(scope["spared"], event, call):
            return False
    if call.adrift:
        return True
    place = relative_path(event, call.cwd) + "/."
    include = scope.get("include") or ["**"]
    folders = [glob for glob in include if glob.endswith(("/", "/**"))]
    if include != ["**"] and len(folders) == len(include) and not globs.match(folders, place.lstrip("/")):
        return False
    return not globs.match([glob for glob in scope.get("exclude") or [] if glob.endswith(("/", "/**"))], place)
