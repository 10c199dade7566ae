"""Runs one function over many pieces of work: in processes of this machine, or in workers of Dask."""

import importlib.util
import logging
import os
import signal
import tempfile
import threading
from collections import Counter, deque
from collections.abc import Callable, Generator, Iterable, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import ExitStack
from dataclasses import dataclass
from multiprocessing import active_children, get_context, parent_process
from typing import Any, Literal

from rulec.errors import RulecError
from rulec.infra.processes import without_interrupts

MOST_DEATHS = 3  # workers that may die on one piece


@dataclass(frozen=True, slots=True, kw_only=True)
class WorkerSettings:
    """What runs the workers, how many it starts here, or the address of a cluster that is there already."""

    engine: Literal["local", "dask"] = "local"
    workers: int = 1
    cluster: str = ""
    scratch: str = ""  # a folder for files of its own, which whoever runs it deletes; "" for any


@dataclass(frozen=True, slots=True)
class PieceEnd:
    """How one piece of work ended: with a value, or with None where ``MOST_DEATHS`` workers died on it."""

    number: int
    value: Any = None


def run_pieces(work: Callable[[Any], Any], pieces: Sequence[Any], how: WorkerSettings) -> Generator[PieceEnd]:
    """Yield one end for each piece, as they come; any worker may be killed at any time.

    A piece whose worker died is given to another one, up to ``MOST_DEATHS`` times; so the function has to do the same
    when it runs again. What the function raises is raised.
    """
    return run_on_dask(work, pieces, how) if how.engine == "dask" else run_locally(work, pieces, how)


def require_engine(how: WorkerSettings) -> None:
    """Refuse what lacks its library, and a cluster that is none of Dask."""
    if how.engine == "dask" and (lacking := _lacking_dask()):
        raise RulecError("the engine dask is not installed", hint=lacking)
    if how.engine == "local" and how.cluster:
        raise RulecError("the engine local uses no cluster", where="--cluster", hint="leave --cluster out")


def require_cluster(how: WorkerSettings) -> None:
    """Refuse a cluster that does not answer."""
    if how.cluster:
        _reach(how)


def run_locally(work: Callable[[Any], Any], pieces: Sequence[Any], how: WorkerSettings) -> Generator[PieceEnd]:
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
                        yield PieceEnd(number)
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


_SECONDS = "30s"  # until a cluster has to answer
_DEAF = "import signal; signal.signal(signal.SIGINT, signal.SIG_IGN)"  # of workers that take the place of others


def run_on_dask(work: Callable[[Any], Any], pieces: Sequence[Any], how: WorkerSettings) -> Generator[PieceEnd]:
    """Give each thread of a worker one piece at a time.

    The scheduler blames a dead worker on all that had been given to it, so that nobody is given more than it works on;
    how often a piece is tried is counted here. That it gives up a piece at once can be told to our own scheduler alone:
    on a cluster each try is as many as that one's ``allowed-failures`` say.
    """
    import dask  # noqa: PLC0415 - half a second, and a library of an extra
    from distributed import as_completed  # noqa: PLC0415 - as above
    from distributed.scheduler import KilledWorker  # noqa: PLC0415 - as above

    with ExitStack() as stack:
        stack.enter_context(dask.config.set({"distributed.scheduler.allowed-failures": 0}))
        client = _client(stack, how)
        waiting, deaths = deque(range(len(pieces))), Counter[int]()
        busy: dict[Any, tuple[int, str]] = {}  # the number of the piece and the address of its worker
        line = as_completed(raise_errors=False)
        while waiting or busy:
            for address in _free_workers(client, busy.values()) or ([] if busy else [""]):
                if waiting:
                    number = waiting.popleft()
                    there = {"workers": [address], "allow_other_workers": True} if address else {}
                    made = client.submit(work, pieces[number], pure=False, **there)
                    busy[made.key] = number, address
                    line.add(made)
            done = next(line)
            number, _ = busy.pop(done.key)
            try:
                yield PieceEnd(number, done.result())
            except KilledWorker:
                deaths[number] += 1
                if deaths[number] < MOST_DEATHS:
                    waiting.append(number)
                else:
                    yield PieceEnd(number)
            done.release()


def _free_workers(client: Any, busy: Iterable[tuple[int, str]]) -> list[str]:
    """The addresses of the workers that are there and do nothing, one for each thread."""
    held = Counter(address for _, address in busy)
    return [address for address, many in client.nthreads().items() for _ in range(many - held[address])]


def _client(stack: ExitStack, how: WorkerSettings) -> Any:
    """A client of the cluster, or of workers that are started here and end with the run."""
    from distributed import Client, LocalCluster  # noqa: PLC0415 - as above

    if how.cluster:
        try:
            return stack.enter_context(Client(how.cluster, timeout=_SECONDS))
        except Exception as error:  # noqa: BLE001 - whatever an address makes of it: TypeError for tls://
            hint = "give the address of a Dask scheduler, such as tcp://10.0.0.5:8786"
            raise RulecError(f"no cluster answers: {error}", where=how.cluster, hint=hint) from None
    made = tempfile.TemporaryDirectory(prefix="rulec-dask-", dir=how.scratch or None, ignore_cleanup_errors=True)
    folder = stack.enter_context(made)
    with without_interrupts():  # the workers inherit it
        cluster = LocalCluster(
            n_workers=how.workers, threads_per_worker=1, processes=True, dashboard_address=None,
            local_directory=folder, silence_logs=logging.CRITICAL, preload=[_DEAF],
        )  # fmt: skip
    return stack.enter_context(Client(stack.enter_context(cluster)))


def _reach(how: WorkerSettings) -> None:
    """See that the cluster answers."""
    with ExitStack() as stack:
        _client(stack, how)


def _lacking_dask() -> str:
    """What has to be installed first."""
    return "" if importlib.util.find_spec("distributed") else "pip install 'rulec[corpus]'"
