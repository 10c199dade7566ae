"""Runs a service as a command would: in a process of its own, so that nothing it remembers outlives it."""

import asyncio
import functools
import gc
import io
import multiprocessing
import os
import pickle
import signal
import threading
import traceback
from collections.abc import Callable
from dataclasses import is_dataclass
from enum import Enum
from multiprocessing import forkserver
from multiprocessing.connection import Connection
from multiprocessing.context import ForkServerContext
from typing import Any, TypeVar
from weakref import WeakKeyDictionary

import anyio

from rulec.errors import RulecError
from rulec.infra.processes import without_interrupts

READS_AT_ONCE = 2  # each is a process: more would take memory, and no less time on a small machine
ACTS_AT_ONCE = 2
_SAFE_PATH = "PYTHONSAFEPATH"  # keeps Python from importing what lies in the folder that it starts in
# What a result may be made of beside plain values.
_OURS = ("rulec.domain.", "rulec.reports.", "rulec.resolving.", "rulec.services.", "rulec.web.views.")
_VALUES = frozenset(
    {"builtins.set", "builtins.frozenset", "collections.Counter", "collections.OrderedDict", "pathlib.PosixPath",
     "pathlib._local.PosixPath"}
)  # fmt: skip
_HIDES = "rulec.web.hidden_start"
# What services import when they need it, for one command needs only some; each process here would import it anew.
_LATE = ("ruamel.yaml", "git", *(f"rulec.checks.{kind}.checker" for kind in ("guard", "semgrep", "shell")))
_starting = threading.Lock()
Made = TypeVar("Made")


@functools.cache
def _processes() -> ForkServerContext:
    return multiprocessing.get_context("forkserver")


def prepare(modules: list[str]) -> None:
    """Let processes start from one that has imported these modules and done nothing else."""
    _processes().set_forkserver_preload([_HIDES, *modules, *_LATE])
    _start()


def _start() -> dict[str, str]:
    """Have the process run from which the others start, without the modules of the folder that it starts in.

    That folder is the repository, and what lies there is not ours. Returns the environment as it is otherwise.
    """
    with _starting:
        before = dict(os.environ)
        os.environ[_SAFE_PATH] = "1"
        try:
            with without_interrupts():
                forkserver.ensure_running()
        finally:
            os.environ.pop(_SAFE_PATH)
            if _SAFE_PATH in before:
                os.environ[_SAFE_PATH] = before[_SAFE_PATH]
    return before


@functools.cache
def _room_to_read() -> anyio.CapacityLimiter:
    return anyio.CapacityLimiter(READS_AT_ONCE)


@functools.cache
def _room_to_act() -> anyio.CapacityLimiter:
    return anyio.CapacityLimiter(ACTS_AT_ONCE)


async def act(function: Callable[..., Made], /, *args: Any, **named: Any) -> Made:
    """What a service that changes something returns; RulecError as the service raises it.

    Function and arguments must be picklable. No act waits for a read.
    """
    work = functools.partial(run_in_process, function, *args, **named)
    return await anyio.to_thread.run_sync(work, limiter=_room_to_act())


async def read(function: Callable[..., Made], /, *args: Any, **named: Any) -> Made:
    """As ``act``, of a service that changes nothing: who asks while others wait for the same gets it with them.

    A change makes every open tab ask the same again; the answer is always of a moment after the question.
    """
    found = await asyncio.shield(_reads().join(function, args, named))
    result: Made = found
    return result


class _Reads:
    """The reads of one event loop: of each one at a time is run, and one waits for all who asked since that began."""

    def __init__(self) -> None:
        self._running: dict[bytes, asyncio.Task[Any]] = {}
        self._waiting: dict[bytes, asyncio.Task[Any]] = {}

    def join(self, function: Callable[..., Any], args: tuple[Any, ...], named: dict[str, Any]) -> asyncio.Task[Any]:
        """The run of that read which has not begun yet."""
        name = pickle.dumps((function, args, named))
        if name not in self._waiting:
            work = functools.partial(run_in_process, function, *args, **named)
            self._waiting[name] = asyncio.create_task(self._run(name, work))
            self._waiting[name].add_done_callback(_look_at_error)
        return self._waiting[name]

    async def _run(self, name: bytes, work: Callable[[], Any]) -> Any:
        if before := self._running.get(name):
            await asyncio.wait([before])
        task = asyncio.current_task()

        def begin() -> Any:
            self._running[name] = self._waiting.pop(name)  # who asks from now on may know more than this will read
            return work()

        try:
            return await anyio.to_thread.run_sync(begin, limiter=_room_to_read())
        finally:
            if self._running.get(name) is task:
                del self._running[name]


def _look_at_error(task: "asyncio.Task[Any]") -> None:
    """Keep asyncio from telling of an error for which nobody waits any more."""
    if not task.cancelled():
        task.exception()


_of_loops: "WeakKeyDictionary[asyncio.AbstractEventLoop, _Reads]" = WeakKeyDictionary()


def _reads() -> _Reads:
    return _of_loops.setdefault(asyncio.get_running_loop(), _Reads())


def run_in_process(function: Callable[..., Made], /, *args: Any, **named: Any) -> Made:
    """As ``act``, for a thread that may wait."""
    ours, theirs = _processes().Pipe(duplex=False)
    environment = _start()  # anew where somebody ended it
    process = _processes().Process(target=_work, args=(theirs, function, args, named, environment))
    process.start()
    theirs.close()
    try:
        made, refusal, bug = _Results(io.BytesIO(ours.recv_bytes())).load()
    except EOFError:
        raise WorkEndedError("the work was ended before it said what it did", hint="load the page again") from None
    finally:
        ours.close()
        process.join()
    if bug:
        raise WorkBug(bug)
    if refusal:
        message, where, hint = refusal
        raise RulecError(message, where=where, hint=hint)
    result: Made = made
    return result


class WorkEndedError(RulecError):
    """Somebody ended the process of a service: what it did is whole or nothing, but nobody here knows which."""


class WorkBug(Exception):  # noqa: N818 - said of a bug of ours, which no caller handles
    """A service broke: what its process said of that."""


class _Results(pickle.Unpickler):
    """Reads what a service returned: values, and dataclasses and enumerations of rulec, but nothing that acts.

    Whoever could write into the pipe would else run a program within the page.
    """

    def find_class(self, module: str, name: str) -> Any:
        """The class of that name, if results may hold one of its kind."""
        if f"{module}.{name}" in _VALUES:
            return super().find_class(module, name)
        found = super().find_class(module, name) if module.startswith(_OURS) and "." not in name else None
        is_value = isinstance(found, type) and found.__module__ == module
        if found is None or not is_value or not (is_dataclass(found) or issubclass(found, Enum)):
            raise WorkBug(f"a service returned a {module}.{name}, which no page reads")
        return found


def _work(
    pipe: Connection,
    function: Callable[..., Any],
    args: tuple[Any, ...],
    named: dict[str, Any],
    environment: dict[str, str],
) -> None:
    """Run the function in this process and send what came of it."""
    gc.freeze()  # a collection would write to all that is shared with the other processes: 20 MB copied for each
    os.setpgrp()  # Ctrl-C is for the page, which lets acts end, and stops the rest with the programs that it started
    signal.signal(signal.SIGINT, signal.default_int_handler)
    os.environ.clear()  # what it starts from has that of an earlier moment, and one word more
    os.environ.update(environment)
    try:
        answer: tuple[Any, Any, str] = (function(*args, **named), None, "")
    except RulecError as error:
        answer = (None, (error.message, error.where, error.hint), "")
    except Exception as error:  # noqa: BLE001 - the page tells of it, as of any bug
        if os.environ.get("RULEC_DEBUG"):
            traceback.print_exc()
        answer = (None, None, f"{type(error).__name__}: {error}")
    pipe.send(answer)
    pipe.close()
