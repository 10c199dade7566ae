"""Single messages -> how likely each is a lasting correction; loads nothing of what drafts checks."""

import json
from collections.abc import Iterable, Iterator
from typing import Any

from rulec.errors import RulecError
from rulec.mining.correction_detection import score_turn


def score_turns(lines: Iterable[str], source: str) -> Iterator[dict[str, Any]]:
    """For each JSON line (text, prev_text, prev_tools, interrupted, kind) one object with its score."""
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        row = _row(line, f"{source}:{number}")
        scored = score_turn(
            _text(row, "text"),
            _text(row, "prev_text"),
            _text(row, "prev_tools"),
            bool(row.get("interrupted")),
            _text(row, "kind"),
        )
        yield {"label": scored.label, "band": scored.band, "score": scored.score, "reasons": list(scored.reasons)}


def _row(line: str, where: str) -> dict[str, Any]:
    hint = (
        'write {"text": "…", "prev_text": "…", "prev_tools": "…", "interrupted": false, "kind": "typed"} on each line'
    )
    try:
        row = json.loads(line)
    except (ValueError, RecursionError):
        raise RulecError("is no JSON", where=where, hint=hint) from None
    if not isinstance(row, dict) or not isinstance(row.get("text"), str):
        raise RulecError("has no text", where=where, hint=hint)
    return row


def _text(row: dict[str, Any], key: str) -> str:
    value = row.get(key) or ""
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
