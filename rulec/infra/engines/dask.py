"""dask: workers of Dask's distributed scheduler, on this machine or on a cluster."""

import importlib.util
import logging
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from typing import Any

from rulec.domain.plugs import MOST_DEATHS, Engine, EngineSettings, PieceEnd
from rulec.errors import RulecError

_AHEAD = 2  # pieces for each thread of the workers that the scheduler is given at a time
_SECONDS = "30s"  # until a cluster has to answer


def run(work: Callable[[Any], Any], pieces: Sequence[Any], how: EngineSettings) -> Iterator[PieceEnd]:
    """Submit the pieces a few at a time, so that neither the scheduler nor this process holds them all."""
    import dask  # noqa: PLC0415 - half a second, and a library of an extra
    from distributed import as_completed  # noqa: PLC0415 - as above
    from distributed.scheduler import KilledWorker  # noqa: PLC0415 - as above

    with ExitStack() as stack:
        stack.enter_context(dask.config.set({"distributed.scheduler.allowed-failures": MOST_DEATHS - 1}))
        client = _client(stack, how)
        threads = sum(client.nthreads().values()) or how.workers
        numbers = iter(range(len(pieces)))
        known: dict[Any, int] = {}

        def submit(most: int) -> list[Any]:
            """The futures of the next pieces."""
            some = [number for _, number in zip(range(most), numbers, strict=False)]
            made = [client.submit(work, pieces[number], pure=False, retries=0) for number in some]
            known.update(zip((one.key for one in made), some, strict=True))
            return made

        line = as_completed(submit(_AHEAD * threads), raise_errors=False)
        for done in line:
            number = known.pop(done.key)
            try:
                yield PieceEnd(number, done.result())
            except KilledWorker:
                yield PieceEnd(number, deaths=MOST_DEATHS)
            done.release()
            line.update(submit(1))


def _client(stack: ExitStack, how: EngineSettings) -> Any:
    """A client of the cluster, or of workers that are started here and end with the run."""
    from distributed import Client, LocalCluster  # noqa: PLC0415 - as above

    if how.cluster:
        try:
            return stack.enter_context(Client(how.cluster, timeout=_SECONDS))
        except (OSError, ValueError) as error:
            hint = "give the address of a Dask scheduler, such as tcp://10.0.0.5:8786"
            raise RulecError(f"no cluster answers: {error}", where=how.cluster, hint=hint) from None
    folder = stack.enter_context(tempfile.TemporaryDirectory(prefix="rulec-dask-", ignore_cleanup_errors=True))
    cluster = LocalCluster(
        n_workers=how.workers, threads_per_worker=1, processes=True, dashboard_address=None, local_directory=folder,
        silence_logs=logging.CRITICAL,
    )  # fmt: skip
    return stack.enter_context(Client(stack.enter_context(cluster)))


def missing() -> str:
    """What has to be installed first."""
    return "" if importlib.util.find_spec("distributed") else "pip install 'rulec[corpus]'"


PLUG = Engine(name="dask", run=run, missing=missing, clusters=True)
