"""Small classes of named values with defaults: typed like dataclasses, at a tenth of what importing those costs."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, Self, TypeVar, dataclass_transform

    One = TypeVar("One", bound="Record")
else:

    def dataclass_transform(**_: object) -> object:
        """What a type checker reads of it; nothing at run time."""
        return lambda kind: kind


@dataclass_transform(kw_only_default=True, eq_default=False)
class _Slotted(type):
    """Makes slots of the annotated names of a class, and keeps what they are where nothing is given."""

    def __new__(cls, name: str, bases: tuple[type, ...], space: dict[str, Any]) -> _Slotted:
        names = tuple(space.get("__annotations__", ()))
        known = next((base.defaults() for base in bases if isinstance(base, _Slotted)), {})
        own = {one: space.pop(one) for one in names if one in space}
        return super().__new__(cls, name, bases, {**space, "__slots__": names, "_defaults": {**known, **own}})

    _defaults: dict[str, object]

    def defaults(cls) -> dict[str, object]:
        """What its names are where nothing is given."""
        return cls._defaults


class Record(metaclass=_Slotted):
    """Values that are given by name; a name without a default must be given."""

    def __init__(self, **values: object) -> None:
        for name, default in type(self).defaults().items():
            setattr(self, name, default)
        for name, value in values.items():
            setattr(self, name, value)

    @classmethod
    def blank(cls) -> Self:
        """One with nothing but defaults."""
        found = object.__new__(cls)
        for name, default in cls.defaults().items():
            setattr(found, name, default)
        return found

    def but(self, **changes: object) -> Self:
        """The same with other values."""
        other = object.__new__(type(self))
        for kind in type(self).__mro__[:-1]:
            for name in kind.__dict__.get("__slots__", ()):
                setattr(other, name, getattr(self, name))
        for name, value in changes.items():
            setattr(other, name, value)
        return other


def _is_list(value: object) -> bool:
    return isinstance(value, (list, tuple)) and all(isinstance(one, str) for one in value)


def _is_mapping(value: object) -> bool:
    return isinstance(value, dict) and _is_list([*value, *value.values()])


_FITS: dict[str, Callable[[object], bool]] = {  # by the type that a class gives to a name
    "str": lambda value: isinstance(value, str),
    "str | None": lambda value: isinstance(value, str),
    "bool": lambda value: isinstance(value, bool),
    "bool | str": lambda value: isinstance(value, (bool, str)),
    "int": lambda value: isinstance(value, int),
    "tuple[str, ...]": _is_list,
    "Mapping[str, str]": _is_mapping,
}


def read_object(data: object, what: str) -> dict[str, object]:
    """What JSON holds where an object is wanted; ValueError where it is none."""
    if not isinstance(data, dict):
        raise ValueError(f"the {what} is no object")  # noqa: TRY004 (one error for all that is wrong with JSON)
    return data


def read_record(kind: type[One], data: object) -> One:
    """The JSON's values for which the class has names; ValueError where one is missing or of another type.

    Names of other types than text, numbers and lists of text are left at their defaults.
    """
    told, found = read_object(data, kind.__name__), kind.blank()
    for base in kind.__mro__[:-2]:
        for name, sort in base.__annotations__.items():
            key = name.rstrip("_")
            if key not in told or sort not in _FITS:
                if not hasattr(found, name):
                    raise ValueError(f"{key} is missing")
            elif not _FITS[sort](told[key]):
                raise ValueError(f"{key} is {told[key]!r}")
            else:
                value = told[key]
                setattr(found, name, tuple(value) if isinstance(value, list) else value)
    return found
