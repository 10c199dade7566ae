"""Single turns scored on their own."""

import json

from tests.conftest import Run

ROWS = [
    {"text": "rule: use pnpm, never npm.", "prev_text": "Done.", "prev_tools": "Bash", "kind": "typed"},
    {"text": "What does the report look like?", "prev_text": "", "prev_tools": None, "interrupted": None, "kind": None},
]


def test_each_row_gets_one_answer_in_order(rulec: Run) -> None:
    said = rulec("detect", "-", "--format", "json", stdin="".join(json.dumps(row) + "\n" for row in ROWS)).stdout
    first, second = map(json.loads, said.splitlines())
    assert (first["label"], first["band"]) == ("durable", "auto")
    assert (second["label"], second["band"]) == ("none", "none")
    assert first["score"] > second["score"]
    assert first["reasons"]


def test_a_row_that_cannot_be_read_is_named(rulec: Run) -> None:
    assert ":2: is no JSON; write " in rulec("detect", "-", stdin=json.dumps(ROWS[0]) + "\nno\n", code=2).stderr
    assert ":1: has no text; write " in rulec("detect", "-", stdin="{}\n", code=2).stderr
