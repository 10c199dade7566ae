"""How pieces of work are run, and how one of them ended."""

from dataclasses import dataclass
from typing import Any, Literal

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
    """How one piece of work ended: with a value, or with workers that died on it."""

    number: int
    value: Any = None
    deaths: int = 0  # how many workers died on it, where there is no value
