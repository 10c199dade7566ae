"""ray: tasks of Ray, on this machine or on a cluster."""

import importlib.util
import logging
from collections import Counter, deque
from collections.abc import Callable, Generator, Sequence
from typing import Any

from rulec.domain.plugs import MOST_DEATHS, Engine, EngineSettings, PieceEnd
from rulec.errors import RulecError
from rulec.infra import install_source

_AHEAD = 2  # pieces for each worker that Ray is given at a time


def run(work: Callable[[Any], Any], pieces: Sequence[Any], how: EngineSettings) -> Generator[PieceEnd]:
    """Submit the pieces a few at a time; one whose worker died is submitted again."""
    import ray  # noqa: PLC0415 - a second, and a library of an extra
    from ray.exceptions import NodeDiedError, WorkerCrashedError  # noqa: PLC0415 - as above

    _connect(how)
    try:
        task = ray.remote(num_cpus=1, max_retries=0)(work)
        most = _AHEAD * max(1, int(ray.cluster_resources().get("CPU", how.workers)))
        waiting, deaths = deque(range(len(pieces))), Counter[int]()
        busy: dict[Any, int] = {}
        while waiting or busy:
            while waiting and len(busy) < most:
                number = waiting.popleft()
                busy[task.remote(pieces[number])] = number
            for done in ray.wait(list(busy), num_returns=1)[0]:
                number = busy.pop(done)
                try:
                    yield PieceEnd(number, ray.get(done))
                except (WorkerCrashedError, NodeDiedError):
                    deaths[number] += 1
                    if deaths[number] < MOST_DEATHS:
                        waiting.append(number)
                    else:
                        yield PieceEnd(number, deaths=deaths[number])
    finally:
        ray.shutdown()


def _connect(how: EngineSettings) -> None:
    """Connect to the cluster, or start Ray here; it ends with the run."""
    import ray  # noqa: PLC0415 - as above

    here: dict[str, Any] = {} if how.cluster else {"num_cpus": how.workers, "include_dashboard": False}
    try:
        ray.init(address=how.cluster or "local", log_to_driver=False, logging_level=logging.CRITICAL, **here)
    except Exception as error:  # noqa: BLE001 - whatever an address makes of it
        hint = "give the address of a Ray cluster, such as 10.0.0.5:6379"
        raise RulecError(f"Ray does not start: {error}", where=how.cluster or "--engine ray", hint=hint) from None


def reach(how: EngineSettings) -> None:
    """See that the cluster answers."""
    import ray  # noqa: PLC0415 - as above

    _connect(how)
    ray.shutdown()


def missing() -> str:
    """What has to be installed first."""
    return "" if importlib.util.find_spec("ray") else install_source.extra_command("ray")


PLUG = Engine(name="ray", run=run, missing=missing, clusters=True, reach=reach)
