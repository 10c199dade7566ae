"""local: worker processes of this machine, with nothing but the standard library."""

import os
import signal
import threading
from collections import Counter, deque
from collections.abc import Callable, Generator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from multiprocessing import active_children, get_context, parent_process
from typing import Any

from rulec.infra.engines.pieces import MOST_DEATHS, PieceEnd, WorkerSettings


def run(work: Callable[[Any], Any], pieces: Sequence[Any], how: WorkerSettings) -> Generator[PieceEnd]:
    """Give each worker one piece at a time; one that dies is replaced, and its piece goes back into the line.

    Every worker has a pool to itself, because a pool that loses one worker gives up the work of all of them.
    """
    waiting, deaths, others = deque(range(len(pieces))), Counter[int](), set(active_children())
    pools = [_pool() for _ in range(min(how.workers, len(pieces)))]
    busy: dict[Future[Any], tuple[int, int]] = {}  # the number of its worker and of its piece
    try:
        while waiting or busy:
            for seat in set(range(len(pools))) - {seat for seat, _ in busy.values()}:
                if waiting:
                    number = waiting.popleft()
                    busy[_submit(pools, seat, work, pieces[number])] = seat, number
            for done in wait(busy, return_when=FIRST_COMPLETED).done:
                seat, number = busy.pop(done)
                try:
                    yield PieceEnd(number, done.result())
                except BrokenProcessPool:
                    _replace(pools, seat)
                    deaths[number] += 1
                    if deaths[number] < MOST_DEATHS:
                        waiting.append(number)
                    else:
                        yield PieceEnd(number, deaths=deaths[number])
    finally:
        for worker in set(active_children()) - others if busy else ():  # we are interrupted: nobody waits for them
            worker.kill()
        for pool in pools:
            pool.shutdown(cancel_futures=True)


def _pool() -> ProcessPoolExecutor:
    return ProcessPoolExecutor(1, mp_context=get_context("spawn"), initializer=_begin_worker)


def _submit(pools: list[ProcessPoolExecutor], seat: int, work: Callable[[Any], Any], piece: Any) -> Future[Any]:
    """Give a piece to a worker, or to its successor where it died while it had nothing to do."""
    try:
        return pools[seat].submit(work, piece)
    except BrokenProcessPool:
        _replace(pools, seat)
        return pools[seat].submit(work, piece)


def _replace(pools: list[ProcessPoolExecutor], seat: int) -> None:
    pools[seat].shutdown(wait=False)
    pools[seat] = _pool()


def _begin_worker() -> None:
    """Leave Ctrl-C to the process that started the worker, and end with it, however that ends."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    parent = parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)
