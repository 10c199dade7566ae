"""Git commands that would leave the gate out: by flag, by setting, by environment, or below the commands with hooks."""

from .call import join
from .carriers import options, takes_next
from .kept import holds
from .manuals import GLOBALS
from .match import matches

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from .call import Call

KEYS = (  # settings that lead git past its hooks, or past what the gate shows of a change
    "core.hookspath",
    "core.attributesfile",
    "core.bigfilethreshold",
    "include.",
    "includeif.",
    "alias.",
)
STORED_KEYS = (*KEYS, "core.fsmonitor", "core.worktree", "init.templatedir")
SECTIONS = ("core", "alias", "include", "includeif", "init")
ROWS: "list[tuple[str, list[str]]]" = [  # pattern, unless
    ("git --no-verify", [f"git {verb}" for verb in ("grep", "log", "notes", "tag", "show", "help", "rev-list")]),
    ("git commit -n", []),
    *((f"git -c {key}*", []) for key in KEYS),
    *((f"git --config-env={key}*", []) for key in KEYS),
    ("git commit-tree", []),
    ("git update-ref", []),
    ("git fast-import", []),
    ("git hash-object -w", []),
    ("git init --template", []),
    ("git checkout|switch --orphan", []),
]
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
ALWAYS = ("SKIP", "PRE_COMMIT_ALLOW_NO_CONFIG")
RECORDING = (
    "GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_TEMPLATE_DIR", "GIT_EXEC_PATH", "HOME", "XDG_CONFIG_HOME",
    "PYTHONPATH", "PYTHONHOME", "PRE_COMMIT_HOME",
)  # fmt: skip
HIDING = ("--skip-worktree", "--assume-unchanged", "--cacheinfo", "--force-remove", "--index-info")
VALUED_OF_CONFIG = ["-f", "--file", "--blob", "-t", "--type", "--default", "--value", "--comment", "--url"]


def disarms(event: "dict[str, Any]", call: "Call") -> bool:
    """Whether the git command would leave the gate out."""
    plain = lowered(call)
    for pattern, unless in ROWS:
        if matches(pattern, plain) and not any(matches(other, plain) for other in unless):
            return True
    at, verb = _verb(call)
    own = OWN.get(verb)
    if own and own(event, call, call.argv[at + 1 :]):
        return True
    given = call.argv[1:at]
    if any(word.startswith("--exec-path=") for word in given):
        return True
    return verb not in NO_COMMIT and any(word.startswith(("--git-dir", "--work-tree")) for word in given)


def lowered(call: "Call") -> "Call":
    """The command with its settings in small letters: git does not mind their case."""
    argv = [
        word.lower() if word.startswith("--config-env") or (before in ("-c", "--config-env")) else word
        for before, word in zip(["", *call.argv], call.argv)  # noqa: B905 (Python 3.9; the last is left out)
    ]
    return type(call)(argv, call.cwd, call.env, call.via)


def variables(call: "Call", given: "set[str]") -> "list[str]":
    """Those of the variables that would lead this very command past the gate."""
    if call.program == "git":
        records = _verb(call)[1] not in NO_COMMIT
        wanted = [*ALWAYS, *(RECORDING if records else ())]
    elif call.program in ("pre-commit", "gt"):
        records, wanted = True, [*ALWAYS, *(name for name in RECORDING if name.startswith("GIT_"))]
    else:
        return []
    return sorted(name for name in given if name in wanted or (records and name.startswith("GIT_CONFIG")))


def _verb(call: "Call") -> "tuple[int, str]":
    at = options(call.argv, 1, GLOBALS["git"].split())
    return at, call.argv[at] if at < len(call.argv) else ""


def _split(words: "list[str]", valued: "list[str]") -> "tuple[list[str], list[str]]":
    """Flags without their values, and the words that are no flags."""
    flags: "list[str]" = []
    plain: "list[str]" = []
    index = 0
    while index < len(words):
        word = words[index]
        index += 1
        if word == "--":
            return flags, plain + words[index:]
        if word.startswith("-") and len(word) > 1:
            flags.append(word.partition("=")[0])
            index += takes_next(word, valued)
        else:
            plain.append(word)
    return flags, plain


def _config(_: "dict[str, Any]", __: "Call", words: "list[str]") -> bool:
    """``git config`` that sets, and does not read, what the gate rests on."""
    flags, plain = _split(words, VALUED_OF_CONFIG)
    verb = plain[0] if plain else ""
    if any(flag.startswith(("--get", "--li")) or flag == "-l" for flag in flags) or verb in ("get", "list"):
        return False
    if any(flag.startswith("--ed") or flag == "-e" for flag in flags) or verb == "edit":
        return True
    acts = verb in ("set", "unset", "rename-section", "remove-section")
    plain = plain[1:] if acts else plain
    key = plain[0].lower() if plain else ""
    if verb.endswith("-section") or any(flag.startswith(("--rem", "--ren")) for flag in flags):
        return key.partition(".")[0] in SECTIONS
    sets = acts or len(plain) > 1 or any(flag.startswith(("--uns", "--ad", "--rep")) for flag in flags)
    if key == "core.fsmonitor" and plain[1:] in (["true"], ["false"]):
        return False  # git's own, no program
    return sets and key.startswith(STORED_KEYS)


def _symbolic_ref(_: "dict[str, Any]", __: "Call", words: "list[str]") -> bool:
    flags, plain = _split(words, ["-m"])
    return plain[:1] == ["HEAD"] and (len(plain) > 1 or "-d" in flags or "--delete" in flags)


def _replace(_: "dict[str, Any]", __: "Call", words: "list[str]") -> bool:
    flags, plain = _split(words, [])
    return bool((plain or flags) and not {"-l", "--list"} & set(flags))


def _update_index(event: "dict[str, Any]", call: "Call", words: "list[str]") -> bool:
    flags, plain = _split(words, [])
    if not any(full.startswith(flag) for flag in flags for full in HIDING if len(flag) > len("--a")):
        return False
    listed = call.stdin.replace("\t", "\n").split("\n") if {"--index-info", "--stdin"} & set(flags) else []
    return any(holds(event, word.rpartition(",")[2]) for word in [*plain, *listed])


def _bring_back(event: "dict[str, Any]", call: "Call", words: "list[str]") -> bool:
    """The gate's own files put aside, or back to what they once were."""
    flags, plain = _split(words, ["-s", "--source", "-b", "-B", "--orphan", "--conflict", "-m", "--message", "-e"])
    if {"-S", "--staged"} & set(flags) and not {"-W", "--worktree"} & set(flags):
        return False
    return any(holds(event, join(call.cwd, path)) for path in plain)


OWN = {
    "config": _config,
    "symbolic-ref": _symbolic_ref,
    "replace": _replace,
    "update-index": _update_index,
    "checkout": _bring_back,
    "restore": _bring_back,
    "stash": _bring_back,
    "clean": _bring_back,
}
