"""The rulec that is installed here, for the few questions that the hook in the repository cannot answer itself."""

import os

from rulec.checkout.worktree import common_directory, open_regular

TYPE_CHECKING = False
if TYPE_CHECKING:
    import subprocess


MOST = 1_000_000  # characters of an answer


def interpreter(root: str) -> str:
    """The interpreter that has rulec, as ``rulec init`` noted it beside the git hooks; "" where there is none."""
    folder = common_directory(root)
    try:
        with open(os.path.join(folder, "rulec", "python"), encoding="utf-8", opener=open_regular) as file:
            name = file.read(4096).strip()
    except (OSError, ValueError):
        return ""
    return name if folder and os.path.isabs(name) and os.access(name, os.X_OK) else ""


def ask(
    root: str, arguments: "list[str]", seconds: float, given: bytes = b"", codes: "tuple[int, ...]" = (0,)
) -> "bytes | None":
    """What rulec says to these arguments; None where it is not here, takes too long, or ends in another way."""
    name = interpreter(root)
    if not name:
        return None
    import subprocess  # noqa: PLC0415 - it costs more than all the rest, and few actions need it

    try:
        process = subprocess.Popen(
            # -P and -E: as the git hooks start it, so that nothing in the repository can stand in for rulec
            [name, "-E", "-P", "-m", "rulec", *arguments],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            cwd=root,
            start_new_session=True,
        )
    except (OSError, ValueError):
        return None
    try:
        told = process.communicate(given, timeout=seconds)[0]
    except (OSError, ValueError, subprocess.SubprocessError):
        _end(process)
        return None
    return told[:MOST] if process.returncode in codes else None


def _end(process: "subprocess.Popen[bytes]") -> None:
    """Whatever it started ends with it: a checker that nobody waits for any more would go on for long."""
    try:
        if hasattr(os, "killpg"):
            os.killpg(process.pid, 9)
        process.kill()
    except OSError:
        return
    finally:
        process.wait()
        for stream in (process.stdin, process.stdout):
            if stream:
                stream.close()
