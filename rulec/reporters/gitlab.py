"""Verdicts as GitLab's code quality report."""

import json
from collections.abc import Mapping, Sequence
from typing import Any

from rulec.model.finding import Verdict
from rulec.ports import Reporter
from rulec.reporters._told import marks, said, utf8, where

_SEVERITY = {
    ("block", "must"): "blocker", ("block", "should"): "critical", ("block", "style"): "major",
    ("warn", "must"): "major", ("warn", "should"): "minor", ("warn", "style"): "minor",
}  # fmt: skip


def report(verdicts: Sequence[Verdict], _: Mapping[str, int]) -> str:
    """A list; what is old or suppressed is no news for a merge request, and is left out."""
    told = [(v, mark) for v, mark in zip(verdicts, marks(verdicts), strict=True) if v.outcome in _NEWS]
    return json.dumps([_entry(verdict, mark) for verdict, mark in told], ensure_ascii=False)


_NEWS = ("block", "warn", "audit")


def _entry(verdict: Verdict, mark: str) -> dict[str, Any]:
    facts, finding = verdict.facts, verdict.finding
    # an entry has to name a file: what is about a message or a broken check is told at the rule
    path = utf8(where(verdict)) or f".rules/{facts.slug}.yaml"
    return {
        "description": said(verdict),
        "check_name": facts.slug,
        "fingerprint": mark,
        "severity": _SEVERITY.get((verdict.outcome, facts.severity), "info"),
        "location": {"path": path, "lines": {"begin": (finding.line if finding else 0) or 1}},
    }


PLUG = Reporter(name="gitlab", report=report)
