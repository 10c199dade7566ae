"""Scripts of rules: those that may run here, and what they have against a message before its commit."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import subprocess
import tempfile
import time

from rulec.checkout import private_files, remote_base
from rulec.checkout.worktree import shared_state_directory
from rulec.domain.compiled_rule import EventFinding, Facts, read_facts
from rulec.domain.enforcement import is_shown, refuses
from rulec.shell import action_events, script_contract
from rulec.shell.git import folders
from rulec.shell.git.commit_messages import given_messages
from rulec.shell.parsing.call import Call

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from rulec.checkout.worktree import Worktree
    from rulec.shell.action_events import Event


def run_on_message(script: str, message: str, scratch: str, seconds: float) -> list[tuple[int, str]]:
    """A script's findings on a commit message, as (line, text); none where it breaks: the commit gate reports that."""
    shell, place = shutil.which("sh"), os.path.join(scratch, "message")
    if not shell:
        return []
    with open(place, "wb") as file:
        file.write(message.encode("utf-8", "surrogateescape"))
    bare = {"PATH": os.environ.get("PATH", os.defpath), "HOME": scratch, "TMPDIR": scratch, "LANG": "C.UTF-8"}
    process = subprocess.Popen(
        [shell, script], cwd=scratch, env={**bare, **script_contract.script_environment(message=place)},
        stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, start_new_session=True,
    )  # fmt: skip
    try:
        out = process.communicate(timeout=min(seconds, script_contract.SCRIPT_SECONDS))[0]
    except subprocess.TimeoutExpired:
        if hasattr(os, "killpg"):
            os.killpg(process.pid, 9)
        process.kill()
        process.communicate()
        return []
    text = out.decode("utf-8", "surrogateescape")
    found = script_contract.read_output(process.returncode, text, {script_contract.MESSAGE_PATH: ""})
    return [(one[1], one[2]) for one in found if not isinstance(one, str)]


FOLDER = os.path.join(".rules", "compiled", "shell")
FACTS = "# rulec: "


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


def holds_here(facts: Facts, agent: str) -> bool:
    """Whether the rule holds for the agent, and on a person's machine."""
    agents, places = facts.scope.agents, facts.scope.environments
    return not ((agents and agent not in agents) or (places and "local" not in places))


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
    scripts = [one for one in scripts if not one[1].exceptions and holds_here(one[1], event.agent)]
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
