"""Git commands that would bypass the gate: by flag, by setting, or by plumbing that runs no hooks."""

from __future__ import annotations

from rulec.protect.guarded_files import is_protected
from rulec.shell.command_matching import git_subcommand, matches
from rulec.shell.parsing.call import join_path, takes_value
from rulec.shell.programs import WORDS, valued_options

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from rulec.shell.parsing.call import Call


LEADING_KEYS = (  # settings that lead git past its hooks, or past what the gate shows of a change
    "core.hookspath",
    "core.attributesfile",
    "core.bigfilethreshold",
    "include.",
    "includeif.",
    "alias.",
    "hook.",
)
STORED_KEYS = (*LEADING_KEYS, "core.fsmonitor", "core.worktree", "init.templatedir", "merge.rulec")
SECTIONS = ("core", "alias", "include", "includeif", "init")
GIT_PATTERNS: list[tuple[str, list[str]]] = [  # pattern, unless
    ("git --no-verify", [f"git {verb}" for verb in ("grep", "log", "notes", "tag", "show", "help", "rev-list")]),
    ("git commit -n", []),
    *((f"git -c {key}*", []) for key in LEADING_KEYS),
    *((f"git --config-env={key}*", []) for key in LEADING_KEYS),
    ("git commit-tree", []),
    ("git update-ref", []),
    ("git fast-import", []),
    ("git hash-object -w", []),
    ("git init --template", []),
    ("git checkout|switch --orphan", []),
]
CI_SKIP_MARKS = (
    "[skip ci]",
    "[ci skip]",
    "[no ci]",
    "[skip actions]",
    "[actions skip]",
    "skip-checks: true",
    "skip-checks:true",
)
SERVER, SHARED_SERVER = ".github/workflows/rules.yml", ".gitlab-ci.yml"  # where the gate stands on the server
HIDING = ("--skip-worktree", "--assume-unchanged", "--cacheinfo", "--force-remove", "--index-info")


def git_disarms(event: dict[str, Any], call: Call) -> bool:
    """Whether the git command would bypass the gate."""
    plain = with_settings_lowered(call)
    for pattern, unless in GIT_PATTERNS:
        if matches(pattern, plain) and not any(matches(other, plain) for other in unless):
            return True
    at, name = git_subcommand(call.argv)
    own = CHECKS_BY_VERB.get(name)
    if own and own(event, call, call.argv[at + 1 :]):
        return True
    given = call.argv[1:at]
    if any(word.startswith("--exec-path=") for word in given) or any(_names_program(word) for word in given):
        return True
    records = name not in WORDS["git_recording_nothing"]
    return records and any(word.startswith(("--git-dir", "--work-tree")) for word in given)


def with_settings_lowered(call: Call) -> Call:
    """The command with the names of its settings in lower case, which git does not distinguish."""
    argv = [
        word.lower() if word.startswith("--config-env") or (before in ("-c", "--config-env")) else word
        for before, word in zip(["", *call.argv], call.argv, strict=False)
    ]
    return type(call)(argv, call.cwd, call.env, call.via)


def _split(words: list[str], valued: list[str]) -> tuple[list[str], list[str]]:
    """Flags without their values, and the words that are no flags."""
    flags: list[str] = []
    plain: list[str] = []
    index = 0
    while index < len(words):
        word = words[index]
        index += 1
        if word == "--":
            return flags, plain + words[index:]
        if word.startswith("-") and len(word) > 1:
            flags.append(word.partition("=")[0])
            index += takes_value(word, valued)
        else:
            plain.append(word)
    return flags, plain


def _config(_: dict[str, Any], __: Call, words: list[str]) -> bool:
    """``git config`` that sets what the gate rests on, and does not only read it."""
    flags, plain = _split(words, valued_options("git config"))
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
    if key.startswith("alias.") and len(plain) == 2:
        return False  # what it stands for is judged as if it were run
    if key == "core.fsmonitor" and plain[1:] in (["true"], ["false"]):
        return False  # git's own, no program
    return sets and key.startswith(STORED_KEYS)


def _names_program(word: str) -> bool:
    """Whether ``-c KEY=VALUE`` names a program that git would run."""
    key, _, value = word.lower().partition("=")
    return key == "core.fsmonitor" and value not in ("", "true", "false", "0", "1")


def _commit(event: dict[str, Any], call: Call, words: list[str]) -> bool:
    """A commit whose message makes CI skip it."""
    text = "\n".join([*words, call.stdin]).lower()
    if not any(mark in text for mark in CI_SKIP_MARKS):
        return False
    world = event.get("world")
    return bool(world.exists(SERVER) or "rulec" in (world.read(SHARED_SERVER) or "")) if world else False


def _push(event: dict[str, Any], _: Call, words: list[str]) -> bool:
    """A push that asks GitLab, where the gate stands there, to skip its checks."""
    world = event.get("world")
    if world and "rulec" not in (world.read(SHARED_SERVER) or ""):
        return False
    return any("ci.skip" in word and word.startswith(("ci.skip", "-o", "--push-option=")) for word in words)


def _read_tree(event: dict[str, Any], _: Call, words: list[str]) -> bool:
    """``git read-tree`` of anything but HEAD, which would replace the staged rulebook."""
    plain = [word for word in words if not word.startswith("-")]
    own = not any(word.startswith(("--prefix", "--help", "-h", "--index-output")) for word in words)
    return bool(event) and own and ("--empty" in words or any(word not in ("HEAD", "@") for word in plain))


def _sparse(event: dict[str, Any], _: Call, words: list[str]) -> bool:
    """A sparse checkout that removes the rulebook from the work tree."""
    if words[:1] not in (["set"], ["add"]) or "--cone" in words:
        return False
    plain = [word for word in words[1:] if not word.startswith("-")]
    hides = any(word.startswith("!") and is_protected(event, word[1:].strip("/")) for word in plain)
    return hides or (
        words[0] == "set" and "--no-cone" not in words and not any(word.strip("/") == ".rules" for word in plain)
    )


def _notes(_: dict[str, Any], __: Call, words: list[str]) -> bool:
    """Notes written to refs/heads."""
    return any(word.startswith("--ref") and "heads" in " ".join(words[at : at + 2]) for at, word in enumerate(words))


def _symbolic_ref(_: dict[str, Any], __: Call, words: list[str]) -> bool:
    flags, plain = _split(words, ["-m"])
    return plain[:1] == ["HEAD"] and (len(plain) > 1 or "-d" in flags or "--delete" in flags)


def _replace(_: dict[str, Any], __: Call, words: list[str]) -> bool:
    flags, plain = _split(words, [])
    return bool((plain or flags) and not {"-l", "--list"} & set(flags))


def _update_index(event: dict[str, Any], call: Call, words: list[str]) -> bool:
    flags, plain = _split(words, [])
    if not any(full.startswith(flag) for flag in flags for full in HIDING if len(flag) > len("--a")):
        return False
    listed = call.stdin.replace("\t", "\n").split("\n") if {"--index-info", "--stdin"} & set(flags) else []
    return any(is_protected(event, word.rpartition(",")[2]) for word in [*plain, *listed])


def _bring_back(event: dict[str, Any], call: Call, words: list[str]) -> bool:
    """The gate's files stashed, removed, or restored from an old commit."""
    flags, plain = _split(words, ["-s", "--source", "-b", "-B", "--orphan", "--conflict", "-m", "--message", "-e"])
    if {"-S", "--staged"} & set(flags) and not {"-W", "--worktree"} & set(flags):
        return False
    return any(is_protected(event, join_path(call.cwd, path)) for path in plain)


CHECKS_BY_VERB = {
    "config": _config,
    "symbolic-ref": _symbolic_ref,
    "replace": _replace,
    "update-index": _update_index,
    "checkout": _bring_back,
    "restore": _bring_back,
    "stash": _bring_back,
    "clean": _bring_back,
    "rm": _bring_back,
    "commit": _commit,
    "push": _push,
    "read-tree": _read_tree,
    "sparse-checkout": _sparse,
    "notes": _notes,
}
