"""A run that asks by files may be killed before any write of its own: the next one hears every answer all the same."""

from pathlib import Path
from typing import Any

import pytest

from tests.services.test_continue import answer
from tests.support import kills
from tests.support.session import pnpm
from tests.support.world import act, copy

pytestmark = pytest.mark.e2e

OURS = ("/.rulec", "/rulec/answers", "/rulec/exchange", "/rulec/ends")


def _kind(event: str, given: tuple[Any, ...]) -> str:
    """What is about to happen to the exchange, the answers or what is remembered of the run."""
    ours = kills.writes(event, given) and any(one in str(given[0]) for one in OURS)
    return f"{event} {Path(str(given[0])).name}" if ours else ""


@pytest.mark.parametrize("moment", ["when it asks", "when it hears"])
def test_no_kill_loses_a_question_or_an_answer(moment: str, seeded: Path, tmp_path: Path) -> None:
    start, top = copy(seeded, tmp_path / "start"), tmp_path / "top"
    transcript = str(pnpm(start, "Use pnpm, not npm.").save(tmp_path / "t.jsonl"))
    begin, resume = ("ingest", transcript, "--backend", "exchange"), ("ingest", "--continue", "--yes")
    if moment == "when it hears":
        act(start, *begin)
        answer(start)
    argv = resume if moment == "when it hears" else begin
    code, found = kills.events(copy(start, top), argv, tmp_path / "note", _kind)
    assert code == 0
    assert found
    for point in range(len(found)):
        kills.forked(copy(start, top), argv, kills.killer(point), _kind)
        act(top, *begin)
        for _ in ("mine", "challenge", "draft"):
            answer(top)
            act(top, *resume, code=None)
        act(top, "ingest", transcript, "--yes", "--backend", "exchange")
        assert (top / ".rules/use-pnpm.yaml").is_file(), point
        assert not (top / ".rulec").exists(), point
