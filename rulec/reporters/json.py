"""Verdicts as one JSON object for scripts."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict

from rulec.model.finding import Verdict
from rulec.ports import Reporter


def report(verdicts: Sequence[Verdict], counts: Mapping[str, int]) -> str:
    """``{"verdicts": […], "counts": {…}}``."""
    return json.dumps(
        {"verdicts": [asdict(verdict) for verdict in verdicts], "counts": dict(counts)}, ensure_ascii=False
    )


PLUG = Reporter(name="json", report=report)
