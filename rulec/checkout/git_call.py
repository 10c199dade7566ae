"""One git command of the hook's, which runs nothing that the repository's settings name."""

import os
import subprocess

SECONDS_OF_GIT = 20
GIT_FLAGS = ["-c", "core.fsmonitor=false", "-c", "core.quotepath=off", "-c", "core.hooksPath=/dev/null"]
REFUSED = "dubious ownership"  # how git says that a folder is another user's


def ask_git(root: str, arguments: "list[str]", given: bytes = b"") -> "bytes | None":
    """What git prints; None where it fails."""
    done = _run(root, arguments, given)
    return done.stdout if done and done.returncode == 0 else None


def git_text(root: str, arguments: "list[str]", given: bytes = b"") -> str:
    """What git prints, as text; "" where it fails."""
    return (ask_git(root, arguments, given) or b"").decode("utf-8", "surrogateescape")


def refusal_by_owner(root: str) -> str:
    """Git's own words where it refuses a folder of another user; git is asked only where the folder is one."""
    user = os.geteuid()
    for name in (root, os.path.join(root, ".git")):
        try:
            if os.lstat(name).st_uid != user:
                return why_refused(root)
        except OSError:
            continue
    return ""


def why_refused(root: str) -> str:
    """Git's own words where it refuses to work in the folder, such as that it is another user's; "" where it works."""
    done = _run(root, ["rev-parse", "--git-dir"], b"")
    if done is None:
        return "git does not run here"
    if done.returncode == 0:
        return ""
    lines = done.stderr.decode("utf-8", "replace").strip().split("\n")
    return lines[0].removeprefix("fatal: ")[:300]


def cure_of_refusal(words: str, root: str) -> str:
    """The command by which a person lets git work in another user's folder; "" where git refuses for another reason."""
    return f"git config --global --add safe.directory {root}" if REFUSED in words else ""


def _run(root: str, arguments: "list[str]", given: bytes) -> "subprocess.CompletedProcess[bytes] | None":
    environment = {**os.environ, "GIT_OPTIONAL_LOCKS": "0", "LC_ALL": "C"}
    try:
        return subprocess.run(
            ["git", *GIT_FLAGS, *arguments],
            cwd=root, env=environment, input=given, capture_output=True, timeout=SECONDS_OF_GIT, check=False,
        )  # fmt: skip
    except (OSError, ValueError, subprocess.SubprocessError):  # a path may hold what no path can
        return None
