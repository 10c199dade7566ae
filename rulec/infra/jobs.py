"""Jobs of checkers, run in scratch folders: one process group each, with a limit and a bare environment."""

import hashlib
import importlib.util
import os
import sys
import tempfile
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, replace
from pathlib import Path, PurePosixPath

from rulec.checkout import learned_needs
from rulec.domain.change import Change
from rulec.domain.plugs import Job, JobOutput
from rulec.errors import RulecError
from rulec.infra.processes import Bounds, run_bounded

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
        before = MERGED.set(self.output)
        try:
            yield self._attempt
        finally:
            MERGED.reset(before)

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


Stamps = dict[Path, tuple[int, ...]]  # a file and what a change of it would change
MERGED: ContextVar[Callable[[Job], JobOutput | None] | None] = ContextVar("MERGED", default=None)  # see merged_jobs


def run_job(job: Job, change: Change) -> JobOutput:
    """The result of one job; RulecError where its program is not installed or a path leads outside."""
    return run_each([job], change)[0]


def run_jobs(jobs: Sequence[Job], change: Change) -> list[JobOutput]:
    """The results of jobs run one after another over the same files, or those that a merged run of them has."""
    merged = MERGED.get()
    known = [merged(job) for job in jobs] if merged else []
    return [one for one in known if one] if known and all(known) else run_each(jobs, change)


def run_each(jobs: Sequence[Job], change: Change) -> list[JobOutput]:
    """The results of jobs run one after another over the same files, which are written again if a job changed them."""
    if not jobs:
        return []
    files = [(f.path, f.content) for f in change.files if f.content is not None] if any(map(_needs, jobs)) else []
    outputs: list[JobOutput] = []
    with _scratch() as scratch:
        tree, stamps = scratch, Stamps()
        for number, job in enumerate(jobs):
            if not outputs or outputs[-1].disturbed:
                tree = scratch / f"tree{number}"
                stamps = _lay_out(tree, files)
            outputs.append(_run_in_scratch(job, scratch / str(number), tree, stamps))
    return outputs


def _needs(job: Job) -> bool:
    """Whether a job reads the change's files."""
    return any("{tree}" in word for word in (job.folder, *job.argv, *job.environment.values()))


@contextmanager
def _scratch() -> Iterator[Path]:
    with tempfile.TemporaryDirectory(prefix="rulec-", ignore_cleanup_errors=True) as name:
        yield Path(name).resolve()


def _lay_out(folder: Path, files: Iterable[tuple[str, bytes]]) -> Stamps:
    """Write files into a new folder; their stamps, by which a later change of them shows."""
    folder.mkdir()
    targets = [_put(folder, path, content) for path, content in files]
    return {target: _stamp(target) for target in targets}


def _link(folder: Path, links: Mapping[str, str]) -> None:
    """Link names in the scratch folder to files of the person, as far as these exist."""
    for name, meant in links.items():
        if Path(meant).is_file():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            (folder / name).symlink_to(meant)


def _stamp(path: Path) -> tuple[int, ...]:
    try:
        found = path.lstat()
    except OSError:
        return ()
    return found.st_ino, found.st_mode, found.st_size, found.st_mtime_ns, found.st_ctime_ns


def _put(folder: Path, path: str, content: bytes) -> Path:
    """Write a file below the scratch folder, to which nobody else writes."""
    parts = PurePosixPath(path).parts
    if not parts or path.startswith("/") or "\0" in path or ".." in parts:
        raise RulecError(f"{path!r} leads outside", hint="a change names files by their path in the repository")
    target = folder.joinpath(*parts)
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        mode = 0o700 if content.startswith(b"#!") else 0o600  # Semgrep reads the first line of programs only
        descriptor = os.open(target, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, mode)
        with os.fdopen(descriptor, "wb") as file:
            file.write(content)
        os.utime(target, (0, 0))  # the clock of files is too coarse to tell a write from one that follows at once
    except (OSError, UnicodeError) as error:
        why = getattr(error, "strerror", None) or error
        raise RulecError(f"{path!r} cannot be laid out: {why}", hint="rename the file") from None
    return target


def _run_in_scratch(job: Job, own: Path, tree: Path, stamps: Stamps) -> JobOutput:
    inputs = ((path, text.encode("utf-8", "surrogateescape")) for path, text in job.inputs.items())
    given = {**stamps, **_lay_out(own, inputs)}
    _link(own, job.links)
    output = _start(job, own, tree)
    return replace(output, disturbed=any(_stamp(path) != stamp for path, stamp in given.items()))


def _start(job: Job, own: Path, tree: Path) -> JobOutput:
    words = {"{scratch}": str(own), "{tree}": str(tree)}
    environment = {
        "PATH": os.environ.get("PATH", os.defpath),
        "HOME": str(own),
        "TMPDIR": str(own),
        "LANG": "C.UTF-8",
        **{name: _fill_placeholders(value, words) for name, value in job.environment.items()},
    }
    end = run_bounded(
        [_fill_placeholders(word, words) for word in job.argv],
        Bounds(seconds=job.seconds),
        cwd=Path(_fill_placeholders(job.folder, words)),
        environment=environment,
        stdin=own / job.stdin if job.stdin else None,
    )
    out, err = end.texts
    return JobOutput(code=end.code, spilled=end.spilled, out=out, err=err)


def _fill_placeholders(word: str, words: Mapping[str, str]) -> str:
    """An argument with its placeholders replaced."""
    for name, value in words.items():
        word = word.replace(name, value)
    if word in _PROGRAMS:
        return _PROGRAMS[word]()
    return word


def semgrep_identity() -> str:
    """What changes when Semgrep does, "" where it is not installed."""
    try:
        return learned_needs.identity_of(semgrep_core_path())
    except RulecError:
        return ""


def semgrep_core_path() -> str:
    """Semgrep's bundled binary, found without importing Semgrep, which takes a second."""
    spec = importlib.util.find_spec("semgrep")
    if spec is None or not spec.submodule_search_locations:
        raise RulecError("semgrep is not installed", hint="pip install semgrep==1.182.0")
    return str(Path(next(iter(spec.submodule_search_locations))) / "bin" / "semgrep-core")


_PROGRAMS = {
    "{python}": lambda: sys.executable,
    "{semgrep-core}": semgrep_core_path,
}


@contextmanager
def merging_jobs() -> Iterator[MergedJobs]:
    """A place for jobs to be merged, with a thread for each core but the one that is busy asking."""
    with ThreadPoolExecutor(max(1, (os.cpu_count() or 1) - 1)) as pool:
        yield MergedJobs(pool)


def _run_together(some: Sequence[Job]) -> _Outputs:
    merging = some[0].merging
    if merging is None or len(some) == 1:
        return [None for _ in some]
    return merging.split(run_job(merging.merge(some), Change()), len(some))


def _size(job: Job) -> int:
    return sum(map(len, job.inputs.values()))
