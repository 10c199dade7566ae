"""What git changes in other checkouts: commands with ``-C`` or ``--work-tree``, or behind a ``cd``."""

from rulec.runtime.call import Call, join
from rulec.runtime.carriers import options

CHANGES = frozenset([
    "add", "am", "apply", "bisect", "checkout", "cherry-pick", "clean", "clone", "commit", "fetch", "gc", "init",
    "merge", "mv", "pull", "push", "rebase", "reset", "restore", "revert", "rm", "stash", "submodule", "switch",
    "update-index", "update-ref", "worktree",
])  # fmt: skip
MAKES = ("branch", "tag", "config", "remote")  # they change something where they are given a name
ASKS = ("list", "show", "--list", "-l", "--get", "-v", "-a", "-r", "--show-current", "--contains", "--merged")
VALUED = ["-C", "-c", "--git-dir", "--work-tree", "--namespace"]


def changed(call: Call) -> str:
    """The other folder whose checkout the command changes, or ""."""
    if call.program != "git":
        return ""
    at = options(call.argv, 1, VALUED)
    verb, rest = call.argv[at : at + 1], call.argv[at + 1 :]
    if not verb or not (verb[0] in CHANGES or (verb[0] in MAKES and rest)) or any(word in ASKS for word in rest[:1]):
        return ""
    folder = call.cwd
    for index, word in enumerate(call.argv[:at]):
        name, _, value = word.partition("=")
        if name in ("-C", "--work-tree"):
            folder = join(folder, value or "".join(call.argv[index + 1 : index + 2]))
    return folder if folder.startswith(("/", "~", "../")) else ""
