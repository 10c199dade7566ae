"""The rulec that is installed here, for the few questions that the copied runtime cannot answer itself."""

import os

from .world import common_folder

MOST = 1_000_000  # characters of an answer


def python(root: str) -> str:
    """The interpreter that has rulec, as ``rulec init`` noted it beside the git hooks; "" where there is none."""
    folder = common_folder(root)
    try:
        with open(os.path.join(folder, "rulec", "python"), encoding="utf-8") as file:
            name = file.read(4096).strip()
    except (OSError, ValueError):
        return ""
    return name if folder and os.path.isabs(name) and os.access(name, os.X_OK) else ""


def answer(root: str, arguments: "list[str]", seconds: float, given: bytes = b"") -> "bytes | None":
    """What rulec says to these arguments; None where it is not here, takes too long, or ends in anything but 0."""
    name = python(root)
    if not name:
        return None
    import subprocess  # noqa: PLC0415 - it costs more than all the rest, and few actions need it

    try:
        done = subprocess.run(
            # -P and -E: as the git hooks start it, so that nothing in the repository can stand in for rulec
            [name, "-E", "-P", "-m", "rulec", *arguments],
            input=given,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            cwd=root,
            timeout=seconds,
            check=False,
        )
    except (OSError, ValueError, subprocess.SubprocessError):
        return None
    return done.stdout[:MOST] if done.returncode == 0 else None
