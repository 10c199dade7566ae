"""Finds plugs: by being in their folder, and by entry points of other distributions."""

import importlib
import pkgutil
from collections.abc import Iterator
from functools import cache
from typing import Any, TypeVar

from rulec.errors import RulecError
from rulec.ports import Backend, Checker, Emitter, Reader, Reporter

Plug = TypeVar("Plug", Reader, Checker, Emitter, Reporter, Backend)


def _names(room: str) -> list[str]:
    package = importlib.import_module(f"rulec.{room}")
    return sorted(m.name for m in pkgutil.iter_modules(package.__path__) if not m.name.startswith("_"))


def _foreign(room: str) -> Iterator[Any]:
    from importlib.metadata import entry_points  # noqa: PLC0415 - 25 ms that a gate with our own plugs does not need

    for entry in entry_points(group=f"rulec.{room}"):
        yield entry.load()


def _own(room: str, module: str) -> Any:
    return importlib.import_module(f"rulec.{room}.{module}").PLUG


def _found(room: str, kind: type[Plug]) -> dict[str, Plug]:
    plugs = [*(_own(room, name) for name in _names(room)), *_foreign(room)]
    return {plug.name: plug for plug in plugs if isinstance(plug, kind)}


@cache
def _one(room: str, name: str) -> Any:
    """One plug by its name, and no other module of its room."""
    module = name.replace("-", "_")
    if module in _names(room):
        return _own(room, module)
    return next((plug for plug in _foreign(room) if plug.name == name), None)


def others() -> bool:
    """Whether another distribution has plugs for us."""
    return any(next(_foreign(room), None) for room in ("backends", "checkers", "emitters", "readers", "reporters"))


def checker(name: str) -> Checker:
    """A kind of check."""
    found = _one("checkers", name)
    if not isinstance(found, Checker):
        raise RulecError(f"no kind of check {name!r}", hint=f"known are {', '.join(checkers())}")
    return found


def reporter(name: str) -> Reporter:
    """A form of output."""
    found = _one("reporters", name)
    if not isinstance(found, Reporter):
        raise RulecError(f"no format {name!r}", hint=f"known are {', '.join(reporters())}")
    return found


def backend(name: str) -> Backend:
    """A way to ask a model; no other is imported for it."""
    found = _one("backends", name)
    if not isinstance(found, Backend):
        raise RulecError(f"no backend {name!r}", hint=f"known are {', '.join(backend_names())}")
    return found


def backend_names() -> list[str]:
    """Their names, although none is imported: the file's, and the entry point's in other distributions."""
    from importlib.metadata import entry_points  # noqa: PLC0415 - as above

    own = (name.replace("_", "-") for name in _names("backends"))
    return sorted({*own, *(entry.name for entry in entry_points(group="rulec.backends"))})


@cache
def backends() -> dict[str, Backend]:
    """Ways to ask a model by name."""
    return _found("backends", Backend)


@cache
def readers() -> dict[str, Reader]:
    """Transcript formats by name."""
    return _found("readers", Reader)


def each_reader() -> Iterator[Reader]:
    """The transcript formats one by one: loading the one that recognises a file costs a tenth of loading all."""
    own = (_own("readers", name) for name in _names("readers"))
    yield from (plug for plugs in (own, _foreign("readers")) for plug in plugs if isinstance(plug, Reader))


@cache
def checkers() -> dict[str, Checker]:
    """Kinds of check by name."""
    return _found("checkers", Checker)


@cache
def emitters() -> dict[str, Emitter]:
    """Gates and documents by name."""
    return _found("emitters", Emitter)


@cache
def reporters() -> dict[str, Reporter]:
    """Forms of output by name."""
    return _found("reporters", Reporter)
