"""The work tree on this disk: its root, its git directory, what exists, where links lead, and which rulebooks hold."""

import os
import stat

from rulec.checkout.rules_layout import COMPILED, GUARD, KINDS, personal_rulebook_path


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
HOOK_FOLDER = "/.rules/compiled"
ARTIFACTS = ("guard", "words", "hook.py")  # a folder without any of them is no rulebook
HEADS = "ref: refs/heads/"
PLANS = "plans"  # the folder of plans in the folder of local state
LONGEST_SESSION = 100  # characters of a session's name in a file's
LARGEST_FILE = 4_000_000  # bytes of a file that text rules look at


class Worktree:
    """One repository on this disk."""

    __slots__ = ("real", "root")

    def __init__(self, root: str) -> None:
        self.root = root
        self.real = os.path.realpath(root)

    def exists(self, path: str) -> bool:
        """Whether the path, relative to the root, exists."""
        return os.path.lexists(self.absolute(path))

    def also(self, path: str) -> "tuple[str, ...]":
        """Other paths of the same file, with links resolved."""
        try:
            whole = self.absolute(path)
            found: "list[str]" = []
            for real in (
                os.path.realpath(whole),
                os.path.join(os.path.realpath(os.path.dirname(whole)), os.path.basename(whole)),
            ):
                inside = self.relative(real)
                for name in (inside, self.beside(inside) if inside.startswith("/") else ""):
                    if name and name not in (path, *found):
                        found.append(name)
            return tuple(found)
        except (OSError, ValueError):
            return ()

    def beside(self, path: str) -> str:
        """The path relative to another work tree of this repository; "" where it is in none."""
        folder = self.other_root(path)
        return path[len(folder.rstrip("/")) + 1 :] if folder else ""

    def other_root(self, path: str) -> str:
        """The root of the work tree of this repository that an absolute path lies in; "" where it is in none."""
        folder = os.path.dirname(path)
        while not os.path.lexists(os.path.join(folder, ".git")):
            above = os.path.dirname(folder)
            if above == folder:
                return ""
            folder = above
        own, other = common_directory(self.root), common_directory(folder)
        same = own and other and os.path.realpath(own) == os.path.realpath(other)
        return folder if same else ""

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

    def is_folder(self, path: str) -> bool:
        """Whether there is a folder of this name."""
        try:
            return os.path.isdir(self.absolute(path))
        except (OSError, ValueError):
            return False

    def branch(self, folder: str = "") -> str:
        """The branch that is checked out here, or in the folder's work tree; "" where that is not known."""
        place = self.absolute(folder) if folder else self.root
        while folder and not os.path.lexists(os.path.join(place, ".git")) and os.path.dirname(place) != place:
            place = os.path.dirname(place)
        try:
            with open(os.path.join(git_directory(place), "HEAD"), encoding="utf-8", opener=open_regular) as file:
                name = file.read(4096).strip()
        except (OSError, ValueError):
            return ""
        return name[len(HEADS) :] if name.startswith(HEADS) else ""

    def read(self, path: str) -> "str | None":
        """The text of a plain file that is not too large."""
        try:
            whole = self.absolute(path)
            if not os.path.isfile(whole) or os.path.getsize(whole) > LARGEST_FILE:
                return None
            with open(whole, encoding="utf-8", errors="replace", newline="") as file:
                return file.read()
        except (OSError, ValueError):
            return None


def open_regular(path: str, flags: int) -> int:
    """Open a regular file, for ``open(opener=...)``; OSError for a pipe, which would block the reader."""
    handle = os.open(path, flags | getattr(os, "O_NONBLOCK", 0))
    if not stat.S_ISREG(os.fstat(handle).st_mode):
        os.close(handle)
        raise OSError("is no regular file")
    return handle


def find_root(here: str, candidates: "list[str]") -> str:
    """The repository of the hook at ``here``, else the nearest rulebook at or above a candidate; "" for none.

    The hook's own folder comes first, so that a rulebook further down does not replace the one above it.
    """
    own = os.path.abspath(here).replace("\\", "/")
    if own.endswith(HOOK_FOLDER):
        return own[: -len(HOOK_FOLDER)] or "/"
    for start in [here, *candidates]:
        folder = os.path.abspath(start) if start else ""
        while folder:
            if any(os.path.exists(os.path.join(folder, RULES, name)) for name in ARTIFACTS):
                return folder
            above = os.path.dirname(folder)
            folder = above if above != folder else ""
    return ""


def git_directory(root: str) -> str:
    """The repository's git directory, also of a linked work tree; "" where there is none."""
    place = os.path.join(root, ".git")
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


def messages_folder(root: str) -> str:
    """The folder of messages of people that are being looked at; not there where none is."""
    return os.path.join(shared_state_directory(root), "messages")


def plan_file(root: str, session: str) -> str:
    """The file of what is known of a session's plan; of ids that are no file names the odd signs are replaced."""
    plain = "".join(sign if sign.isalnum() or sign in "-_" else "_" for sign in session)[:LONGEST_SESSION]
    return os.path.join(state_directory(root), PLANS, f"{plain or '_'}.json")


def common_directory(root: str) -> str:
    """The git directory that all linked work trees share; "" where there is none."""
    folder = git_directory(root)
    above = os.path.dirname(folder)
    return os.path.dirname(above) if os.path.basename(above) == "worktrees" else folder
