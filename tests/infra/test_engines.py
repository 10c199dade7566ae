"""Each engine does every piece once it can, whichever workers are killed."""

import contextlib
import os
import signal
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from rulec.infra.corpus.workers import PieceEnd, WorkerSettings, run_pieces
from tests.support.corpora import squared_unless_killed, write_and_wait
from tests.support.started import wait_until
from tests.support.world import begin

BOTH = ["local", pytest.param("dask", marks=pytest.mark.e2e)]


def _run(name: Any, pieces: Sequence[Any], workers: int = 2) -> list[PieceEnd]:
    ends = run_pieces(squared_unless_killed, pieces, WorkerSettings(engine=name, workers=workers))
    return sorted(ends, key=lambda end: end.number)


def _piece(number: int, folder: Path, times: int = 0) -> tuple[int, str, int]:
    return number, str(folder / str(number)), times


@pytest.mark.parametrize("name", BOTH)
def test_a_piece_is_done_by_another_worker_where_one_is_killed(name: str, tmp_path: Path) -> None:
    """Piece 1 kills a worker once; piece 3 kills whoever takes it, and is given up."""
    pieces = [_piece(n, tmp_path, {1: 1, 3: 99}.get(n, 0)) for n in range(6)]
    ends = _run(name, pieces)
    assert [(end.number, end.value) for end in ends] == [(0, 0), (1, 1), (2, 4), (3, None), (4, 16), (5, 25)]
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
    for _ in run_pieces(write_and_wait, [(opened, str(pipe))], WorkerSettings(workers=1)):
        pass
    os._exit(1)


_INTERRUPTED = """
import os, sys
from rulec.infra.corpus.workers import WorkerSettings
from rulec.infra.corpus.workers import run_pieces
from tests.support.corpora import write_and_wait

if __name__ == "__main__":
    how = WorkerSettings(engine=sys.argv[2], workers=2, scratch=sys.argv[1])
    pieces = [(f"{sys.argv[1]}/begun-{n}", f"{sys.argv[1]}/pipe") for n in range(2)]
    for _ in run_pieces(write_and_wait, pieces, how):
        pass
"""


@pytest.mark.parametrize("name", BOTH)
def test_ctrl_c_ends_a_run_whose_workers_never_would(name: str, tmp_path: Path) -> None:
    """Ctrl-C goes to the whole group, as a terminal sends it: the driver ends, and the workers say nothing."""
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "drive.py").write_text(_INTERRUPTED)
    argv = [sys.executable, str(tmp_path / "drive.py"), str(tmp_path), name]
    here = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[2])}
    driver = subprocess.Popen(argv, stderr=subprocess.PIPE, text=True, start_new_session=True, env=here)
    try:
        wait_until(lambda: all((tmp_path / f"begun-{n}").exists() for n in range(2)), driver)
        os.killpg(driver.pid, signal.SIGINT)
        _, said = driver.communicate(timeout=30)
    finally:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(driver.pid, signal.SIGKILL)
    assert said.count("Traceback") == said.count("KeyboardInterrupt") == 1  # the driver's own: the verb has words
    assert list(tmp_path.glob("rulec-dask-*")) == []


@pytest.mark.e2e
@pytest.mark.parametrize("address", ["tls://127.0.0.1:9", ":::"])
def test_a_cluster_that_cannot_be_is_one_line_and_nothing_is_written(address: str, tmp_path: Path) -> None:
    (tmp_path / "in").mkdir()
    (tmp_path / "in/one.txt").write_text("buy milk\n")
    told = begin(tmp_path, "mine-corpus", "in", "--engine", "dask", "--cluster", address, "--out", "out", code=2)
    assert "no cluster answers" in told.err
    assert len(told.err.splitlines()) == 1
    assert not (tmp_path / "out").exists()
