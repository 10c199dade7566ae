"""Branches that a git command makes, and those that it pushes to."""

from .call import Call
from .match import operands

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

MAKING = {"checkout": ("-b", "-B", "--orphan"), "switch": ("-c", "-C", "--create", "--force-create", "--orphan")}
MOVING = ("-m", "-M", "-c", "-C", "--move", "--copy")
# Modes of `git branch` that make no branch: they list, delete or change one that is there.
OTHERWISE = frozenset(
    ["-d", "-D", "--delete", "-l", "--list", "-a", "--all", "-r", "--remotes", "-v", "-vv", "--verbose", "-u"]
)
ABOUT = ("--set-up", "--unset-up", "--edit", "--show", "--cont", "--no-c", "--merged", "--no-m", "--points", "--sort")
EVERYTHING = ("--all", "--mirror", "--branches")


def created(call: Call) -> "list[str]":
    """The names of new branches."""
    if call.program != "git":
        return []
    bare, flags = operands("git", call.argv[1:])
    sub = bare[0] if bare else ""
    if sub in MAKING:
        return [flag.partition("=")[2] for flag in flags if _makes(flag.partition("=")[0], MAKING[sub])]
    if sub == "worktree" and bare[1:2] == ["add"]:
        return [call.argv[at + 1] for at, word in enumerate(call.argv[:-1]) if word in ("-b", "-B")]
    if sub != "branch" or len(bare) == 1:
        return []
    names = [flag.partition("=")[0] for flag in flags]
    if any(name in OTHERWISE or name.startswith(ABOUT) for name in names):
        return []
    return [bare[-1]] if any(name in MOVING for name in names) else [bare[1]]


def _makes(name: str, making: "tuple[str, ...]") -> bool:
    bundled = not name.startswith("--") and any(flag[1] == name[-1] for flag in making if len(flag) == 2)
    return name in making or bundled


def current(event: "dict[str, Any]", calls: "list[Call]", call: Call) -> str:
    """The branch that is checked out when the call runs, as far as that is certain; else ""."""
    world = event.get("world")
    earlier = calls[: calls.index(call)]
    moves = any(one.program == "git" and {"checkout", "switch"} & set(one.argv[1:]) for one in earlier)
    if (
        world is None
        or moves
        or call.cwd
        or call.adrift
        or "-C" in call.argv
        or event.get("cwd", "").startswith(("/", ".."))
    ):
        return ""
    found: str = world.branch()
    return found


def pushes_to(wanted: "list[str]", call: Call, branch: str) -> bool:
    """Whether the call pushes to one of these branches; ``branch`` is the one that is checked out, or ""."""
    bare, flags = operands("git", call.argv[1:])
    if call.program != "git" or bare[:1] != ["push"]:
        return False
    if any(flag.partition("=")[0] in EVERYTHING for flag in flags):
        return True
    refs = bare[2:]
    if "--tags" in flags and not refs:
        return False
    targets = [_target(ref, branch) for ref in refs] if refs else [branch]
    return any(target in wanted for target in targets)


def _target(ref: str, branch: str) -> str:
    name = ref.lstrip("+").rpartition(":")[2].removeprefix("refs/heads/")
    return branch if name in ("HEAD", "@") else name
