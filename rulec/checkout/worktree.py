"""The work tree on this disk: its root, its git directory, what exists, where links lead, and which rulebooks hold."""

from __future__ import annotations

import itertools
import os
import stat

from rulec.checkout.rules_layout import COMPILED, CONFIG, GUARD, KINDS, LAUNCHER, personal_rulebook_path


def personal_rulebook(root: str) -> str:
    """The folder of the person's own rulebook, "" where there is none or it is this repository."""
    home = personal_rulebook_path()
    return home if home != root and os.path.isdir(os.path.join(home, GUARD)) else ""


def has_commit_checks(root: str) -> bool:
    """Whether there are compiled checks for other gates; where there are none, no gate is in use yet."""
    for kind in KINDS:
        try:
            if os.listdir(os.path.join(root, COMPILED, kind)):
                return True
        except OSError:
            continue
    return False


def guard_stamp(root: str) -> str:
    """A text that changes when a compiled guard is added, removed or replaced; "" where there are none."""
    try:
        seen = os.stat(os.path.join(root, GUARD))
    except OSError:
        return ""
    return f"{seen.st_mtime_ns}.{seen.st_ctime_ns}.{seen.st_ino}.{seen.st_size}"


RULES = os.path.join(".rules", "compiled")
SIGNS = (CONFIG, LAUNCHER, os.path.join(RULES, "guard"), os.path.join(RULES, "words"))  # of a rulebook
HEADS = "ref: refs/heads/"
PLANS = "plans"  # the folder of plans in the folder of local state
LONGEST_SESSION = 100  # characters of a session's name in a file's
MOST_PATHS = 200  # that one pattern of a shell names
MOST_SCANNED = 5_000  # names of a folder, until a pattern is not looked up
LARGEST_FILE = 4_000_000  # bytes of a file that text rules look at


class FilePlace:
    """A file's names, and the work tree of its repository that it lies in.

    ``within`` is the folder of the submodule or clone that it lies in, ``inside`` its name from the work tree asked.
    """

    __slots__ = ("also", "inside", "path", "root", "within", "world")

    def __init__(self, path: str, also: tuple[str, ...], world: Worktree, within: str, inside: str) -> None:
        self.path, self.also, self.world, self.root = path, also, world, world.root
        self.within, self.inside = within, inside


class Worktree:
    """One repository on this disk."""

    __slots__ = ("_emptied", "_places", "_top", "real", "root")

    def __init__(self, root: str) -> None:
        self.root = root
        self.real = os.path.realpath(root)
        self._top: str | None = None
        self._emptied: dict[str, bool] = {}  # repositories within: whether this one tracks no files in them
        self._places: dict[str, FilePlace] = {}

    @property
    def top(self) -> str:
        """The root of git's work tree, in which a rulebook may lie further down; "" where there is no git."""
        if self._top is None:
            self._top = tree_top(self.root)
        return self._top

    def exists(self, path: str) -> bool:
        """Whether the path, relative to the root, exists."""
        return os.path.lexists(self.absolute(path))

    def place_of(self, path: str) -> FilePlace:
        """A file's names, and the work tree of this repository that it lies in; once for each path."""
        if path not in self._places:
            tree, folder = self.tree_of(path), self.nested_top(path)
            self._places[path] = FilePlace(self.name_of(path), self.also(path), tree, folder, path if folder else "")
        return self._places[path]

    def also(self, path: str) -> tuple[str, ...]:
        """Other names of the same file: as it is called from here, and with links resolved."""
        try:
            whole = self.absolute(path)
            folder = os.path.realpath(os.path.dirname(whole))
            real = [os.path.realpath(whole), os.path.join(folder, os.path.basename(whole))]
            names = [path] if path.startswith(("/", "~", "../")) else []
            names += [self.name_of(self.relative(one)) for one in real]
            own = self.name_of(path)
            return tuple(name for name in dict.fromkeys(names) if name and name != own)
        except (OSError, ValueError):
            return ()

    def name_of(self, path: str) -> str:
        """The path as rules name it: from the root of the work tree of this repository that it lies in.

        A file of another repository within this one has its absolute path: rules of this one do not speak of it.
        """
        whole = self.absolute(path)
        if self.nested_top(path):
            return whole
        other = self.tree_of(path)
        return path if other is self else other.relative(whole)

    def tree_of(self, path: str) -> Worktree:
        """The work tree of this repository that a path lies in; this one where it lies in none."""
        return self.tree_at(os.path.dirname(self.absolute(path)))

    def tree_at(self, folder: str) -> Worktree:
        """The work tree of this repository that holds an absolute folder; this one where none does."""
        top = tree_top(folder)
        if top in ("", self.top) or not is_same_repository(self.top, top):
            return self
        return self if os.path.realpath(top) == os.path.realpath(self.top) else Worktree(_same_folder(self, top))

    def nested_top(self, path: str) -> str:
        """The folder of the submodule or clone within this work tree that a path lies in; "" where it lies in none.

        A repository that was begun among files which this work tree tracks has not taken them away from it.
        """
        whole = self.absolute(path)
        inside = self.relative(whole)
        if inside.startswith(("/", "~", ".git/")) or inside in ("", ".git"):
            return ""
        top = tree_top(os.path.dirname(whole))
        folder = self.relative(top) if top not in ("", self.top) else ""
        if not folder or folder.startswith(("/", "~")) or is_same_repository(self.top, top):
            return ""
        if folder not in self._emptied:
            from rulec.checkout import git_call  # noqa: PLC0415 (it needs subprocess, and few paths lie in one)

            tracked = git_call.git_text(self.root, ["ls-files", "-z", "--", f":(literal){folder}"])
            self._emptied[folder] = not any(name.startswith(f"{folder}/") for name in tracked.split("\0"))
        return folder if self._emptied[folder] else ""

    def other_root(self, path: str) -> str:
        """The root of the work tree of this repository that an absolute path lies in; "" where it is in none."""
        top = tree_top(os.path.dirname(path))
        return top if top and is_same_repository(self.root, top) else ""

    def absolute(self, path: str) -> str:
        """The path on this disk."""
        return os.path.normpath(os.path.join(self.root, os.path.expanduser(path) if path.startswith("~") else path))

    def relative(self, path: str) -> str:
        """The path from the root, with forward slashes; absolute where it lies outside."""
        for root in (self.root, self.real):
            if path == root:
                return ""
            if path.startswith(root.rstrip("/") + "/"):
                return path[len(root.rstrip("/")) + 1 :]
        common = self._common() if ".git" in path else ""
        return ".git" + path[len(common) :] if common and path.startswith(common + "/") else path

    def _common(self) -> str:
        """The git directory that a linked work tree shares with others; "" in the main work tree."""
        if os.path.isdir(os.path.join(self.root, ".git")):
            return ""
        folder = git_directory(self.root)
        common = common_directory(self.root)
        return os.path.realpath(common) if common != folder else ""

    def paths_of(self, pattern: str) -> list[str]:
        """The paths that a shell's pattern names in one folder of the repository, [] where it names none.

        [] also where it names them in several folders, outside, or more of them than a command is judged for.
        """
        import fnmatch  # noqa: PLC0415 (few commands name files by a pattern)

        folder, slash, name = pattern.rpartition("/")
        if pattern.startswith(("/", "~", "../")) or any(sign in folder for sign in "*?["):
            return []
        try:
            with os.scandir(self.absolute(folder)) as entries:
                there = [entry.name for entry in itertools.islice(entries, MOST_SCANNED)]
        except (OSError, ValueError):
            return []
        seen = [one for one in there if name.startswith(".") or not one.startswith(".")]
        found = sorted(fnmatch.filter(seen, name)) if len(there) < MOST_SCANNED else []
        return [f"{folder}{slash}{one}" for one in found] if len(found) <= MOST_PATHS else []

    def files_below(self, folder: str) -> list[str]:
        """The files below a folder as seen from it; [] where there are more of them than a command is judged for.

        Not those of git's own folder.
        """
        top, found = self.absolute(folder), []
        for place, folders, names in os.walk(top):
            folders[:] = [name for name in folders if name != ".git"]
            inside = os.path.relpath(place, top)
            found += [name if inside == "." else f"{inside}/{name}" for name in names]
            if len(found) > MOST_SCANNED:
                return []
        return sorted(found)

    def is_folder(self, path: str) -> bool:
        """Whether there is a folder of this name."""
        try:
            return os.path.isdir(self.absolute(path))
        except (OSError, ValueError):
            return False

    def branch(self, folder: str = "") -> str:
        """The branch that is checked out here, or in the folder's work tree; "" where that is not known."""
        return branch_of(git_directory(tree_top(self.absolute(folder)) if folder else self.root))

    def read(self, path: str) -> str | None:
        """The text of a plain file that is not too large."""
        try:
            whole = self.absolute(path)
            if not os.path.isfile(whole) or os.path.getsize(whole) > LARGEST_FILE:
                return None
            with open(whole, encoding="utf-8", errors="replace", newline="") as file:
                return file.read()
        except (OSError, ValueError):
            return None


def branch_of(directory: str) -> str:
    """The branch that a git directory says is checked out; "" where that is not known."""
    try:
        with open(os.path.join(directory or os.devnull, "HEAD"), encoding="utf-8", opener=open_regular) as file:
            name = file.read(4096).strip()
    except (OSError, ValueError):
        return ""
    return name[len(HEADS) :] if name.startswith(HEADS) else ""


def open_regular(path: str, flags: int) -> int:
    """Open a regular file, for ``open(opener=...)``; OSError for a pipe, which would block the reader."""
    handle = os.open(path, flags | os.O_NONBLOCK)
    if not stat.S_ISREG(os.fstat(handle).st_mode):
        os.close(handle)
        raise OSError("is no regular file")
    return handle


def find_root(here: str, candidates: list[str]) -> str:
    """The nearest folder with rules at or above ``here``, else at or above a candidate; "" for none.

    Git is not asked: it refuses a folder of another owner. A work tree without a rulebook on its disk may have one in
    its commits.
    """
    for start in [here, *candidates]:
        folder = os.path.abspath(start) if start else ""
        while folder:
            if any(os.path.exists(os.path.join(folder, name)) for name in SIGNS):
                return folder
            above = os.path.dirname(folder)
            folder = above if above != folder else ""
    starts = [os.path.abspath(start) for start in (here, *candidates) if start]
    return next(filter(None, map(tree_top, starts)), "")


def judging_root(own: str, cwd: str) -> str:
    """The work tree whose rules judge: the one that the agent works in, if it is of the same repository as ``own``."""
    top = tree_top(resolved(cwd)) if cwd else ""
    if not top or not is_same_repository(own, top) or is_bare(top):
        return own
    world = Worktree(own)
    return own if os.path.realpath(world.top) == top else _same_folder(world, top)


def _same_folder(world: Worktree, top: str) -> str:
    """The folder of another work tree that stands where this one's root does."""
    inside = os.path.relpath(world.root, world.top)
    return os.path.normpath(os.path.join(top, inside))


def resolved(path: str) -> str:
    """The path with its links resolved; as it is where it holds what no path can."""
    try:
        return os.path.realpath(path)
    except (OSError, ValueError):
        return path


def tree_top(folder: str) -> str:
    """The root of the work tree that holds a folder, whoever owns it; "" where none does."""
    while folder and not _is_tree_root(folder):
        above = os.path.dirname(folder)
        folder = above if above != folder else ""
    return folder


def _is_tree_root(folder: str) -> bool:
    if not os.path.lexists(os.path.join(folder, ".git")):
        return False
    directory = git_directory(folder)
    return bool(directory) and os.path.lexists(os.path.join(directory, "HEAD"))


def is_same_repository(root: str, other: str) -> bool:
    """Whether two folders lie in work trees of one repository, by what its git directory says of its work trees.

    A file ``.git`` that leads there is not enough: anybody could put one beside rules of their own.
    """
    trees = [tree_top(root), tree_top(other)]
    own, theirs = (os.path.realpath(common_directory(tree)) if tree else "" for tree in trees)
    return bool(own) and own == theirs and all(_is_known_tree(tree, own) for tree in trees)


def _is_known_tree(tree: str, common: str) -> bool:
    """Whether the repository's git directory lists the work tree, or has it as its main one."""
    directory = git_directory(tree)
    if os.path.realpath(directory) == common:
        own = os.path.basename(common) != ".git" or os.path.dirname(common) == os.path.realpath(tree)
        return own or os.path.isdir(os.path.join(tree, ".git"))
    place = os.path.join(tree, ".git")
    try:
        with open(os.path.join(directory, "gitdir"), encoding="utf-8", opener=open_regular) as file:
            known = file.read(4096).strip()
    except (OSError, ValueError):
        return False
    return os.path.realpath(os.path.join(directory, known)) == os.path.realpath(place)


def is_bare(top: str) -> bool:
    """Whether the file ``.git`` at a root leads to a bare repository: its work trees lie elsewhere, mostly below."""
    directory = git_directory(top)
    if os.path.isdir(os.path.join(top, ".git")) or os.path.basename(os.path.dirname(directory)) == "worktrees":
        return False
    try:
        with open(os.path.join(directory, "config"), encoding="utf-8", opener=open_regular) as file:
            return any(line.split() == ["bare", "=", "true"] for line in file)
    except (OSError, ValueError):
        return False


def has_linked_trees(root: str) -> bool:
    """Whether the repository has work trees beside its main one."""
    return os.path.isdir(os.path.join(common_directory(root) or os.devnull, "worktrees"))


def git_directory(root: str) -> str:
    """The repository's git directory, also of a linked work tree; "" where there is none."""
    place = os.path.join(root, ".git") if root else os.devnull
    if os.path.isdir(place):
        return place
    try:
        with open(place, encoding="utf-8", opener=open_regular) as file:
            line = file.read(4096)
    except (OSError, ValueError):
        return ""
    folder = os.path.join(root, line[len("gitdir:") :].strip())
    return folder if line.startswith("gitdir:") and os.path.isdir(folder) else ""


def state_directory(root: str) -> str:
    """The folder of local state in the git directory, where no commit puts a file; unusable where there is no git."""
    return os.path.join(git_directory(root) or os.devnull, "rulec")


def shared_state_directory(root: str) -> str:
    """The folder of local state that all linked work trees share."""
    return os.path.join(common_directory(root) or os.devnull, "rulec")


def plan_file(root: str, session: str) -> str:
    """The file of what is known of a session's plan."""
    return os.path.join(state_directory(root), PLANS, f"{file_name_of(session)}.json")


def file_name_of(session: str) -> str:
    """A session's id as the name of a file; signs that no such name should have are replaced."""
    return "".join(sign if sign.isalnum() or sign in "-_" else "_" for sign in session)[:LONGEST_SESSION] or "_"


def common_directory(root: str) -> str:
    """The git directory that all linked work trees share; "" where there is none."""
    folder = git_directory(root)
    above = os.path.dirname(folder)
    return os.path.dirname(above) if os.path.basename(above) == "worktrees" else folder
