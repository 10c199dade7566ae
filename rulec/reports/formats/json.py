"""Verdicts as one JSON object for scripts."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any

from rulec.domain.finding import ProofRow, Verdict
from rulec.domain.plugs import Reporter
from rulec.reports.wording import to_utf8


def report(verdicts: Sequence[Verdict], counts: Mapping[str, int], rows: Sequence[ProofRow] = ()) -> str:
    """``{"verdicts": [{"outcome", "facts", "finding", "fault", "lost", "because"}, …], "counts": {…}}``.

    Where rules apply to steps, ``"proofs": [{"rule", "level", "step", "how", "by"}, …]`` follows.
    """
    told: dict[str, Any] = {"verdicts": [_spelled(asdict(verdict)) for verdict in verdicts], "counts": dict(counts)}
    if rows:
        told["proofs"] = [_spelled(asdict(row)) for row in rows]
    return json.dumps(told, ensure_ascii=False)


def _spelled(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _spelled(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_spelled(item) for item in value]
    return to_utf8(value) if isinstance(value, str) else value


PLUG = Reporter(name="json", report=report)
