"""Runs one function over many pieces of work, in the workers that a person chose."""

from collections.abc import Callable, Generator, Sequence
from typing import Any

from rulec.errors import RulecError
from rulec.infra.engines import dask, local
from rulec.infra.engines.pieces import PieceEnd, WorkerSettings


def run_pieces(work: Callable[[Any], Any], pieces: Sequence[Any], how: WorkerSettings) -> Generator[PieceEnd]:
    """Yield one end for each piece, as they come; any worker may be killed at any time.

    A piece whose worker died is given to another one, up to ``MOST_DEATHS`` times; so the function has to do the same
    when it runs again. What the function raises is raised.
    """
    return dask.run(work, pieces, how) if how.engine == "dask" else local.run(work, pieces, how)


def require_engine(how: WorkerSettings) -> None:
    """Refuse what lacks its library, and a cluster that is none of Dask."""
    if how.engine == "dask" and (lacking := dask.missing()):
        raise RulecError("the engine dask is not installed", hint=lacking)
    if how.engine == "local" and how.cluster:
        raise RulecError("the engine local uses no cluster", where="--cluster", hint="leave --cluster out")


def require_cluster(how: WorkerSettings) -> None:
    """Refuse a cluster that does not answer."""
    if how.cluster:
        dask.reach(how)
