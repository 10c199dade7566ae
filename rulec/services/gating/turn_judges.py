"""Asks judges about the files of an agent's turn, for the hook, which cannot ask a model itself."""

import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from rulec.domain.artifact import Artifact, facts_data, is_judge_check, slug_of_artifact
from rulec.domain.enforcement import refuses
from rulec.domain.finding import Verdict
from rulec.domain.outcome import Outcome
from rulec.gates.findings import suppressions
from rulec.gates.findings.verdicts import facts_by_slug, without_rulebook
from rulec.gates.judging import judge_settings
from rulec.infra.git import git_changes
from rulec.infra.rulebooks import rulebook_files

_LEFT = ("judges_failed", "judges_awaited")  # counts of what nobody answered


def judge_turn_end(top: Path, given: str) -> Outcome:
    """The findings with their rules as one JSON object, and whether some judge did not answer in time."""
    files = rulebook_files.compiled_in_work_tree(top)
    judges = [artifact for artifact in rulebook_files.compiled_checks(files) if is_judge_check(artifact)]
    blocking = {slug for slug, facts in facts_by_slug(judges).items() if refuses(facts.enforcement)}
    judges = [artifact for artifact in judges if slug_of_artifact(artifact.path) in blocking]
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
    asking = judge_settings.judges_at_stop(top)
    change = (
        replace(without_rulebook(git_changes.uncommitted_change(top, paths)), environment="local")
        if asking and paths
        else None
    )
    if asking is None or change is None or not change.files:
        return [], False
    from rulec.gates.judging import judge_change  # noqa: PLC0415 - as in check: hardly a turn asks a model

    heard = judge_change.judge_change(judges, change, asking)
    verdicts = suppressions.mark_suppressed(heard.verdicts, change, files, top)
    return [_plain_finding(one) for one in verdicts if one.finding], any(heard.counts.get(name) for name in _LEFT)


def _plain_finding(verdict: Verdict) -> dict[str, Any]:
    """A finding and its rule in the form that the hook reads."""
    found = verdict.finding
    place = {"path": found.path, "line": found.line, "text": found.text, "cure": found.cure} if found else {}
    unsure = "a model could not tell" if found and not found.sure else False
    more = {"suppressed": True} if verdict.outcome in ("suppressed", "old") else {}
    return {
        "finding": {"slug": verdict.facts.slug, "unsure": unsure, **place, **more},
        "facts": facts_data(verdict.facts),
    }
