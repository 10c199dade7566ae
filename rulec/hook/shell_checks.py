"""Shell checks: scripts run on the files of a turn at its end, and on a message before its commit."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import subprocess
import tempfile
import time

from rulec.checkout import private_files, remote_base
from rulec.checkout.worktree import LARGEST_FILE, shared_state_directory
from rulec.domain.compiled_rule import EventFinding, Facts, read_facts
from rulec.domain.enforcement import is_shown, refuses
from rulec.guard.content import forbidden_text
from rulec.guard.content.forbidden_text import new_among, spaced_alike
from rulec.shell import action_events, script_contract
from rulec.shell.git import folders
from rulec.shell.git.commit_messages import given_messages
from rulec.shell.parsing.call import Call

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from rulec.checkout.worktree import Worktree
    from rulec.hook.pending_files import PendingChange
    from rulec.shell.action_events import Event


class ContractError(Exception):
    """A script did not keep to its contract."""


class ScriptRun:
    """The files before and after the change, written to folders where scripts can read them."""

    def __init__(self, scratch: str, pending: PendingChange, files: dict[str, Event]) -> None:
        self.scratch = scratch
        self.stamps: dict[str, tuple[int, int, int]] = {}
        self.status = {path: _status(file) for path, file in files.items()}
        self.readable = [path for path in files if self._copied(pending, path)]
        self.before: dict[str, tuple[str, str]] = {}  # the path and text that a file had
        for path, file in files.items():
            source = pending.source_of(path)
            if file.exists or source:
                self.before[path] = (source.path, source.text) if source else (path, file.old or "")
                self._lay("before", self.before[path][0], self.before[path][1].encode("utf-8", "surrogateescape"))
        os.makedirs(os.path.join(scratch, "now"), exist_ok=True)
        os.makedirs(os.path.join(scratch, "home"), exist_ok=True)

    def _copied(self, pending: PendingChange, path: str) -> bool:
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

    def lines(self, script: str, tree: str, only: list[str] | None = None) -> list[tuple[str, int, str]]:
        """What a script says of the files in that tree: path, line and text of each finding."""
        paths = self.readable if only is None else sorted(set(only))
        status = dict.fromkeys(paths, "A") if only is not None else self.status
        changes = script_contract.changes_text((kind, path) for path, kind in status.items())
        _put(os.path.join(self.scratch, "changes"), changes.encode("utf-8", "surrogateescape"))
        known = {**{script_contract.printed_path(path): path for path in status}, script_contract.MESSAGE_PATH: ""}
        said: dict[tuple[str, int, str], None] = {}  # each once, in order
        for chunk in script_contract.split_paths(paths):
            said.update(dict.fromkeys(self._run(script, tree, chunk, known)))
        return list(said)

    def _run(self, script: str, tree: str, paths: list[str], known: dict[str, str]) -> list[tuple[str, int, str]]:
        name, base = os.path.basename(script), os.path.join(self.scratch, "before")
        environment = script_contract.script_environment(
            changes=os.path.join(self.scratch, "changes"), base=base if tree == "now" and os.path.isdir(base) else ""
        )
        environment.update(_bare_environment(os.path.join(self.scratch, "home")))
        code, out, err = _run_script([script, *paths], os.path.join(self.scratch, tree), environment)
        if self.disturbed():
            raise ContractError(f"{name} changed the files it was given")
        if code is None:
            raise ContractError(f"{name} did not end within {script_contract.SCRIPT_SECONDS} s")
        found = []
        for one in script_contract.read_output(code, out, known, err):
            if isinstance(one, str):
                raise ContractError(f"{name} {one}")
            found.append(one)
        return [one for one in found if one[0]]  # there is no message to speak of


def run_on_message(script: str, message: str, scratch: str, seconds: float) -> list[tuple[int, str]]:
    """A script's findings on a commit message, as (line, text); none where it breaks: the commit gate reports that."""
    place, home = os.path.join(scratch, "message"), os.path.join(scratch, "home")
    os.makedirs(home, exist_ok=True)
    _put(place, message.encode("utf-8", "surrogateescape"))
    environment = {**_bare_environment(home), **script_contract.script_environment(message=place)}
    code, out, _ = _run_script([script], home, environment, seconds)
    found = script_contract.read_output(2 if code is None else code, out, {script_contract.MESSAGE_PATH: ""})
    return [(one[1], one[2]) for one in found if not isinstance(one, str)]


def _put(target: str, content: bytes) -> None:
    os.makedirs(os.path.dirname(target), exist_ok=True)
    with open(target, "wb") as file:
        file.write(content)


def _stamp(target: str) -> tuple[int, int, int]:
    try:
        seen = os.lstat(target)
    except OSError:
        return 0, 0, 0
    return seen.st_size, seen.st_mtime_ns, seen.st_ino


def _bare_environment(home: str) -> dict[str, str]:
    return {"PATH": os.environ.get("PATH", os.defpath), "HOME": home, "TMPDIR": home, "LANG": "C.UTF-8"}


def _run_script(
    arguments: list[str], folder: str, environment: dict[str, str], seconds: float = script_contract.SCRIPT_SECONDS
) -> tuple[int | None, str, str]:
    """The exit code of a script and what it printed; None where its time was up, 0 where there is no shell."""
    shell = shutil.which("sh")
    if not shell:
        return 0, "", ""
    process = subprocess.Popen(
        [shell, *arguments], cwd=folder, env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
        stderr=subprocess.PIPE, start_new_session=True,
    )  # fmt: skip
    try:
        out, err = process.communicate(timeout=min(seconds, script_contract.SCRIPT_SECONDS))
    except subprocess.TimeoutExpired:
        if hasattr(os, "killpg"):
            os.killpg(process.pid, 9)
        process.kill()
        process.communicate()
        return None, "", ""
    return process.returncode, out.decode("utf-8", "surrogateescape"), err.decode("utf-8", "replace")


def _status(file: Event) -> str:
    return "D" if file.kind == "delete" else "M" if file.exists else "A"


FOLDER = os.path.join(".rules", "compiled", "shell")
FACTS = "# rulec: "
SECONDS_OF_TURN = 20.0  # that all of them may take


def judge_pending(pending: PendingChange) -> list[EventFinding]:
    """Findings of the scripts that may block, each with its rule's facts; what time does not allow the commit will."""
    files = {file.path: file for file in pending.recent()}
    wanted = [
        one for one in acting_scripts(pending.world.root) if any(_covers(one[1], path, pending) for path in files)
    ]
    if not wanted or not files:
        return []
    until = time.monotonic() + SECONDS_OF_TURN
    seen: list[EventFinding] = []
    with tempfile.TemporaryDirectory(prefix="rulec-") as scratch:
        run = ScriptRun(os.path.join(scratch, "0"), pending, files)
        for number, (path, facts) in enumerate(wanted, 1):
            if time.monotonic() >= until:
                break
            seen += _judged(run, path, facts, files)
            if run.disturbed():
                run = ScriptRun(os.path.join(scratch, str(number)), pending, files)
    return seen


class TrustedScripts:
    """Which scripts may run: those that rulec compiled here, and those of the remote's base."""

    def __init__(self, root: str) -> None:
        self.root = root
        compiled = private_files.read_json(os.path.join(shared_state_directory(root), "scripts.json"))
        self.compiled = frozenset(map(str, compiled.get("compiled") or ()))
        self.of_base: dict[str, str] | None = None

    def __call__(self, name: str, text: str) -> bool:
        if hashlib.sha256(text.encode()).hexdigest() in self.compiled:
            return True
        if self.of_base is None:
            _, self.of_base = remote_base.texts_at_base(self.root, FOLDER)
        return self.of_base.get(name) == text


def acting_scripts(root: str, acts: Callable[[object], bool] = refuses) -> list[tuple[str, Facts]]:
    """The trusted scripts of rules that block, each with its rule's facts; others are left to the commit gate."""
    folder = os.path.join(root, FOLDER)
    known, trusted = [], TrustedScripts(root)
    try:
        names = sorted(name for name in os.listdir(folder) if name.endswith(".sh"))
    except OSError:
        return []
    for name in names:
        try:
            with open(os.path.join(folder, name), encoding="utf-8", newline="") as file:
                text = file.read()
            line = next((line for line in text[:20_000].split("\n")[:4] if line.startswith(FACTS)), "")
            facts = read_facts(json.loads(line[len(FACTS) :]))
            if acts(facts.enforcement) and trusted(name, text):
                known.append((os.path.join(folder, name), facts))
        except (OSError, ValueError, KeyError, TypeError, RecursionError):
            continue
    return known


def _covers(facts: Facts, path: str, pending: PendingChange) -> bool:
    return not path.startswith(".rules/") and _holds_here(facts, pending.agent) and facts.scope.holds(path)


def _holds_here(facts: Facts, agent: str) -> bool:
    """Whether the rule holds for the agent, and on a person's machine."""
    agents, places = facts.scope.agents, facts.scope.environments
    return not ((agents and agent not in agents) or (places and "local" not in places))


def _judged(run: ScriptRun, path: str, facts: Facts, files: dict[str, Event]) -> list[EventFinding]:
    """What one script has against what is new; what it says of a whole file it must not have said of the old one."""
    try:
        found = run.lines(path, "now")
        doubted = [one for one in found if _is_changed(files[one[0]], one[1])]
        old_paths = {run.before[place][0]: place for place, _, _ in doubted if place in run.before}
        before = run.lines(path, "before", [*old_paths]) if old_paths else []
    except ContractError as broken:
        return [EventFinding(facts=facts, fault=str(broken))]
    now = [_as_found(one, files[one[0]].content) for one in found]
    old = [_as_found((old_paths[place], line, text), run.before[old_paths[place]][1]) for place, line, text in before]
    new = new_among([_as_found(one, files[one[0]].content) for one in doubted], now, old)
    return [
        EventFinding(facts=facts, path=place, line=line, text=text)
        for at, (place, line, text) in enumerate(doubted)
        if at in new
    ]


def _is_changed(file: Event, line: int) -> bool:
    """Whether the change touches the line; 0 is the whole file."""
    if not line or not (file.exists or file.stood):
        return True
    return line in {number for number, _ in forbidden_text.added_lines(file)}


def _as_found(found: tuple[str, int, str], content: str | None) -> tuple[str, str]:
    """What is compared with what was found before: the place, and the line however it is spaced."""
    place, line, text = found
    return place, spaced_alike("".join((content or "").split("\n")[line - 1 : line])) if line else text


SECONDS_OF_MESSAGE = 4.0  # that all scripts may take
READS = ('"$RULEC_MESSAGE"', "${RULEC_MESSAGE-}")
LOOKS = ("for path do", "RULEC_CHANGES", "RULEC_BASE", "changes ", "listed ")  # a script that looks at files, too
BODY = "rulec_body() {"


def judge_messages(event: Event, world: Worktree) -> list[EventFinding]:
    """What the scripts have against the messages of a command, each with its rule's facts."""
    # a message is content of the repository that it is committed to, as a file is
    told = [one for one in given_messages(event) if not folders.works_in_other_repository(event, one[0])]
    if not told:
        return []
    scripts = [(path, facts) for path, facts in acting_scripts(world.root, is_shown) if _judges(path)]
    # what exceptions leave alone the commit tells
    scripts = [one for one in scripts if not one[1].exceptions and _holds_here(one[1], event.agent)]
    seen: list[EventFinding] = []
    if not scripts:
        return seen
    until = time.monotonic() + SECONDS_OF_MESSAGE
    with tempfile.TemporaryDirectory(prefix="rulec-") as scratch:
        for path, facts in scripts:
            for call, message in told:
                left = until - time.monotonic()
                lines = run_on_message(path, message, scratch, left) if left > 0 else []
                seen += [_message_finding(facts, call, line, text) for line, text in lines]
    return seen


def _message_finding(facts: Facts, call: Call, line: int, text: str) -> EventFinding:
    seen = f"line {line} of the commit message: {text}" if line else f"the commit message {text}"
    return EventFinding(facts=facts, text=seen[: 2 * action_events.LONGEST_SHOWN], program=call.program)


def _judges(path: str) -> bool:
    """Whether a script reads the message alone, so that it can run before there is a commit."""
    try:
        with open(path, encoding="utf-8") as file:
            body = file.read(200_000).partition(BODY)[2]
    except (OSError, ValueError):
        return False
    return any(mark in body for mark in READS) and not any(mark in body for mark in LOOKS)
