"""dask: workers of Dask's distributed scheduler, on this machine or on a cluster."""

import importlib.util
import logging
import tempfile
from collections import Counter, deque
from collections.abc import Callable, Generator, Iterable, Sequence
from contextlib import ExitStack
from typing import Any

from rulec.errors import RulecError
from rulec.infra.engines.pieces import MOST_DEATHS, PieceEnd, WorkerSettings
from rulec.infra.processes import without_interrupts

_SECONDS = "30s"  # until a cluster has to answer
_DEAF = "import signal; signal.signal(signal.SIGINT, signal.SIG_IGN)"  # of workers that take the place of others


def run(work: Callable[[Any], Any], pieces: Sequence[Any], how: WorkerSettings) -> Generator[PieceEnd]:
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
                    yield PieceEnd(number, deaths=deaths[number])
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


def reach(how: WorkerSettings) -> None:
    """See that the cluster answers."""
    with ExitStack() as stack:
        _client(stack, how)


def missing() -> str:
    """What has to be installed first."""
    return "" if importlib.util.find_spec("distributed") else "pip install 'rulec[corpus]'"
