"""Services beside the requests: what they raise is known, acts come one after the other and wait for no read."""

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


def test_an_act_waits_for_no_read(tmp_path: Path) -> None:
    gates = [f"gate{number}" for number in range(work.READS_AT_ONCE)]
    for gate in gates:
        os.mkfifo(tmp_path / gate)

    async def ask() -> int:
        reads = [asyncio.create_task(work.read(counted, tmp_path, gate)) for gate in gates]
        ends = [await asyncio.to_thread(_opened, tmp_path / gate) for gate in gates]
        acted = await work.act(counted, tmp_path, "")
        for end in ends:
            end.close()
        await asyncio.gather(*reads)
        return acted

    assert asyncio.run(ask()) == work.READS_AT_ONCE + 1


def test_acts_come_one_after_the_other(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "gate")

    async def ask() -> tuple[bool, int]:
        first = asyncio.create_task(work.act(counted, tmp_path, "gate"))
        end = await asyncio.to_thread(_opened, tmp_path / "gate")
        second = asyncio.create_task(work.act(counted, tmp_path, ""))
        await asyncio.sleep(0.05)
        waits = not second.done()
        end.close()
        await first
        return waits, await second

    assert asyncio.run(ask()) == (True, 2)
