"""A run that asks by files may be killed before any write of its own: the next one hears every answer all the same."""

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.laws import test_kills as kills
from tests.services.test_continue import answer
from tests.support.session import pnpm
from tests.support.world import act, copy

pytestmark = pytest.mark.e2e

OURS = ("/.rulec", "/rulec/answers", "/rulec/exchange", "/rulec/ends")


def _kind(event: str, given: tuple[Any, ...]) -> str:
    """What is about to happen to the exchange, the answers or what is remembered of the run."""
    writes = event in kills.WRITES or (
        event == "open" and isinstance(given[2], int) and bool(given[2] & (os.O_WRONLY | os.O_CREAT))
    )
    return f"{event} {Path(str(given[0])).name}" if writes and any(one in str(given[0]) for one in OURS) else ""


@pytest.mark.parametrize("moment", ["when it asks", "when it hears"])
def test_no_kill_loses_a_question_or_an_answer(
    moment: str, seeded: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(kills, "_kind", _kind)
    start, top = copy(seeded, tmp_path / "start"), tmp_path / "top"
    transcript = str(pnpm(start, "Use pnpm, not npm.").save(tmp_path / "t.jsonl"))
    begin, resume = ("ingest", transcript, "--backend", "exchange"), ("ingest", "--continue", "--yes")
    if moment == "when it hears":
        act(start, *begin)
        answer(start)
    argv = resume if moment == "when it hears" else begin
    points = _counted(copy(start, top), argv)
    assert points
    for point in range(points):
        kills._forked(copy(start, top), argv, kills._killer(point))
        act(top, *begin)
        for _ in ("mine", "draft"):
            answer(top)
            act(top, *resume, code=None)
        act(top, "ingest", transcript, "--yes", "--backend", "exchange")
        assert (top / ".rules/use-pnpm.yaml").is_file(), point
        assert not (top / ".rulec").exists(), point


def _counted(top: Path, argv: tuple[str, ...]) -> int:
    """How many writes of its own it makes."""
    note = top.parent / "note"
    note.touch()

    def write_down(kind: str) -> None:
        with note.open("a") as file:
            file.write(f"{kind}\n")

    told: Callable[[str], None] = write_down
    assert kills._forked(top, argv, told) == 0
    return len(note.read_text().splitlines())
