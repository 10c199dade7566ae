"""Shell checks on the work tree: the compiled scripts, run over copies of what stands changed."""

import json
import os
import tempfile
import time

from rulec.domain.patterns import globs
from rulec.guard.content import forbidden_text
from rulec.hook.runners.script_runs import ContractError, ScriptRun
from rulec.shell.action_events import finding_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from rulec.checkout.pending_change import PendingChange


FOLDER = os.path.join(".rules", "compiled", "shell")
FACTS = "# rulec: "
SECONDS = 20.0  # that all of them may take


def judge_pending(pending: "PendingChange") -> "list[tuple[dict[str, Any], dict[str, Any]]]":
    """Findings of the scripts that may block, each with its rule's facts; what time does not allow the commit will."""
    files = {file["path"]: file for file in pending.recent() if "\n" not in file["path"]}
    wanted = [
        one for one in acting_scripts(pending.world.root) if any(_covers(one[1], path, pending) for path in files)
    ]
    if not wanted or not files:
        return []
    until = time.monotonic() + SECONDS
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
    """The scripts of rules that block, each with its rule's facts; a damaged one is the commit's to tell."""
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
        return [finding_of(slug, fault=str(broken))]
    kept = []
    for place, line, text in lines:
        fresh = (
            {number for number, _ in forbidden_text.added_lines(files[place])}
            if files[place]["exists"] and line
            else None
        )
        if (line and (fresh is None or line in fresh)) or (not line and (place, text) not in old):
            kept.append(finding_of(slug, path=place, line=line, text=text))
    return kept
