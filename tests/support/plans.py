"""The real plans that are labelled in tests/cases/plans, as the texts that the agents wrote."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from rulec.transcripts.reading.json_records import parse_objects

LABELS = [
    json.loads(line)
    for line in (Path(__file__).parents[1] / "cases/plans/labels.jsonl").read_text("utf-8").splitlines()
]
# The first folder above that has them: work trees lie deeper than a clone.
DATA = next(
    (one / "shared/data/transcripts" for one in Path(__file__).parents if (one / "shared/data").is_dir()), Path()
)


def labelled_plans(of: str = "") -> list[tuple[dict[str, Any], str]]:
    """Labels with their texts, of one set or of all."""
    if not DATA.name:
        pytest.skip("../shared/data is absent")
    return [(label, _text(label)) for label in LABELS if of in ("", label["set"])]


def _text(label: dict[str, Any]) -> str:
    lines = (DATA / label["file"]).read_bytes().split(b"\n")
    if label["form"] == "tasks":  # one call a task
        return json.dumps([one["input"] for line in lines for one in _calls(line) if one["name"] == "TaskCreate"])
    record = next(one for one in parse_objects(lines[label["line"] - 1]) if isinstance(one, dict))
    if "planContent" in record:
        return str(record["planContent"])
    call = next((one for one in _calls(lines[label["line"] - 1]) if one["id"] == label["call"]), None)
    if call is not None:
        return str(call["input"]["plan"]) if "plan" in call["input"] else json.dumps(call["input"])
    arguments = str(record["payload"]["arguments"])
    if label["call"]:
        return arguments
    script = json.loads(arguments)["command"][-1]  # which writes the file from what stands between two marks
    return str(script).partition("\n")[2].rpartition("\nEOF")[0] + "\n"


def _calls(line: bytes) -> Iterator[dict[str, Any]]:
    for record in parse_objects(line):
        message = record.get("message") if isinstance(record, dict) else None
        content = message.get("content") if isinstance(message, dict) else None
        for block in content if isinstance(content, list) else ():
            if isinstance(block, dict) and block.get("type") == "tool_use":
                yield block
