"""What git does to files of the work tree: it deletes, moves and takes them from a commit."""

from rulec.runtime.call import join
from rulec.runtime.carriers import options
from rulec.runtime.effect import Effect, copied, operands, values
from rulec.runtime.match import operands as split

HEADS = ("HEAD", "@")
MAKING = ("-b", "-B", "--orphan", "-d", "--detach", "-t", "--track")  # then it is a branch that is checked out


def done(argv: "list[str]") -> "list[Effect]":
    """The paths that one git command writes or deletes."""
    at = options(argv, 1, ["-C", "-c", "--git-dir", "--work-tree", "--namespace"])
    verb, rest = "".join(argv[at : at + 1]), argv[at:]
    folder = "".join(values(argv[:at], ("-C",))[:1])
    found: "list[Effect]" = []
    if verb == "rm":
        found = [Effect(path, delete=True) for path in operands(rest, 1, "")]
    elif verb == "mv":
        found = copied("mv", rest)
    elif verb == "checkout":
        found = _checked_out(rest)
    elif verb == "restore":
        found = _restored(rest)
    elif verb in ("diff", "log", "show", "archive"):
        found = [Effect(path) for path in values(rest, ("--output", "-o") if verb == "archive" else ("--output",))]
    for effect in found:
        effect.path = join(folder, effect.path) if folder else effect.path
        effect.folder = join(folder, effect.folder) if folder and effect.folder else effect.folder
    return found


def _checked_out(rest: "list[str]") -> "list[Effect]":
    words, flags = split("git", rest)
    names = {flag.partition("=")[0] for flag in flags}
    if not names.isdisjoint(MAKING):
        return []
    if "--" in rest:
        paths = rest[rest.index("--") + 1 :]
        source = "".join(words[1 : len(words) - len(paths)][:1])
        return _taken(paths, source)
    paths = words[1:]
    if len(paths) > 1:  # only the disk tells whether the first is a commit or one file more
        return _taken(paths[1:], paths[0])
    return _taken(paths, "")  # of a merge under way a side, which the merge brings by itself


def _restored(rest: "list[str]") -> "list[Effect]":
    words, flags = split("git", rest)
    names = {flag.partition("=")[0] for flag in flags}
    letters = "".join(name for name in names if not name.startswith("--"))
    staged, worktree = "--staged" in names or "S" in letters, "--worktree" in names or "W" in letters
    if staged and not worktree:
        return []
    sources = [flag.partition("=")[2] for flag in flags if _gives_source(flag.partition("=")[0])]
    return _taken(words[1:], "".join(sources[-1:]))


def _gives_source(name: str) -> bool:
    return name == "--source" or (not name.startswith("--") and name.endswith("s"))


def _taken(paths: "list[str]", source: str) -> "list[Effect]":
    """Files that become what a commit, or without one the index, has of them."""
    found = [Effect(path) for path in paths]
    for effect in found:
        effect.below, effect.undoes = True, source in ("", *HEADS)
        effect.source = "" if effect.undoes else source
    return found
