"""git and the git folder without a library: what a commit that no rule can touch is known by, in a few milliseconds."""

import os

QUIET_ENVIRONMENT = {
    "GIT_OPTIONAL_LOCKS": "0",
    "GIT_NO_REPLACE_OBJECTS": "1",
    "LC_ALL": "C.UTF-8",
    "GIT_LITERAL_PATHSPECS": "1",
}
PIPE_BYTES = 60_000  # bytes that a pipe takes in before anybody reads
_ELSEWHERE = ("GIT_WORK_TREE", "GIT_COMMON_DIR", "GIT_NAMESPACE")


def plain_git_folder() -> str:
    """The git folder, where we stand at a repository's top; "" where it has to be asked for: in a worktree, say."""
    folder = os.path.abspath(".git") if os.path.isdir(".git") else ""
    said = os.environ.get("GIT_DIR")
    if not folder or os.path.islink(folder) or not os.path.isfile(os.path.join(folder, "HEAD")):
        return ""
    if any(name in os.environ for name in _ELSEWHERE) or (said and os.path.abspath(said) != folder):
        return ""
    return folder


def run_git_fast(*arguments: str, given: bytes = b"") -> "bytes | None":
    """The output of a git command, here; None where it failed or was given too much."""
    if len(given) > PIPE_BYTES:
        return None
    ends = [*os.pipe(), *os.pipe()]
    read, write, out, told = ends
    try:
        os.write(write, given)
        os.close(ends.pop(1))
        actions = [(os.POSIX_SPAWN_DUP2, read, 0), (os.POSIX_SPAWN_DUP2, told, 1)]
        silent = (os.POSIX_SPAWN_OPEN, 2, os.devnull, os.O_WRONLY, 0)
        process = os.posix_spawnp(
            "git", ["git", *arguments], {**os.environ, **QUIET_ENVIRONMENT}, file_actions=[*actions, silent]
        )
        os.close(ends.pop())
        with open(out, "rb", closefd=False) as file:
            text = file.read()
        return text if os.waitpid(process, 0)[1] == 0 else None
    except OSError:
        return None
    finally:
        for end in ends:
            os.close(end)
