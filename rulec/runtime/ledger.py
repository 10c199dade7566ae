"""What fired, as lines of JSON in the git folder: local, bounded, no word of a command, never a reason to fail."""

import json
import os
import time

from .world import git_folder

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from .agents import Asked

NAME = "ledger.jsonl"
LARGEST = 1_000_000
LONGEST = 200
DIGEST = 8  # enough to tell that two lines speak of the same text, too little to find that text by trying


def place(root: str, name: str) -> str:
    """A file of ours in the git folder, "" where it cannot be had."""
    folder = git_folder(root)
    if not folder:
        return ""
    ours = os.path.join(folder, "rulec")
    try:
        os.makedirs(ours, mode=0o700, exist_ok=True)
    except OSError:
        return ""
    return "" if os.path.islink(ours) else os.path.join(ours, name)


def note(root: str, agent: str, asked: "Asked", found: "list[tuple[dict[str, Any], str]]") -> None:
    """Add a line for each finding of a hook."""
    add(
        root,
        [
            {
                "event": asked.moment,
                "agent": agent,
                "slug": finding["slug"],
                "outcome": outcome,
                "kind": str(asked.action["kind"]),
                "unsure": bool(finding["unsure"]),
                "of": (finding["path"] or _name(finding["program"]))[:LONGEST],
                "digest": digest(finding["fault"] or finding["text"]),
            }
            for finding, outcome in found
        ],
    )


def add(root: str, found: "list[dict[str, Any]]") -> None:
    """Add what was found, each with the time; the older half goes when the file is full."""
    path = place(root, NAME) if found else ""
    if not path:
        return
    now = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())
    try:
        _append(path, "".join(json.dumps({"at": now, **line}) + "\n" for line in found).encode("ascii"))
    except OSError:
        return


def _name(program: str) -> str:
    """The program where it looks like one: a first word may hold anything."""
    return program if program.replace("-", "").replace(".", "").replace("_", "").isalnum() else ""


def digest(text: str) -> str:
    """A short name for a text that nobody can read back out of it."""
    import hashlib  # noqa: PLC0415 - it costs 3 ms that only a finding pays

    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:DIGEST]


def _append(path: str, data: bytes) -> None:
    flags = os.O_RDWR | os.O_CREAT | os.O_APPEND | getattr(os, "O_NOFOLLOW", 0)
    handle = os.open(path, flags, 0o600)
    with os.fdopen(handle, "r+b") as file:
        if hasattr(os, "fchmod"):
            os.fchmod(handle, 0o600)  # whatever it was made with
        if os.fstat(file.fileno()).st_size + len(data) > LARGEST:
            file.seek(-LARGEST // 2, os.SEEK_END)
            kept = file.read().partition(b"\n")[2]
            file.truncate(0)
            file.write(kept)
        file.write(data[-LARGEST // 2 :])
