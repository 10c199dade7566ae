"""Commit messages that a command gives itself, judged before it runs by the scripts that judge them at commit-msg."""

import tempfile
import time

from rulec.hook.runners import script_runs, shell_checks
from rulec.shell import action_events, git_branches
from rulec.shell.commit_messages import given_messages
from rulec.shell.parsing.call import Call

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from rulec.checkout.worktree import Worktree


SECONDS = 4.0  # that all scripts may take
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
    scripts = [
        (path, facts) for path, facts in shell_checks.acting_scripts(world.root, ("block", "warn")) if _judges(path)
    ]
    scripts = [(path, facts) for path, facts in scripts if _speaks(facts, str(event.get("agent") or ""))]
    seen: "list[tuple[dict[str, Any], dict[str, Any]]]" = []
    if not scripts:
        return seen
    until = time.monotonic() + SECONDS
    with tempfile.TemporaryDirectory(prefix="rulec-") as scratch:
        for path, facts in scripts:
            for call, message in told:
                left = until - time.monotonic()
                lines = script_runs.run_on_message(path, message, scratch, left) if left > 0 else []
                seen += [(_finding(facts, call, line, text), facts) for line, text in lines]
    return seen


def _finding(facts: "dict[str, Any]", call: Call, line: int, text: str) -> "dict[str, Any]":
    seen = f"line {line} of the commit message: {text}" if line else f"the commit message {text}"
    return action_events.finding_of(facts["slug"], text=seen[: 2 * action_events.LONGEST_SHOWN], program=call.program)


def _judges(path: str) -> bool:
    """Whether a script reads the message and nothing else, so that it can tell before there is a commit."""
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
