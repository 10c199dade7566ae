"""What git does to files of the work tree, and to other checkouts that it is led to."""

from rulec.shell.command_matching import git_subcommand, words_and_flags
from rulec.shell.parsing.call import Call, first_operand, join_path, operands, option_values
from rulec.shell.parsing.wrappers import GIVEN
from rulec.shell.written_paths import FileEffect, copy_effects

HEADS = ("HEAD", "@")
BRANCH_FLAGS = ("-b", "-B", "--orphan", "-d", "--detach", "-t", "--track")  # then it is a branch that is checked out


def effects_of_git(argv: "list[str]") -> "list[FileEffect]":
    """The paths that one git command writes or deletes."""
    at = first_operand(argv, 1, ["-C", "-c", "--git-dir", "--work-tree", "--namespace"])
    verb, rest = "".join(argv[at : at + 1]), argv[at:]
    folder = "".join(option_values(argv[:at], ("-C",))[:1])
    found: list[FileEffect] = []
    if verb == "rm":
        found = [FileEffect(path, delete=True) for path in operands(rest, "")]
    elif verb == "mv":
        found = copy_effects("mv", rest)
    elif verb == "checkout":
        found = _checked_out(rest)
    elif verb == "restore":
        found = _restored(rest)
    elif verb == "clean":
        found = [FileEffect(GIVEN, delete=True)] if removes_untracked(rest) else []
    elif verb in ("diff", "log", "show", "archive"):
        found = [
            FileEffect(path) for path in option_values(rest, ("--output", "-o") if verb == "archive" else ("--output",))
        ]
    for effect in found:
        effect.path = join_path(folder, effect.path) if folder else effect.path
        effect.folder = join_path(folder, effect.folder) if folder and effect.folder else effect.folder
    return found


def _checked_out(rest: "list[str]") -> "list[FileEffect]":
    words, flags = words_and_flags("git", rest)
    names = {flag.partition("=")[0] for flag in flags}
    if not names.isdisjoint(BRANCH_FLAGS):
        return []
    if "--" in rest:
        paths = rest[rest.index("--") + 1 :]
        source = "".join(words[1 : len(words) - len(paths)][:1])
        return _restore_effects(paths, source)
    paths = words[1:]
    if len(paths) > 1:  # only the disk tells whether the first is a commit or one file more
        return _restore_effects(paths[1:], paths[0])
    return _restore_effects(paths, "")  # of a merge under way a side, which the merge brings by itself


def _restored(rest: "list[str]") -> "list[FileEffect]":
    words, flags = words_and_flags("git", rest)
    names = {flag.partition("=")[0] for flag in flags}
    letters = "".join(name for name in names if not name.startswith("--"))
    staged, worktree = "--staged" in names or "S" in letters, "--worktree" in names or "W" in letters
    if staged and not worktree:
        return []
    sources = [flag.partition("=")[2] for flag in flags if _gives_source(flag.partition("=")[0])]
    return _restore_effects(words[1:], "".join(sources[-1:]))


def removes_untracked(rest: "list[str]") -> bool:
    """Whether ``git clean`` removes anything: with -f, and not where it only says what it would do."""
    letters = "".join(word[1:] for word in rest if word[:1] == "-" and word[1:2] != "-")
    forced = "f" in letters or "--force" in rest
    return forced and not ("n" in letters or "i" in letters or "--dry-run" in rest or "--interactive" in rest)


def _gives_source(name: str) -> bool:
    return name == "--source" or (not name.startswith("--") and name.endswith("s"))


def _restore_effects(paths: "list[str]", source: str) -> "list[FileEffect]":
    """The files that are overwritten from a commit, or from the index where no commit is named."""
    found = [FileEffect(path) for path in paths]
    for effect in found:
        effect.below, effect.undoes = True, source in ("", *HEADS)
        effect.source = "" if effect.undoes else source
    return found


CHANGING_VERBS = frozenset([
    "add", "am", "apply", "bisect", "checkout", "cherry-pick", "clean", "clone", "commit", "fetch", "gc", "init",
    "merge", "mv", "pull", "push", "rebase", "reset", "restore", "revert", "rm", "stash", "submodule", "switch",
    "update-index", "update-ref", "worktree",
])  # fmt: skip
NAMING_VERBS = ("branch", "tag", "config", "remote")  # they change something where they are given a name
LISTING_WORDS = ("list", "show", "--list", "-l", "--get", "-v", "-a", "-r", "--show-current", "--contains", "--merged")


def changed_checkout(call: Call) -> str:
    """The other folder whose checkout the command changes, or ""."""
    if call.program != "git":
        return ""
    at, verb = git_subcommand(call.argv)
    rest = call.argv[at + 1 :]
    if not (verb in CHANGING_VERBS or (verb in NAMING_VERBS and rest)) or any(
        word in LISTING_WORDS for word in rest[:1]
    ):
        return ""
    folder = call.cwd
    for index, word in enumerate(call.argv[:at]):
        name, _, value = word.partition("=")
        if name in ("-C", "--work-tree"):
            folder = join_path(folder, value or "".join(call.argv[index + 1 : index + 2]))
    return folder if folder.startswith(("/", "~", "../")) else ""
