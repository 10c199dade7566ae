"""Shell checks: scripts run on the files of a turn at its end, and on a message before its commit."""

import json
import os
import re
import shutil
import subprocess
import tempfile
import time

from rulec.checkout.worktree import LARGEST_FILE
from rulec.domain.patterns import globs
from rulec.guard.content import forbidden_text
from rulec.shell import action_events, git_branches
from rulec.shell.commit_messages import given_messages
from rulec.shell.parsing.call import Call

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from rulec.checkout.pending_change import PendingChange
    from rulec.checkout.worktree import Worktree


SECONDS_OF_SCRIPT = 10.0  # that one script may take
CHUNK = 100_000  # signs of paths in one call
LONGEST = 200  # characters of a line that are shown
_DIGITS = re.compile(r":(\d{1,9}):")


class ContractError(Exception):
    """A script did not keep to its contract."""


class ScriptRun:
    """The files before and after the change, written to folders where scripts can read them."""

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
            raise ContractError(f"{name} did not end within {SECONDS_OF_SCRIPT:.0f} s")
        if code > 1 or code < 0 or bool(code) != bool(told):
            raise ContractError(f"{name} ended with {code}" + (" and named no finding" if code == 1 else ""))
        return [found for line in told if (found := _finding(line, known))]


def run_on_message(script: str, message: str, scratch: str, seconds: float) -> "list[tuple[int, str]]":
    """A script's findings on a commit message, as (line, text); none where it breaks: the commit gate reports that."""
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
    code, out = _output([shell, script], home, environment, min(seconds, SECONDS_OF_SCRIPT))
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
    argv: "list[str]", folder: str, environment: "dict[str, str]", seconds: float = SECONDS_OF_SCRIPT
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


FOLDER = os.path.join(".rules", "compiled", "shell")
FACTS = "# rulec: "
SECONDS_OF_TURN = 20.0  # that all of them may take


def judge_pending(pending: "PendingChange") -> "list[tuple[dict[str, Any], dict[str, Any]]]":
    """Findings of the scripts that may block, each with its rule's facts; what time does not allow the commit will."""
    files = {file["path"]: file for file in pending.recent() if "\n" not in file["path"]}
    wanted = [
        one for one in acting_scripts(pending.world.root) if any(_covers(one[1], path, pending) for path in files)
    ]
    if not wanted or not files:
        return []
    until = time.monotonic() + SECONDS_OF_TURN
    seen: "list[tuple[dict[str, Any], dict[str, Any]]]" = []
    with tempfile.TemporaryDirectory(prefix="rulec-") as scratch:
        run = ScriptRun(os.path.join(scratch, "0"), pending, files)
        for number, (path, facts) in enumerate(wanted, 1):
            if time.monotonic() >= until:
                break
            seen += [(finding, facts) for finding in _judged(run, path, facts["slug"], files)]
            if run.disturbed():
                run = ScriptRun(os.path.join(scratch, str(number)), pending, files)
    return seen


def acting_scripts(root: str, acting: "tuple[str, ...]" = ("block",)) -> "list[tuple[str, dict[str, Any]]]":
    """The scripts of rules that block, each with its rule's facts; damaged ones are left to the commit gate."""
    folder = os.path.join(root, FOLDER)
    known = []
    try:
        names = sorted(name for name in os.listdir(folder) if name.endswith(".sh"))
    except OSError:
        return []
    for name in names:
        try:
            with open(os.path.join(folder, name), encoding="utf-8") as file:
                line = next((line for line in file.read(20_000).split("\n")[:4] if line.startswith(FACTS)), "")
            facts = json.loads(line[len(FACTS) :])
            if facts["enforcement"] in acting and isinstance(facts["slug"], str):
                known.append((os.path.join(folder, name), facts))
        except (OSError, ValueError, KeyError, TypeError, RecursionError):
            continue
    return known


def _covers(facts: "dict[str, Any]", path: str, pending: "PendingChange") -> bool:
    scope = facts.get("scope") or {}
    agents, places = scope.get("agents"), scope.get("environments")
    if path.startswith(".rules/") or (agents and pending.agent not in agents) or (places and "local" not in places):
        return False
    return globs.match(scope.get("include") or ["**"], path) and not globs.match(scope.get("exclude") or [], path)


def _judged(run: "ScriptRun", path: str, slug: str, files: "dict[str, Any]") -> "list[dict[str, Any]]":
    """What one script has against what is new; what it says of a whole file it must not have said of the old one."""
    try:
        lines = run.lines(path, "now")
        doubted = [place for place, line, _ in lines if not line and files[place]["exists"]]
        old = {(place, text) for place, _, text in run.lines(path, "before", doubted)} if doubted else set()
    except ContractError as broken:
        return [action_events.finding_of(slug, fault=str(broken))]
    kept = []
    for place, line, text in lines:
        fresh = (
            {number for number, _ in forbidden_text.added_lines(files[place])}
            if files[place]["exists"] and line
            else None
        )
        if (line and (fresh is None or line in fresh)) or (not line and (place, text) not in old):
            kept.append(action_events.finding_of(slug, path=place, line=line, text=text))
    return kept


SECONDS_OF_MESSAGE = 4.0  # that all scripts may take
READS = ('"$RULEC_MESSAGE"', "${RULEC_MESSAGE-}")
LOOKS = ("for path do", "RULEC_CHANGES", "RULEC_BASE", "changes ", "listed ")  # a script that looks at files, too
BODY = "rulec_body() {"


def judge_messages(event: "dict[str, Any]", world: "Worktree") -> "list[tuple[dict[str, Any], dict[str, Any]]]":
    """What the scripts have against the messages of a command, each with its rule's facts."""
    told = [
        (call, message) for call, message in given_messages(event) if git_branches.git_folder_of_call(event, call) == ""
    ]
    if not told:
        return []
    scripts = [(path, facts) for path, facts in acting_scripts(world.root, ("block", "warn")) if _judges(path)]
    scripts = [(path, facts) for path, facts in scripts if _speaks(facts, str(event.get("agent") or ""))]
    seen: "list[tuple[dict[str, Any], dict[str, Any]]]" = []
    if not scripts:
        return seen
    until = time.monotonic() + SECONDS_OF_MESSAGE
    with tempfile.TemporaryDirectory(prefix="rulec-") as scratch:
        for path, facts in scripts:
            for call, message in told:
                left = until - time.monotonic()
                lines = run_on_message(path, message, scratch, left) if left > 0 else []
                seen += [(_message_finding(facts, call, line, text), facts) for line, text in lines]
    return seen


def _message_finding(facts: "dict[str, Any]", call: Call, line: int, text: str) -> "dict[str, Any]":
    seen = f"line {line} of the commit message: {text}" if line else f"the commit message {text}"
    return action_events.finding_of(facts["slug"], text=seen[: 2 * action_events.LONGEST_SHOWN], program=call.program)


def _judges(path: str) -> bool:
    """Whether a script reads the message alone, so that it can run before there is a commit."""
    try:
        with open(path, encoding="utf-8") as file:
            body = file.read(200_000).partition(BODY)[2]
    except (OSError, ValueError):
        return False
    return any(mark in body for mark in READS) and not any(mark in body for mark in LOOKS)


def _speaks(facts: "dict[str, Any]", agent: str) -> bool:
    scope = facts.get("scope") or {}
    if facts.get("exceptions"):
        return False  # what they leave alone the commit tells
    agents, places = scope.get("agents"), scope.get("environments")
    return not ((agents and agent not in agents) or (places and "local" not in places))
