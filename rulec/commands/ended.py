"""``rulec hook ended``: what judges that block say of the files of a turn, for the runtime, which has no model."""

import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from rulec.commands import _asking, _suppressed
from rulec.commands._outcome import Outcome
from rulec.commands._verdicts import facts_of, theirs
from rulec.host import changes, worktree
from rulec.model.artifact import Artifact, compiled_from, facts_data, of_judge
from rulec.model.finding import Verdict

_LEFT = ("judges_failed", "judges_awaited")  # counts of what nobody answered


def run(top: Path, given: str) -> Outcome:
    """One JSON object: what was found, each with its rule, and whether something was not answered in time."""
    files = worktree.compiled_at_hand(top)
    judges = [artifact for artifact in worktree.compiled(files) if of_judge(artifact)]
    blocking = {slug for slug, facts in facts_of(judges).items() if facts.enforcement == "block"}
    judges = [artifact for artifact in judges if compiled_from(artifact.path) in blocking]
    found, left = _judged(top, judges, _paths(given), files) if judges else ([], False)
    return Outcome(json.dumps({"found": found, "left": left}))


def _paths(given: str) -> list[str]:
    try:
        named = json.loads(given)
    except (ValueError, RecursionError):
        return []
    return [path for path in named if isinstance(path, str)] if isinstance(named, list) else []


def _judged(
    top: Path, judges: Sequence[Artifact], paths: Sequence[str], files: dict[str, str]
) -> tuple[list[dict[str, Any]], bool]:
    asking = _asking.at_stop(top)
    change = replace(theirs(changes.at_work(top, paths)), environment="local") if asking and paths else None
    if asking is None or change is None or not change.files:
        return [], False
    from rulec.commands import _judged  # noqa: PLC0415 - as in check: hardly a turn asks a model

    heard = _judged.judged(judges, change, asking)
    verdicts = _suppressed.heeded(heard.verdicts, change, files, top)
    return [_told(one) for one in verdicts if one.finding], any(heard.counts.get(name) for name in _LEFT)


def _told(verdict: Verdict) -> dict[str, Any]:
    """A finding and its rule as the runtime has them."""
    found = verdict.finding
    place = {"path": found.path, "line": found.line, "text": found.text, "cure": found.cure} if found else {}
    unsure = "a model could not tell" if found and not found.sure else False
    more = {"suppressed": True} if verdict.outcome in ("suppressed", "old") else {}
    return {
        "finding": {"slug": verdict.facts.slug, "unsure": unsure, **place, **more},
        "facts": facts_data(verdict.facts),
    }
