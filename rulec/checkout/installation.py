"""The rulec installed here, asked what the hook cannot answer; and compiled guards that git has and the disk lacks."""

from __future__ import annotations

import os
import re
import sys

from rulec.checkout import private_files
from rulec.checkout.rules_layout import GUARD
from rulec.checkout.worktree import git_directory

TYPE_CHECKING = False
if TYPE_CHECKING:
    import subprocess


_AS_HOOKS_DO = ("-I", "-m", "rulec")  # nothing in the repository can stand in for rulec
LARGEST_ANSWER = 1_000_000  # characters of an answer


def ask_rulec(
    root: str, arguments: list[str], seconds: float, given: bytes = b"", codes: tuple[int, ...] = (0,)
) -> bytes | None:
    """What rulec prints for these arguments; None where it is missing, takes too long, or ends with another code."""
    import subprocess  # noqa: PLC0415 - it costs more than all the rest, and few actions need it

    try:
        process = subprocess.Popen(
            [sys.executable, *_AS_HOOKS_DO, *arguments],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            cwd=root,
            start_new_session=True,
        )
    except (OSError, ValueError):
        return None
    try:
        output = process.communicate(given, timeout=seconds)[0]
    except (OSError, ValueError, subprocess.SubprocessError):
        _end_process(process)
        return None
    return output[:LARGEST_ANSWER] if process.returncode in codes else None


def start_rulec(root: str, arguments: list[str]) -> None:
    """Let rulec run on its own, whatever becomes of who started it; nobody hears what it prints."""
    import subprocess  # noqa: PLC0415 (as above)

    nothing = subprocess.DEVNULL
    command = [sys.executable, *_AS_HOOKS_DO, *arguments]
    try:
        process = subprocess.Popen(
            command, stdin=nothing, stdout=nothing, stderr=nothing, cwd=root, start_new_session=True
        )
    except (OSError, ValueError):
        return
    process.returncode = 0  # nobody waits for it, and Python is not to warn of that


def _end_process(process: subprocess.Popen[bytes]) -> None:
    """End the process with all that it started, which would otherwise run on for long."""
    try:
        os.killpg(process.pid, 9)
    except OSError:
        return
    finally:
        process.wait()
        for stream in (process.stdin, process.stdout):
            if stream:
                stream.close()


RULES = ".rules"
MOST_RULE_FILES = 1000  # rule files that are looked at
LARGEST_INDEX = 64_000_000
LARGEST_RULE = 200_000
_STRICT = re.compile(rb"^on_error:[ \t]*[\"']?block\b", re.MULTILINE)


def describe_missing_guards(root: str) -> str:
    """A warning that compiled guards are missing, "" where git's index has none either."""
    folder = git_directory(root)
    names = private_files.read_file(os.path.join(folder, "index"), LARGEST_INDEX) if folder else None
    if GUARD.replace(os.sep, "/").encode() + b"/" not in (names or b""):
        return ""
    return "the compiled guards in .rules/compiled/guard are gone; run `rulec compile`"


def any_rule_blocks_when_broken(root: str) -> bool:
    """Whether a rule file says that the agent is stopped where its check breaks."""
    folder = os.path.join(root, RULES)
    try:
        names = [name for name in os.listdir(folder) if name.endswith(".yaml")]
    except OSError:
        return False
    return any(
        _STRICT.search(private_files.read_file(os.path.join(folder, name), LARGEST_RULE) or b"")
        for name in names[:MOST_RULE_FILES]
    )
