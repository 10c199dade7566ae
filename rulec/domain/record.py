"""Small classes of named values with defaults: typed like dataclasses, at a tenth of what importing those costs."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Self, TypeVar, dataclass_transform

    One = TypeVar("One", bound="Record")
else:

    def dataclass_transform(**_: object) -> object:
        """What a type checker reads of it; nothing at run time."""
        return lambda kind: kind


@dataclass_transform(kw_only_default=True, eq_default=False)
class Record:
    """Values that are given by name; where one is not given, the class's own counts."""

    def __init__(self, **values: object) -> None:
        self.__dict__.update(values)

    def but(self, **changes: object) -> Self:
        """The same with other values."""
        other = object.__new__(type(self))
        other.__dict__.update(self.__dict__)
        other.__dict__.update(changes)
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
    told, found = read_object(data, kind.__name__), kind()
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
