"""Variables that lead git, or what its hooks run on, past the gate."""

import re

from . import events
from .carriers import options
from .manuals import GLOBALS
from .paths import relative

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from .call import Call

ALWAYS = ("SKIP", "PRE_COMMIT_ALLOW_NO_CONFIG", "PREK_SKIP", "PREK_ALLOW_NO_CONFIG", "RULEC_BELOW_MODEL")
_LEFTHOOK = tuple(f"{dot}lefthook.{end}" for dot in ("", ".") for end in ("yml", "yaml", "toml", "json", "jsonc"))
OTHER_TOOLS: "dict[str, tuple[tuple[str, ...], tuple[str, ...]]]" = {
    # variables of other keepers of hooks -> where these stand, and the values that change nothing
    "HUSKY": ((".husky",), ("1", "2")),
    "HUSKY_SKIP_HOOKS": ((".husky",), ("0",)),
    "LEFTHOOK": (_LEFTHOOK, ("1", "true")),
    **dict.fromkeys(("LEFTHOOK_EXCLUDE", "LEFTHOOK_BIN", "LEFTHOOK_CONFIG"), (_LEFTHOOK, ())),
    "OVERCOMMIT_DISABLE": ((".overcommit.yml",), ("0",)),
    "SKIP_SIMPLE_GIT_HOOKS": ((".simple-git-hooks.json", "simple-git-hooks.json", ".simple-git-hooks.js"), ("0",)),
}
RECORDING = (
    "GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_COMMON_DIR", "GIT_OBJECT_DIRECTORY", "GIT_NAMESPACE",
    "GIT_ALTERNATE_OBJECT_DIRECTORIES", "GIT_TEMPLATE_DIR", "GIT_EXEC_PATH", "HOME", "XDG_CONFIG_HOME", "PYTHONPATH",
    "PYTHONHOME", "PYTHONSTARTUP", "PYTHONUSERBASE", "PYTHONSAFEPATH", "PRE_COMMIT_HOME", "LD_PRELOAD",
    "LD_LIBRARY_PATH", "DYLD_INSERT_LIBRARIES", "BASH_ENV", "ENV",
)  # fmt: skip
AGENTS = {"claude": ("CLAUDE_CONFIG_DIR", "HOME"), "codex": ("CODEX_HOME", "HOME"), "gemini": ("HOME",)}
NO_COMMIT = frozenset(  # what git does on its own that ends in no commit and no push; an alias may be anything
    [
        "status", "log", "diff", "show", "grep", "blame", "ls-files", "ls-tree", "ls-remote", "rev-parse", "rev-list",
        "cat-file", "describe", "shortlog", "reflog", "branch", "tag", "remote", "fetch", "clone", "init", "config",
        "help", "version", "archive", "stash", "worktree", "for-each-ref", "merge-base", "add", "rm", "mv", "reset",
        "restore", "checkout", "switch", "clean", "submodule", "bisect", "apply", "write-tree", "read-tree",
        "diff-tree", "diff-index", "diff-files", "fsck", "gc", "check-ignore", "check-attr", "var", "show-ref",
        "notes", "name-rev", "sparse-checkout", "maintenance", "format-patch", "range-diff", "cherry", "hash-object",
        "count-objects",
    ]
)  # fmt: skip
PATHS = r"(?:^|[\s;&|(\"'])PATH=(?:\"([^\"\n]*)\"|'([^'\n]*)'|([^\s;&|)]*))"
SHARED = ("/tmp/", "/var/tmp/", "/dev/shm/")  # noqa: S108 (named, not used)
STAND_INS = ("git", "sh", "bash", "env", "rulec", "pre-commit", "python3")


def verb(call: "Call") -> "tuple[int, str]":
    """Where git's subcommand stands, and which it is."""
    at = options(call.argv, 1, GLOBALS["git"].split())
    return at, call.argv[at] if at < len(call.argv) else ""


def variables(event: "dict[str, Any]", call: "Call", given: "set[str]") -> "list[str]":
    """Those of the variables that would lead this very command past the gate."""
    if call.program == "git":
        records = verb(call)[1] not in NO_COMMIT
        if verb(call)[1] == "init" and "GIT_TEMPLATE_DIR" in given:
            return ["GIT_TEMPLATE_DIR"]
        wanted = [*ALWAYS, *(RECORDING if records else ())]
    elif call.program in ("pre-commit", "prek", "gt"):
        records, wanted = True, [*ALWAYS, *(name for name in RECORDING if name.startswith("GIT_"))]
    else:
        return [name for name in AGENTS.get(call.program, ()) if name in given]
    found = sorted(name for name in given if name in wanted or (records and name.startswith("GIT_CONFIG")))
    found += [name for name in OTHER_TOOLS if records and name in given and _quiets(event, name)]
    return found or (["PATH"] if records and _stands_in(event) else [])


def _quiets(event: "dict[str, Any]", name: str) -> bool:
    """Whether the variable would keep a tool from running the hooks that stand here."""
    world = event.get("world")
    places, harmless = OTHER_TOOLS[name]
    if not world or not any(world.exists(place) for place in places):
        return False
    values = re.findall(rf"\b{name}=[\"']?(\w*)", str(event.get("command") or ""))
    return not values or any(value not in harmless for value in values)


def _stands_in(event: "dict[str, Any]") -> bool:
    """Whether PATH leads to a folder with a program in the place of one that the gate rests on."""
    text = str(event.get("command") or "")
    if "PATH=" not in text:
        return False
    return any(_misleads(event, folder) for found in re.findall(PATHS, text) for folder in "".join(found).split(":"))


def _misleads(event: "dict[str, Any]", folder: str) -> bool:
    folder = folder.replace("${", "$").replace("}", "").removeprefix("$PWD/").rstrip("/")
    if not folder or folder.startswith("$") or folder.endswith("node_modules/.bin"):
        return False
    if folder == ".":
        return True
    world = event.get("world")
    place = relative(event, folder)
    near = not place.startswith(("/", "~")) or place.startswith(SHARED)
    if any(join in (place, folder) for join in (effect.path.rpartition("/")[0] for effect in events.touched(event))):
        return True
    above = place.rpartition("/")[0]
    if not world or not near or any(world.exists(above + name) for name in ("/pyvenv.cfg", "/conda-meta")):
        return False
    return any(world.exists(place + "/" + name) for name in STAND_INS)
