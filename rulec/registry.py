"""Finds plugs: by being in their folder, and by entry points of other distributions."""

import importlib
import pkgutil
from collections.abc import Iterator, Sequence
from functools import cache
from importlib.util import find_spec
from typing import Any, TypeVar

from rulec.domain.plugs import Backend, Checker, Integration, Reporter
from rulec.domain.transcript import TranscriptFormat
from rulec.errors import RulecError

Plug = TypeVar("Plug", TranscriptFormat, Checker, Integration, Reporter, Backend)


# By the name of the entry points in other distributions: the package, and the module in each plug that is a package.
_PLACES = {
    "backends": ("rulec.llm.backends", ""),
    "checkers": ("rulec.checks", "checker"),
    "emitters": ("rulec.integrations.targets", ""),
    "readers": ("rulec.transcripts.formats", ""),
    "reporters": ("rulec.reports.formats", ""),
}


def _names(room: str) -> list[str]:
    package, inner = _PLACES[room]
    path = importlib.import_module(package).__path__
    found = (m for m in pkgutil.iter_modules(path) if not m.name.startswith("_"))
    return sorted(m.name for m in found if not inner or (m.ispkg and find_spec(f"{package}.{m.name}.{inner}")))


def _foreign(room: str) -> Iterator[Any]:
    from importlib.metadata import entry_points  # noqa: PLC0415 - 25 ms that a gate with our own plugs does not need

    for entry in entry_points(group=f"rulec.{room}"):
        yield entry.load()


def _own(room: str, module: str) -> Sequence[Any]:
    """The plug of a module, or the plugs that it makes of something else, such as the agents' specs."""
    package, inner = _PLACES[room]
    found = importlib.import_module(".".join(filter(None, (package, module, inner))))
    return getattr(found, "PLUGS", None) or (found.PLUG,)


def _found(room: str, kind: type[Plug]) -> dict[str, Plug]:
    own: list[Any] = sorted((plug for name in _names(room) for plug in _own(room, name)), key=lambda plug: plug.name)
    return {plug.name: plug for plug in (*own, *_foreign(room)) if isinstance(plug, kind)}


@cache
def _one(room: str, name: str) -> Any:
    """One plug by its name, and no other module of its room."""
    module = name.replace("-", "_")
    if module in _names(room):
        return _own(room, module)[0]
    return next((plug for plug in _foreign(room) if plug.name == name), None)


def has_foreign_plugs() -> bool:
    """Whether another distribution has plugs for us."""
    return any(next(_foreign(room), None) for room in _PLACES)


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
def readers() -> dict[str, TranscriptFormat]:
    """Transcript formats by name."""
    return _found("readers", TranscriptFormat)


def each_reader() -> Iterator[TranscriptFormat]:
    """The transcript formats one by one: loading the one that recognises a file costs a tenth of loading all."""
    own = (plug for name in _names("readers") for plug in _own("readers", name))
    yield from (plug for plugs in (own, _foreign("readers")) for plug in plugs if isinstance(plug, TranscriptFormat))


@cache
def checkers() -> dict[str, Checker]:
    """Kinds of check by name."""
    return _found("checkers", Checker)


@cache
def emitters() -> dict[str, Integration]:
    """Gates and documents by name."""
    return _found("emitters", Integration)


@cache
def reporters() -> dict[str, Reporter]:
    """Forms of output by name."""
    return _found("reporters", Reporter)
