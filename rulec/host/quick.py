"""git and the git folder without a library: what a commit that no rule can touch is known by, in a few milliseconds."""

import os
import stat

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

QUIET = {"GIT_OPTIONAL_LOCKS": "0", "GIT_NO_REPLACE_OBJECTS": "1", "LC_ALL": "C.UTF-8", "GIT_LITERAL_PATHSPECS": "1"}
MOST = 60_000  # bytes that a pipe takes in before anybody reads
SEEN = "seen"  # the changes that a gate has let through
SINCE = "seen-since"  # the commits that stood here before there was a gate
SEEN_LARGEST = 1_000_000  # bytes
_ELSEWHERE = ("GIT_WORK_TREE", "GIT_COMMON_DIR", "GIT_NAMESPACE")


def plain() -> str:
    """The git folder, where we stand at a repository's top; "" where it has to be asked for: in a worktree, say."""
    folder = os.path.abspath(".git") if os.path.isdir(".git") else ""
    said = os.environ.get("GIT_DIR")
    if not folder or os.path.islink(folder) or not os.path.isfile(os.path.join(folder, "HEAD")):
        return ""
    if any(name in os.environ for name in _ELSEWHERE) or (said and os.path.abspath(said) != folder):
        return ""
    return folder


def git(*arguments: str, given: bytes = b"") -> "bytes | None":
    """The output of a git command, here; None where it failed or was given too much."""
    if len(given) > MOST:
        return None
    ends = [*os.pipe(), *os.pipe()]
    read, write, out, told = ends
    try:
        os.write(write, given)
        os.close(ends.pop(1))
        actions = [(os.POSIX_SPAWN_DUP2, read, 0), (os.POSIX_SPAWN_DUP2, told, 1)]
        silent = (os.POSIX_SPAWN_OPEN, 2, os.devnull, os.O_WRONLY, 0)
        process = os.posix_spawnp("git", ["git", *arguments], {**os.environ, **QUIET}, file_actions=[*actions, silent])
        os.close(ends.pop())
        with open(out, "rb", closefd=False) as file:
            text = file.read()
        return text if os.waitpid(process, 0)[1] == 0 else None
    except OSError:
        return None
    finally:
        for end in ends:
            os.close(end)


def busy(folder: str, personal: str) -> bool:
    """Whether a merge or a killed rulec is under way, a turn was let end, or the person has a say of their own."""
    ours = (f"{folder}/rulec/journal.json", f"{folder}/rulec/waived.json")
    return any(map(os.path.lexists, (f"{folder}/MERGE_HEAD", *ours))) or _has_a_say(f"{personal}/.rules")


def _has_a_say(rules: str) -> bool:
    """Whether a person has rules there, or settings that have a word for judges; other settings change no commit."""
    try:
        names = os.listdir(rules)
    except (FileNotFoundError, NotADirectoryError):
        return False
    except OSError:
        return True
    said = read(f"{rules}/config.yaml") if names == ["config.yaml"] else None
    return bool(names) and (said is None or b"judges" in said)


def seen(folder: str, word: str) -> bool:
    """Whether a gate has let a change through that is noted by this word."""
    return bool(word) and word.encode() in (read(f"{folder}/rulec/{SEEN}") or b"").split()


def read(place: str) -> "bytes | None":
    """A file of the git folder; None where there is none: a pipe in its place would hold up whoever reads it."""
    try:
        handle = os.open(place, os.O_RDONLY | os.O_NONBLOCK)
    except OSError:
        return None
    if not stat.S_ISREG(os.fstat(handle).st_mode):
        os.close(handle)
        return None
    with open(handle, "rb") as file:
        return file.read()


def file(path: str) -> bool:
    """Whether a file is there."""
    return os.path.isfile(path)


def note(folder: str, word: str) -> bool:
    """Note that a gate has let a change through, where that takes no more than a line."""
    place = f"{folder}/rulec/{SEEN}"
    try:
        if not os.path.isfile(f"{folder}/rulec/{SINCE}") or os.stat(place).st_size > SEEN_LARGEST:
            return False
        add(place, [word] if word else [])
    except OSError:
        return False
    return True


def add(place: str, lines: "Iterable[str]") -> None:
    """Add lines to a file of the git folder, for its owner's eyes."""
    flags = os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_NOFOLLOW | os.O_NONBLOCK
    with open(os.open(place, flags, 0o600), "ab") as file:
        if stat.S_ISREG(os.fstat(file.fileno()).st_mode):
            file.write("".join(f"{line}\n" for line in lines).encode())
