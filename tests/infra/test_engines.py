"""Each engine does every piece once it can, whichever workers are killed."""

import os
import signal
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from rulec import registry
from rulec.domain.plugs import MOST_DEATHS, EngineSettings, PieceEnd
from tests.support.corpora import squared_unless_killed, write_and_wait

HERE = [name for name in ("local", "dask") if not registry.engine(name).missing()]
NO_RAY = pytest.mark.skipif(bool(registry.engine("ray").missing()), reason="ray, 240 MB, is not a part of rulec[dev]")


def _run(name: str, pieces: Sequence[Any], workers: int = 2) -> list[PieceEnd]:
    ends = registry.engine(name).run(squared_unless_killed, pieces, EngineSettings(workers=workers))
    return sorted(ends, key=lambda end: end.number)


def _piece(number: int, folder: Path, times: int = 0) -> tuple[int, str, int]:
    return number, str(folder / str(number)), times


def test_the_engines_of_the_extra_are_here() -> None:
    assert HERE == ["local", "dask"]
    assert {"local", "dask", "ray"} <= set(registry.engines())


@pytest.mark.parametrize(
    "name",
    ["local", pytest.param("dask", marks=pytest.mark.e2e), pytest.param("ray", marks=[pytest.mark.e2e, NO_RAY])],
)
def test_a_piece_is_done_by_another_worker_where_one_is_killed(name: str, tmp_path: Path) -> None:
    """Piece 1 kills a worker once; piece 3 kills whoever takes it, and is given up."""
    pieces = [_piece(n, tmp_path, {1: 1, 3: 99}.get(n, 0)) for n in range(6)]
    ends = _run(name, pieces)
    assert [(end.number, end.value) for end in ends] == [(0, 0), (1, 1), (2, 4), (3, None), (4, 16), (5, 25)]
    assert ends[3].deaths == MOST_DEATHS
    assert [len(Path(path).read_text()) if Path(path).exists() else 0 for _, path, _ in pieces] == [0, 1, 0, 3, 0, 0]


def test_what_the_work_raises_is_raised(tmp_path: Path) -> None:
    with pytest.raises(TypeError):
        _run("local", [("no number", str(tmp_path / "0"), 0)], workers=1)


@pytest.mark.e2e
def test_the_workers_end_with_a_driver_that_is_killed(tmp_path: Path) -> None:
    """The worker holds the writing end of a pipe: that it closes shows that it is gone."""
    reading, writing = os.pipe()
    os.set_inheritable(writing, True)
    child = os.fork()
    if child == 0:
        os.close(reading)
        _drive_until_killed(tmp_path, writing)
    os.close(writing)
    assert os.read(reading, 1) == b"w"  # the worker works
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    assert os.read(reading, 1) == b""
    os.close(reading)


def _drive_until_killed(folder: Path, writing: int) -> None:
    pipe = folder / "pipe"
    os.mkfifo(pipe)
    opened = f"/proc/{os.getpid()}/fd/{writing}"
    for _ in registry.engine("local").run(write_and_wait, [(opened, str(pipe))], EngineSettings(workers=1)):
        pass
    os._exit(1)
