"""Jobs that one process can do for many askers: put off until there are enough of them, then run together."""

import hashlib
import os
from collections.abc import Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass

from rulec.domain.change import Change
from rulec.domain.plugs import Job, JobOutput
from rulec.infra import jobs

AT_ONCE = 100  # jobs of one process
LARGEST = 8_000_000  # characters of their inputs
_Outputs = Sequence[JobOutput | None]


@dataclass(slots=True)
class Attempt:
    """Work that asks for the outputs of jobs; its result counts only if none of them was put off."""

    whole: bool = True


class MergedJobs:
    """Jobs noted while they are asked for, and run many at a time beside what goes on."""

    def __init__(self, pool: ThreadPoolExecutor) -> None:
        self._pool = pool
        self._waiting: dict[tuple[str, ...], dict[bytes, Job]] = {}  # by argv: it has to be the same for all
        self._started: dict[bytes, tuple[Future[_Outputs], int]] = {}
        self._attempt = Attempt()

    @contextmanager
    def attempt(self) -> Iterator[Attempt]:
        """Within this context a job that can be merged is told to have found nothing until it was run."""
        self._attempt = Attempt()
        before = _PRESENT.set(self)
        try:
            yield self._attempt
        finally:
            _PRESENT.reset(before)

    def output(self, job: Job) -> JobOutput | None:
        """What the job left behind, or that it found nothing while it waits; None where it has to run by itself."""
        if job.merging is None:
            return None
        key = hashlib.sha256(repr((job.argv, job.inputs)).encode("utf-8", "surrogatepass")).digest()
        if key in self._started:
            outputs, number = self._started[key]
            return outputs.result()[number]
        self._attempt.whole = False
        waiting = self._waiting.setdefault(job.argv, {})
        waiting[key] = job
        if len(waiting) >= AT_ONCE or sum(map(_size, waiting.values())) > LARGEST:
            self._start(job.argv)
        return job.merging.nothing

    def start(self) -> None:
        """Start what waits."""
        for argv in list(self._waiting):
            self._start(argv)

    def _start(self, argv: tuple[str, ...]) -> None:
        waiting = self._waiting.pop(argv)
        outputs = self._pool.submit(_run_together, list(waiting.values()))
        self._started |= {key: (outputs, number) for number, key in enumerate(waiting)}


_PRESENT: ContextVar[MergedJobs | None] = ContextVar("_PRESENT", default=None)


@contextmanager
def merging_jobs() -> Iterator[MergedJobs]:
    """A place for jobs to be merged, with a thread for each core but the one that is busy asking."""
    with ThreadPoolExecutor(max(1, (os.cpu_count() or 1) - 1)) as pool:
        yield MergedJobs(pool)


def run_jobs(wanted: Sequence[Job], change: Change) -> list[JobOutput]:
    """The results of jobs, as by themselves; within an attempt those of merged runs."""
    present = _PRESENT.get()
    known = [present.output(job) for job in wanted] if present else []
    return [one for one in known if one] if known and all(known) else jobs.run_jobs(wanted, change)


def _run_together(some: Sequence[Job]) -> _Outputs:
    merging = some[0].merging
    if merging is None or len(some) == 1:
        return [None for _ in some]
    return merging.split(jobs.run_job(merging.merge(some), Change()), len(some))


def _size(job: Job) -> int:
    return sum(map(len, job.inputs.values()))
