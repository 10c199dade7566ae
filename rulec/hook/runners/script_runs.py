"""Scripts at work in a scratch folder: by their contract, for a while at most, and on copies only."""

import os
import re
import shutil
import subprocess

from rulec.checkout.worktree import LARGEST_FILE

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from rulec.checkout.pending_change import PendingChange


SECONDS = 10.0  # that one script may take
CHUNK = 100_000  # signs of paths in one call
LONGEST = 200  # characters of a line that are shown
_DIGITS = re.compile(r":(\d{1,9}):")


class ContractError(Exception):
    """A script did not keep to its contract."""


class ScriptRun:
    """The files as they stand and as they stood, laid out for scripts to look at."""

    def __init__(self, scratch: str, pending: "PendingChange", files: "dict[str, Any]") -> None:
        self.scratch = scratch
        self.stamps: "dict[str, tuple[int, int, int]]" = {}
        self.status = {path: _status(file) for path, file in files.items()}
        self.readable = [path for path in files if self._copied(pending, path)]
        for path, file in files.items():
            if file["exists"]:
                self._lay("before", path, file["old"].encode("utf-8", "surrogateescape"))
        os.makedirs(os.path.join(scratch, "now"), exist_ok=True)
        os.makedirs(os.path.join(scratch, "home"), exist_ok=True)

    def _copied(self, pending: "PendingChange", path: str) -> bool:
        source = pending.world.absolute(path)
        try:
            if os.path.islink(source) or not os.path.isfile(source) or os.path.getsize(source) > LARGEST_FILE:
                return False
            with open(source, "rb") as file:
                self._lay("now", path, file.read())
        except (OSError, ValueError):
            return False
        return True

    def _lay(self, tree: str, path: str, content: bytes) -> None:
        target = os.path.join(self.scratch, tree, path)
        _put(target, content)
        os.utime(target, (0, 0))  # the clock of files is too coarse to tell a write from one that follows at once
        self.stamps[target] = _stamp(target)

    def disturbed(self) -> bool:
        """Whether a script changed what it was given to look at."""
        return any(_stamp(target) != stamp for target, stamp in self.stamps.items())

    def lines(self, script: str, tree: str, only: "list[str] | None" = None) -> "list[tuple[str, int, str]]":
        """What a script says of the files in that tree: path, line and text of each finding."""
        paths = self.readable if only is None else sorted(set(only))
        status = dict.fromkeys(paths, "A") if only is not None else self.status
        _put(
            os.path.join(self.scratch, "changes"),
            "".join(f"{kind}\t{path}\n" for path, kind in status.items()).encode("utf-8", "surrogateescape"),
        )
        said: "list[tuple[str, int, str]]" = []
        for chunk in _chunks(paths):
            said += [one for one in self._said(script, tree, chunk, set(status)) if one not in said]
        return said

    def _said(self, script: str, tree: str, paths: "list[str]", known: "set[str]") -> "list[tuple[str, int, str]]":
        home, name = os.path.join(self.scratch, "home"), os.path.basename(script)
        base = os.path.join(self.scratch, "before")
        environment = {
            "PATH": os.environ.get("PATH", os.defpath), "HOME": home, "TMPDIR": home, "LANG": "C.UTF-8",
            "RULEC_CHANGES": os.path.join(self.scratch, "changes"), "RULEC_MESSAGE": "", "RULEC_ENVIRONMENT": "local",
            "RULEC_BASE": base if tree == "now" and os.path.isdir(base) else "",
        }  # fmt: skip
        shell = shutil.which("sh")
        if not shell:
            return []
        code, out = _output([shell, script, *paths], os.path.join(self.scratch, tree), environment)
        told = [line for line in out.split("\n") if line]
        if self.disturbed():
            raise ContractError(f"{name} changed the files it was given")
        if code is None:
            raise ContractError(f"{name} did not end within {SECONDS:.0f} s")
        if code > 1 or code < 0 or bool(code) != bool(told):
            raise ContractError(f"{name} ended with {code}" + (" and named no finding" if code == 1 else ""))
        return [found for line in told if (found := _finding(line, known))]


def run_on_message(script: str, message: str, scratch: str, seconds: float) -> "list[tuple[int, str]]":
    """What a script says of a commit message, line and text; nothing where it breaks, which the commit tells."""
    place, home = os.path.join(scratch, "message"), os.path.join(scratch, "home")
    shell = shutil.which("sh")
    if not shell:
        return []
    os.makedirs(home, exist_ok=True)
    _put(place, message.encode("utf-8", "surrogateescape"))
    environment = {
        "PATH": os.environ.get("PATH", os.defpath), "HOME": home, "TMPDIR": home, "LANG": "C.UTF-8",
        "RULEC_CHANGES": "", "RULEC_MESSAGE": place, "RULEC_ENVIRONMENT": "local", "RULEC_BASE": "",
    }  # fmt: skip
    code, out = _output([shell, script], home, environment, min(seconds, SECONDS))
    told = [line.removeprefix("-:").partition(":") for line in out.split("\n") if line.startswith("-:")]
    if code != 1 or not told:
        return []
    return [(int(line), text.strip()[:LONGEST]) for line, _, text in told if line.isdigit()]


def _put(target: str, content: bytes) -> None:
    os.makedirs(os.path.dirname(target), exist_ok=True)
    with open(target, "wb") as file:
        file.write(content)


def _stamp(target: str) -> "tuple[int, int, int]":
    try:
        seen = os.lstat(target)
    except OSError:
        return 0, 0, 0
    return seen.st_size, seen.st_mtime_ns, seen.st_ino


def _output(
    argv: "list[str]", folder: str, environment: "dict[str, str]", seconds: float = SECONDS
) -> "tuple[int | None, str]":
    process = subprocess.Popen(
        argv, cwd=folder, env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL, start_new_session=True,
    )  # fmt: skip
    try:
        out = process.communicate(timeout=seconds)[0]
    except subprocess.TimeoutExpired:
        if hasattr(os, "killpg"):
            os.killpg(process.pid, 9)
        process.kill()
        process.communicate()
        return None, ""
    return process.returncode, out.decode("utf-8", "surrogateescape")


def _status(file: "dict[str, Any]") -> str:
    return "D" if file["kind"] == "delete" else "M" if file["exists"] else "A"


def _chunks(paths: "list[str]") -> "list[list[str]]":
    chunks: "list[list[str]]" = [[]]
    size = 0
    for path in paths:
        size += len(path) + 3
        if size > CHUNK and chunks[-1]:
            chunks.append([])
            size = 0
        chunks[-1].append(f"./{path}" if path.startswith("-") else path)
    return chunks


def _finding(line: str, known: "set[str]") -> "tuple[str, int, str] | None":
    """A line as a finding; of the places where it may be cut that one counts which leaves a path of the change."""
    for cut in _DIGITS.finditer(line):
        path = line[: cut.start()]
        path = path.removeprefix("./")
        if path in known:
            return path, int(cut[1]), line[cut.end() :].strip()[:LONGEST]
    return None
