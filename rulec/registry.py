"""Finds plugs: by being in their folder, and by entry points of other distributions."""

import importlib
import pkgutil
from functools import cache
from importlib.metadata import entry_points
from typing import Any, TypeVar

from rulec.ports import Checker, Emitter, Fit, Reader, Reporter

Plug = TypeVar("Plug", Reader, Checker, Emitter, Reporter, Fit)


def _found(room: str, kind: type[Plug]) -> dict[str, Plug]:
    package = importlib.import_module(f"rulec.{room}")
    names = sorted(m.name for m in pkgutil.iter_modules(package.__path__) if not m.name.startswith("_"))
    plugs: list[Any] = [importlib.import_module(f"rulec.{room}.{name}").PLUG for name in names]
    plugs += [entry.load() for entry in entry_points(group=f"rulec.{room}")]
    return {plug.name: plug for plug in plugs if isinstance(plug, kind)}


@cache
def readers() -> dict[str, Reader]:
    """Transcript formats by name."""
    return _found("readers", Reader)


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


@cache
def fits() -> tuple[Fit, ...]:
    """Families of templates that evidence may choose from, in the order of their file names."""
    return tuple(_found("fits", Fit).values())
