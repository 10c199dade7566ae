"""Frozen dataclasses to plain JSON and back, with an error that names the place."""

import json
from collections.abc import Mapping
from dataclasses import MISSING, fields, is_dataclass
from functools import lru_cache
from types import UnionType
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints


def dump_dataclass(value: Any) -> str:
    """A frozen value as JSON, without what is at its default."""
    return json.dumps(_plain(value), ensure_ascii=False, indent=1)


def load_dataclass(kind: Any, text: str) -> Any:
    """The value of that type; ValueError that names the place where the text holds something else."""
    try:
        return _load_value(kind, json.loads(text), "")
    except RecursionError:
        raise ValueError("is nested too deeply") from None


def _plain(value: Any) -> Any:
    if is_dataclass(value):
        items = ((field, getattr(value, field.name)) for field in fields(value))
        return {field.name: _plain(item) for field, item in items if not _default(field, item)}
    if isinstance(value, Mapping):
        return {str(key): _plain(item) for key, item in value.items()}
    return [_plain(item) for item in value] if isinstance(value, tuple | list) else value


def _default(field: Any, item: Any) -> bool:
    return bool(field.default is not MISSING and item == field.default)


def _load_value(kind: Any, data: Any, at: str) -> Any:
    if kind is Any:
        return data
    if is_dataclass(kind):
        return _dataclass(kind, data, at)
    origin, args = get_origin(kind), get_args(kind)
    if origin is tuple:
        return _tuple(args, _require_type(list, data, at), at)
    if origin in (Union, UnionType):
        some = next(arg for arg in args if arg is not type(None))
        return None if data is None else _load_value(some, data, at)
    if origin is Literal:
        return data if data in args else _wrong(at, f"is none of {', '.join(map(str, args))}")
    if origin is not None:
        return {key: _load_value(args[1], item, f"{at}.{key}") for key, item in _require_type(dict, data, at).items()}
    return _require_type(kind, data, at)


def _dataclass(kind: Any, data: Any, at: str) -> Any:
    hints, known = _hints(kind), {field.name: field for field in fields(kind)}
    for key in _require_type(dict, data, at):
        if key not in known:
            _wrong(f"{at}.{key}", "is unknown")
    for name, field in known.items():
        if name not in data and field.default is MISSING and field.default_factory is MISSING:
            _wrong(f"{at}.{name}", "is missing")
    return kind(**{key: _load_value(hints[key], item, f"{at}.{key}") for key, item in data.items()})


@lru_cache(maxsize=100)  # to find them takes longer than all the rest
def _hints(kind: Any) -> dict[str, Any]:
    return get_type_hints(kind)


def _tuple(args: tuple[Any, ...], data: list[Any], at: str) -> tuple[Any, ...]:
    if args[1:] == (...,):
        return tuple(_load_value(args[0], item, f"{at}[{number}]") for number, item in enumerate(data))
    if len(data) != len(args):
        _wrong(at, f"has {len(data)} items, not {len(args)}")
    return tuple(_load_value(arg, item, at) for arg, item in zip(args, data, strict=True))


def _require_type(kind: Any, data: Any, at: str) -> Any:
    fits = isinstance(data, kind) and not (isinstance(data, bool) and kind is not bool)
    return data if fits else _wrong(at, f"is no {kind.__name__}")


def _wrong(at: str, what: str) -> Any:
    raise ValueError(f"{at.lstrip('.') or 'the whole'} {what}")
