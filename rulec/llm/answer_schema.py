"""Holds an answer to the schema of its question: what fits is used, the rest is left out and named by its line."""

import json
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import islice
from typing import Any, NamedTuple

from rulec.domain.text.redaction import redact
from rulec.integrations import json_text

JsonPath = tuple[str | int, ...]
_LONGEST = 160  # characters of what is wrong
_DEEPEST = 40
_MOST = 200  # faults of one answer that are looked at
_LONG_NUMBER = 10  # digits


class SchemaMisfit(NamedTuple):
    """A part of an answer that does not fit the schema."""

    what: str  # for people, in a few words, some of which may be the answer's
    path: JsonPath = ()
    wanted: str = ""  # for whoever is asked once more: in words of ours and of the schema alone


class FittedAnswer(NamedTuple):
    """The parts of an answer that fit, and those that do not."""

    data: Any
    left_out: tuple[SchemaMisfit, ...] = ()
    misfit: SchemaMisfit | None = None  # why nothing of it may


def fit_to_schema(data: Any, schema: Mapping[str, Any], *, whole: bool = False) -> FittedAnswer:
    """The parts of an answer that fit the schema that was sent with the question.

    What says nothing is no fault: a null or a member that nobody asked for, a number or a word in another spelling. A
    part that may be missing costs no more than itself, and so does one item of a list, but for a ``whole``: there an
    item may speak against what others say.
    """
    if misfit := _shape(data):
        return FittedAnswer(data, misfit=misfit)
    data = _normalized(data, schema)
    faults = _faults(data, schema)
    if not faults:
        return FittedAnswer(data)
    parts = [_smallest_part(one.path, schema, whole=whole) for one in faults]
    if not all(parts) or len(faults) == _MOST:
        return FittedAnswer(
            data, misfit=next((one for one, part in zip(faults, parts, strict=True) if not part), faults[0])
        )
    left = _without(data, set(parts))
    emptied = any(data[name] and not left[name] for name in schema.get("required", ()))
    return (
        FittedAnswer(data, misfit=faults[0]) if emptied or _faults(left, schema) else FittedAnswer(left, tuple(faults))
    )


def _shape(data: Any) -> SchemaMisfit | None:
    if not isinstance(data, Mapping):
        return SchemaMisfit("is no JSON object", wanted="it must be one JSON object")
    return (
        SchemaMisfit("is nested too deeply", wanted="it must not be nested so deeply")
        if _deeper(data, _DEEPEST)
        else None
    )


def _faults(data: Any, schema: Mapping[str, Any]) -> list[SchemaMisfit]:
    import jsonschema  # type: ignore[import-untyped]  # noqa: PLC0415 - it has no types, and only an answer needs its 100 ms

    return [_misfit(error) for error in _first(jsonschema.Draft202012Validator(schema).iter_errors(data))]


def _misfit(error: Any) -> SchemaMisfit:
    path = tuple(error.absolute_path)
    told = " ".join(redact(error.message[: 8 * _LONGEST]).split())
    short = told if len(told) <= _LONGEST else f"{told[: _LONGEST // 2]} … {told[-_LONGEST // 2 :]}"
    # a path of members that the schema names: whoever wrote the answer chose nothing of it but the numbers
    form = json.dumps({error.validator: error.validator_value}, ensure_ascii=False)[: 2 * _LONGEST]
    return SchemaMisfit(_at(path, short), path, _at(path, f"must fit {form}"))


def _at(path: JsonPath, what: str) -> str:
    return f"{_path_in_words(path)}: {what}".removeprefix(": ")


def _path_in_words(path: Sequence[str | int]) -> str:
    """wishes[2].quote"""
    return "".join(f"[{step}]" if isinstance(step, int) else f".{step}" for step in path).removeprefix(".")


def _first(errors: Iterable[Any]) -> Iterator[Any]:
    """Some of the errors: whoever wrote the answer decides how many there are, and each takes time."""
    for error in islice(errors, _MOST):
        yield error
        if error.validator == "maxItems" and len(error.absolute_path) == 1:
            return


def _deeper(value: Any, most: int) -> bool:
    """Whether lists and objects are nested deeper than any schema of ours."""
    level = [value]
    for _ in range(most):
        level = [item for one in level for item in (one.values() if isinstance(one, Mapping) else one)]
        level = [one for one in level if isinstance(one, Mapping | list)]
    return bool(level)


def _normalized(value: Any, form: Mapping[str, Any]) -> Any:
    """The value with spellings that the schema accepts."""
    if isinstance(value, list) and isinstance(form.get("items"), Mapping):
        return [_normalized(item, form["items"]) for item in value]
    if isinstance(value, Mapping) and (members := form.get("properties")):
        known = {
            name: item for name, item in value.items() if name in members or form.get("additionalProperties", True)
        }
        said = {name: item for name, item in known.items() if not _says_nothing(name, item, form)}
        unsaid = {name: one["default"] for name, one in members.items() if "default" in one and name not in said}
        return {name: _normalized(item, members.get(name, {})) for name, item in said.items()} | unsaid
    return _normalized_scalar(value, form)


def _normalized_scalar(value: Any, form: Mapping[str, Any]) -> Any:
    """A number or a word in the schema's spelling; an unknown word is left as it is."""
    text = value.strip() if isinstance(value, str) else ""
    if form.get("type") == "integer" and text.isascii() and text.isdecimal() and len(text) < _LONG_NUMBER:
        return int(text)
    words = form.get("enum", (value,))
    return (
        value if value in words else next((one for one in words if one == text.casefold()), form.get("default", value))
    )


def _says_nothing(name: str, item: Any, form: Mapping[str, Any]) -> bool:
    kinds = form["properties"].get(name, {}).get("type", ())
    return item is None and name not in form.get("required", ()) and "null" not in kinds


def _smallest_part(path: JsonPath, schema: Mapping[str, Any], *, whole: bool) -> JsonPath:
    """The path of the smallest part without which the rest is still valid, () where there is none."""
    found, form = JsonPath(), schema
    for number, step in enumerate(path, 1):
        if isinstance(step, int):
            spare, form = not whole, form.get("items", {})
        else:
            spare, form = step not in form.get("required", ()), form.get("properties", {}).get(step, {})
        found = path[:number] if spare else found
    return found


def _without(value: Any, parts: Collection[JsonPath], path: JsonPath = ()) -> Any:
    """The value without some of its parts."""
    if isinstance(value, Mapping):
        kept = ((*path, name) for name in value)
        return {at[-1]: _without(value[at[-1]], parts, at) for at in kept if at not in parts}
    if not isinstance(value, list):
        return value
    return [_without(item, parts, (*path, at)) for at, item in enumerate(value) if (*path, at) not in parts]


def line_of_value(text: str, path: Sequence[str | int]) -> int:
    """The line of the value at a path in a JSON text."""
    try:
        at = json_text.root_start(text)
        for step in path:
            parts = json_text.parts_of(text, at)
            at = next(part.value for number, part in enumerate(parts) if step in (part.key, number))
    except (ValueError, IndexError, RecursionError, StopIteration):
        return 1
    return json_text.line_of(text, at)
