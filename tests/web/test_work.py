"""Services beside the requests: what they raise is known, and one runs at a time."""

import asyncio
import os
from pathlib import Path
from typing import Any

import pytest

from rulec.errors import RulecError
from rulec.web import work


def refuses() -> None:
    raise RulecError("no", where="here", hint="try")


def breaks() -> None:
    {}["missing"]


def test_a_refusal_and_a_bug_are_told_apart() -> None:
    with pytest.raises(RulecError, match="no") as refused:
        asyncio.run(work.read(refuses))
    assert (refused.value.where, refused.value.hint) == ("here", "try")
    with pytest.raises(KeyError, match="missing"):
        asyncio.run(work.act(breaks))


def counted(folder: Path, gate: str) -> int:
    """How often this ran in a folder; once it began it waits until somebody writes into the gate, if there is one."""
    runs = folder / "runs"
    with runs.open("a") as file:
        file.write("x")
    if gate:
        (folder / gate).read_text()
    return len(runs.read_text())


def _opened(gate: Path) -> Any:
    """The gate's other end, as soon as the run has come to it."""
    return gate.open("w")


def test_one_runs_at_a_time_and_acts_go_before_reads(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "gate")

    async def ask() -> tuple[bool, int, int]:
        first = asyncio.create_task(work.read(counted, tmp_path, "gate"))
        end = await asyncio.to_thread(_opened, tmp_path / "gate")
        read = asyncio.create_task(work.read(counted, tmp_path, ""))
        await asyncio.sleep(0.05)
        act = asyncio.create_task(work.act(counted, tmp_path, ""))
        await asyncio.sleep(0.05)
        waits = not (read.done() or act.done())
        end.close()
        await first
        return waits, await act, await read

    assert asyncio.run(ask()) == (True, 2, 3)


def test_who_went_away_keeps_nobody_waiting(tmp_path: Path) -> None:
    async def ask() -> int:
        gone = asyncio.create_task(work.read(counted, tmp_path, ""))
        await asyncio.sleep(0)
        gone.cancel()
        return await work.act(counted, tmp_path, "")

    assert asyncio.run(ask()) in (1, 2)
