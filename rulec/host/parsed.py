"""Rules and evidence as they were read before, by the text of their files: a thousand files of YAML take seconds."""

import hashlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import fields, is_dataclass
from pathlib import Path
from typing import Any, TypeVar

from rulec.host import journal, pressed, stamp
from rulec.model.evidence import Count, Evidence, Measure
from rulec.model.rule import Check, Example, Exemption, Rule, Scope

_PIECE = "parsed"
_LEAST = 100  # files from which on it pays
_KINDS = {kind.__name__: kind for kind in (Check, Count, Evidence, Example, Exemption, Measure, Rule, Scope)}
Value = TypeVar("Value", Rule, Evidence)


class _Shelf:
    """What is known while a rulebook is read."""

    def __init__(self) -> None:
        self.open = False
        self.known: dict[str, Any] = {}
        self.used: dict[str, Any] = {}
        self.fresh = False  # something was read that was not known


_SHELF = _Shelf()


@contextmanager
def kept(top: Path, many: int) -> Iterator[None]:
    """Within it, a file of which there are many is read once, whatever number of commands ask."""
    if many < _LEAST:
        yield
        return
    place, program = str(journal.state_dir(top) / _PIECE), stamp.program(Path(pressed.ROOM))
    _SHELF.known, _SHELF.used = pressed.load(place, program) or {}, {}
    _SHELF.open, _SHELF.fresh = True, False
    try:
        yield
    finally:
        if _SHELF.fresh:
            pressed.store(place, program, _SHELF.used)
        _SHELF.open, _SHELF.known, _SHELF.used = False, {}, {}


def read(path: str, text: str, how: Callable[..., Value]) -> Value:
    """What a file says, as it was found before or by reading it now."""
    if not _SHELF.open:
        return how(text, source=path)
    name = hashlib.sha256(f"{path}\0{text}".encode("utf-8", "surrogatepass")).hexdigest()
    if name in _SHELF.known:
        _SHELF.used[name] = _SHELF.known[name]
        found: Value = _whole(_SHELF.known[name])
        return found
    value = how(text, source=path)
    _SHELF.used[name], _SHELF.fresh = _plain(value), True
    return value


def _plain(value: Any) -> Any:
    """A value as it can be kept; no text of a file can look like the mark of one of ours."""
    if is_dataclass(value):
        return (..., type(value).__name__, *(_plain(getattr(value, field.name)) for field in fields(value)))
    if isinstance(value, tuple):
        return tuple(_plain(item) for item in value)
    return value


def _whole(value: Any) -> Any:
    if not isinstance(value, tuple):
        return value
    if value[:1] != (...,):
        return tuple(_whole(item) for item in value)
    kind = _KINDS[value[1]]
    return kind(**{field.name: _whole(item) for field, item in zip(fields(kind), value[2:], strict=True)})
