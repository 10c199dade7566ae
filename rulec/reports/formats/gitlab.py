"""Verdicts as GitLab's code quality report."""

import hashlib
import json
from collections.abc import Mapping, Sequence
from typing import Any

from rulec.domain.enforcement import MODES, SEVERITIES
from rulec.domain.finding import ProofRow, Verdict
from rulec.domain.plugs import Reporter
from rulec.reports.wording import describe_verdict, file_of, fingerprints, to_utf8, unjudged_lines

_SEVERITIES = {  # by the level of what a finding does, the gravest rules first
    "error": ("blocker", "critical", "major"),
    "warning": ("major", "minor", "minor"),
    "note": ("info", "info", "info"),
}


def report(verdicts: Sequence[Verdict], counts: Mapping[str, int], _: Sequence[ProofRow] = ()) -> str:
    """A list of issues without old and excepted findings, which are no news for a merge request."""
    told = [(v, mark) for v, mark in zip(verdicts, fingerprints(verdicts), strict=True) if v.outcome in MODES]
    entries = [*(_entry(verdict, mark) for verdict, mark in told), *map(_unheard, unjudged_lines(counts))]
    return json.dumps(entries, ensure_ascii=False)


def _unheard(what: str) -> dict[str, Any]:
    """An issue for judges that were not asked, placed at the settings: the format knows nothing that was not done."""
    return {
        "description": what,
        "check_name": "rulec",
        "fingerprint": hashlib.sha256(what.encode()).hexdigest()[:32],
        "severity": "info",
        "location": {"path": ".rules/config.yaml", "lines": {"begin": 1}},
    }


def _entry(verdict: Verdict, mark: str) -> dict[str, Any]:
    facts, finding = verdict.facts, verdict.finding
    # an entry has to name a file: what is about a message or a broken check is told at the rule
    path = to_utf8(file_of(verdict)) or f".rules/{facts.slug}.yaml"
    return {
        "description": describe_verdict(verdict),
        "check_name": facts.slug,
        "fingerprint": mark,
        "severity": _SEVERITIES[MODES[verdict.outcome].level][SEVERITIES.index(facts.severity)],
        "location": {"path": path, "lines": {"begin": (finding.line if finding else 0) or 1}},
    }


PLUG = Reporter(name="gitlab", report=report)
