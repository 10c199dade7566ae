"""Scores single turns: how likely each holds for next time too."""

import json
from collections.abc import Iterable, Iterator
from typing import Any

from rulec.errors import RulecError
from rulec.mining.correction_detection import score_turn


def score_turns(lines: Iterable[str], source: str) -> Iterator[dict[str, Any]]:
    """One object for each line, in order; a line holds text, prev_text, prev_tools, interrupted and kind."""
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        row = _row(line, f"{source}:{number}")
        told = score_turn(
            _text(row, "text"),
            _text(row, "prev_text"),
            _text(row, "prev_tools"),
            bool(row.get("interrupted")),
            _text(row, "kind"),
        )
        yield {"label": told.label, "band": told.band, "score": told.score, "reasons": list(told.reasons)}


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
