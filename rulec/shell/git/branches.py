"""Branches that a git command makes, checks out and pushes to."""

from __future__ import annotations

import re

from rulec.domain.files import globs
from rulec.shell import action_events
from rulec.shell.command_matching import words_and_flags
from rulec.shell.git import folders
from rulec.shell.parsing.call import Call, join_path
from rulec.shell.programs import WORDS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from rulec.checkout.worktree import Worktree
    from rulec.shell.action_events import Event


MAKING_FLAGS = {"checkout": ("-b", "-B", "--orphan"), "switch": ("-c", "-C", "--create", "--force-create", "--orphan")}
RENAMING_FLAGS = ("-m", "-M", "-c", "-C", "--move", "--copy")
MOVERS = ("checkout", "switch", "branch", "rebase", "bisect", "stash")
TRUNKS = ("main", "master", "trunk", "develop")  # there before anybody names a branch


def created_branches(call: Call) -> list[str]:
    """The names of new branches."""
    if call.program != "git":
        return []
    bare, flags = words_and_flags("git", call.argv[1:])
    sub = bare[0] if bare else ""
    if sub in MAKING_FLAGS:
        return [flag.partition("=")[2] for flag in flags if _makes(flag.partition("=")[0], MAKING_FLAGS[sub])]
    if sub == "worktree" and bare[1:2] == ["add"]:
        named = [call.argv[at + 1] for at, word in enumerate(call.argv[:-1]) if word in ("-b", "-B")]
        creates = len(bare) == 3 and not any(flag.startswith(("-d", "--detach", "--orphan")) for flag in flags)
        return named or ([bare[2].rstrip("/").rpartition("/")[2]] if creates and "$" not in bare[2] else [])
    if sub == "stash" and bare[1:2] == ["branch"]:
        return bare[2:3]
    if sub != "branch" or len(bare) == 1:
        return []
    names = [flag.partition("=")[0] for flag in flags]
    if any(_lists_branches(name) for name in names):
        return []
    return [bare[-1]] if any(name in RENAMING_FLAGS for name in names) else [bare[1]]


def _lists_branches(name: str) -> bool:
    return any(name.startswith(one[:-1]) if one[-1] == "*" else name == one for one in WORDS["branch_listing"])


def misnames_branch(pattern: str, call: Call, world: Worktree | None = None) -> bool:
    """Whether the call makes a branch, here or by a push, whose name the pattern does not match."""
    names = [*created_branches(call), *(name for name in _renamed_by_push(call) if not _is_branch(name, world))]
    return any("$" not in name and not re.search(pattern, name) for name in names)


def _renamed_by_push(call: Call) -> list[str]:
    """The names that a push gives to remote branches where they differ from the local ones."""
    bare, flags = words_and_flags("git", call.argv[1:])
    if call.program != "git" or bare[:1] != ["push"] or any(flag in ("-d", "--delete") for flag in flags):
        return []
    pairs = [ref.lstrip("+").partition(":") for ref in bare[2:]]
    names = [(source, name.removeprefix("refs/heads/")) for source, _, name in pairs if source and name]
    return [name for source, name in names if name not in (source, "HEAD") and not name.startswith("refs/")]


def _is_branch(name: str, world: Worktree | None) -> bool:
    """Whether this repository has a branch of this name."""
    if name in TRUNKS or not world:
        return name in TRUNKS
    from rulec.checkout.worktree import common_directory  # noqa: PLC0415 (few pushes give a branch another name)

    folder = common_directory(world.root)
    refs = [f"refs/heads/{name}", f"refs/remotes/origin/{name}"]
    packed = (world.read(f"{folder}/packed-refs") or "") + "\n"
    return any(world.exists(f"{folder}/{ref}") or f" {ref}\n" in packed for ref in refs)


def _makes(name: str, making: tuple[str, ...]) -> bool:
    bundled = not name.startswith("--") and any(flag[1] == name[-1] for flag in making if len(flag) == 2)
    return name in making or bundled


def current_branch(event: Event, calls: list[Call], call: Call) -> str:
    """The branch that is checked out when the call runs; "" where that is not certain."""
    return _branch_before(event, calls[: calls.index(call)], call) or ""


def is_checked_out(name: str, event: Event, calls: list[Call], call: Call) -> bool:
    """Whether the word before the files of ``git checkout`` is the current branch or another file."""
    if "--" not in call.argv and call.argv.count(name) == 1 and _is_file(join_path(call.cwd, name), event):
        return True
    return name == current_branch(event, calls, call)


def assumed_branch(wanted: tuple[str, ...], event: Event, calls: list[Call], call: Call) -> str | None:
    """The same, None where the repository cannot tell; an example that names none is on the one its rule speaks of."""
    found = _branch_before(event, calls[: calls.index(call)], call)
    if found == "" and event.example and wanted:
        return wanted[0]
    return found if event.world else found or ""


def is_one_of_branches(wanted: list[str] | tuple[str, ...], branch: str) -> bool:
    """Whether a branch is one of these, which may be globs: release/*."""
    return globs.match(["/" + glob for glob in wanted], branch)


def branch_at(event: Event, place: int, call: Call) -> str | None:
    """The branch that is checked out where and when the call runs; "" where nothing tells, None where it is unknown.

    The repository is asked, or the session where there is none; then the commands before it in the same text are
    followed. ``place`` is the call's among them; of what is no command the text has none.
    """
    return _branch_before(
        event, action_events.parsed_command(event).calls[:place] if event.kind == "command" else [], call
    )


def _branch_before(event: Event, calls: list[Call], call: Call) -> str | None:
    place, world = _tree_at(event, calls, call), event.world
    if place is None or (world is None and place.startswith(("/", "../"))):
        return None if place is None else ""
    branch = world.branch(place) if world else branch_in_history(event.history or ())
    for number, one in enumerate(calls):
        if one.program == "gh" and one.argv[1:3] == ["pr", "checkout"]:
            branch = ""  # a branch of its own
        if one.program != "git":
            continue
        if place in added_worktree(event, one):
            branch = added_worktree(event, one)[place]
        elif _tree_at(event, calls[:number], one) == place:
            moved = _branch_after(one, event)
            branch = branch if moved == "" else moved
    return branch


def _tree_at(event: Event, calls: list[Call], call: Call) -> str | None:
    """The work tree that git works in, which the calls before may have added; "" for the event's own."""
    folder = folders.git_folder(call)
    if folder is None:
        return None
    place = action_events.relative_path(event, folder)
    added = [path for one in calls if one.program == "git" for path in added_worktree(event, one)]
    within = next((path for path in added if f"{place}/".startswith(f"{path}/")), "")
    return within or folders.git_tree(event, call)


def branch_in_history(history: Sequence[Event]) -> str | None:
    """The branch that the session's commands have checked out; "" where none of them names one."""
    for event in reversed(history):
        text = event.command if event.kind == "command" and event.ok is not False else ""
        if "git" not in text or not any(word in text for word in MOVERS):
            continue
        found: str | None = ""
        for call in action_events.parsed_command(event).calls:
            moved = _branch_after(call, event) if call.program == "git" else ""
            found = found if moved == "" else moved
        if found != "":
            return found
    return ""


def added_worktree(event: Event, call: Call) -> dict[str, str]:
    """The work tree that a command adds, and its branch."""
    bare, _ = words_and_flags("git", call.argv[1:])
    if bare[:2] != ["worktree", "add"] or len(bare) < 3:
        return {}
    path = action_events.relative_path(event, join_path(call.cwd, bare[2]))
    names = created_branches(call)
    return {path: names[0] if names else bare[3] if len(bare) > 3 else ""}


def is_new_worktree(event: Event, folder: str) -> bool:
    """Whether the same text makes the folder a work tree of this repository."""
    path = action_events.relative_path(event, folder) + "/"
    calls = [
        call for call in action_events.parsed_command(event).calls if call.program == "git" and "worktree" in call.argv
    ]
    return any(path.startswith(new + "/") for call in calls for new in added_worktree(event, call))


def _branch_after(call: Call, event: Event) -> str | None:
    """The branch that a call checks out; "" where it checks out none, None where that is not known."""
    bare, flags = words_and_flags("git", call.argv[1:])
    sub = bare[0] if bare else ""
    if sub == "branch" and any(flag in ("-m", "-M", "--move") for flag in flags) and len(bare) == 2:
        return bare[1]
    if sub == "stash" and bare[1:2] == ["branch"]:
        return "".join(bare[2:3])
    if sub not in MAKING_FLAGS:
        if sub == "rebase" and len(bare) > 2:
            return bare[2] if "$" not in bare[2] else None
        return None if sub == "bisect" and len(bare) > 1 else ""
    names = created_branches(call)
    if names:
        return names[0] if "$" not in names[0] else None
    target = bare[1] if len(bare) > 1 else ""
    files = len(bare) > 2 or "--" in call.argv[:-1]
    if sub == "checkout" and (files or not target or (call.argv[-1] != "--" and _is_file(target, event))):
        return ""
    if target in ("HEAD", "@"):
        return ""
    if target == "-" or "$" in target or any(flag in ("--detach", "-d") for flag in flags) or not target:
        return None
    tracks = any(flag in ("-t", "--track") for flag in flags)
    return target.partition("/")[2] if tracks and "/" in target else target


def _is_file(name: str, event: Event) -> bool:
    """Whether what is checked out is a file, by the disk or by the look of its name."""
    world = event.world
    if world and world.exists(name):
        return True
    ending = name.rpartition("/")[2].rpartition(".")[2]
    return name in (".", "..") or (not world and "." in name and ending.isalpha() and ending != name)
