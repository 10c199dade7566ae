"""The one home of ruamel.yaml: reading with lines for refusals, rewriting with comments kept."""

import io
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache
from typing import Any, TypeVar

from rulec.errors import RulecError

_CONFLICT = re.compile(r"^(?:<<<<<<<|>>>>>>>|\|\|\|\|\|\|\|)(?: |$)", re.MULTILINE)
SCHEMA_VERSION = 1  # of every file of a rulebook
Value = TypeVar("Value")
MOST_VALUES = 100_000  # values in one file; a few anchors can stand for billions


class YamlNode:
    """A mapping of a YAML file that knows its place, for refusals that name file and line."""

    def __init__(self, data: Any, source: str, line: int = 1, path: str = "") -> None:
        self.data, self.source, self.line, self.path = data, source, line, path
        if not isinstance(data, Mapping):
            what = f"{path or 'the file'} must be a mapping of keys to values"
            raise RulecError(what, where=f"{source}:{line}", hint="see the README for a whole file")

    @classmethod
    def load(cls, text: str, source: str) -> "YamlNode":
        """The top of a file."""
        return cls(_round_trip(text, source), source)

    @classmethod
    def read(cls, text: str, source: str, how: "Callable[[YamlNode], Value]") -> "Value":
        """What ``how`` makes of a file that is read fast; refused, once more by ``load``, for the line."""
        try:
            return how(cls._quick(text, source))
        except RulecError:
            return how(cls.load(text, source))

    @classmethod
    def _quick(cls, text: str, source: str) -> "YamlNode":
        """The top of a file five times as fast; of lines it knows those on which mappings begin."""
        return cls(_quick_load(text, source), source)

    def where(self, key: str = "") -> str:
        """``file:line`` of a key, or of the mapping itself."""
        try:
            line = self.data.lc.key(key)[0] + 1 if key else self.line
        except (AttributeError, KeyError, TypeError):  # plain dicts, and keys that are not there, have no place
            line = self.line
        return f"{self.source}:{line}"

    def error(self, key: str, what: str, hint: str) -> RulecError:
        """The refusal of one key's value."""
        name = ".".join(filter(None, (self.path, key)))
        return RulecError(f"{name or 'the file'} {what}", where=self.where(key), hint=hint)

    def known(self, keys: Iterable[str]) -> None:
        """Refuse keys that are not in the list, and before them a file of another version."""
        known = list(keys)
        if "schema" in known and self.integer("schema", SCHEMA_VERSION) != SCHEMA_VERSION:
            raise self.error("schema", f"is not {SCHEMA_VERSION}", f"upgrade rulec, or set schema: {SCHEMA_VERSION}")
        for key in self.data:
            if key not in known:
                raise self.error(str(key), "is not a known key", f"known are {', '.join(known)}")

    def has(self, key: str) -> bool:
        """Whether the mapping has the key."""
        return key in self.data

    def _typed(self, key: str, kind: type | tuple[type, ...], default: Any, name: str) -> Any:
        value = self.data.get(key, default)
        if not isinstance(value, kind) or (isinstance(value, bool) and kind is not bool):
            raise self.error(key, f"must be {name}, not {_kind(value)}", "quote it" if kind is str else f"write {name}")
        return value

    def text(self, key: str, *, required: bool = False) -> str:
        """A text, "" where it is absent."""
        if required and key not in self.data:
            raise self.error(key, "is missing", f"add a line '{key}: …'")
        return str(self._typed(key, str, "", "text"))

    def integer(self, key: str, default: int, least: int | None = None) -> int:
        """A whole number."""
        value = int(self._typed(key, int, default, "a whole number"))
        if least is not None and value < least:
            raise self.error(key, f"must be {least} or more", "count up from there")
        return value

    def number(self, key: str) -> float:
        """A number, 0 where it is absent."""
        return float(self._typed(key, (int, float), 0, "a number"))

    def flag(self, key: str) -> bool:
        """True or false, false where it is absent."""
        return bool(self._typed(key, bool, False, "true or false"))  # noqa: FBT003 - the default is a value here

    def choice(self, key: str, allowed: Sequence[str], *, required: bool = False) -> str:
        """One of a few words."""
        value = self.text(key, required=required)
        if value not in allowed:
            raise self.error(key, f"{value!r} is not one of {', '.join(allowed)}", "choose one of them")
        return value

    def texts(self, key: str, default: tuple[str, ...] = ()) -> tuple[str, ...]:
        """A list of texts."""
        value = self._typed(key, list, list(default), "a list")
        if not all(isinstance(item, str) for item in value):
            raise self.error(key, "must be a list of texts", "quote its items")
        return tuple(str(item) for item in value)

    def mapping(self, key: str) -> "YamlNode":
        """A nested mapping, empty where it is absent."""
        return YamlNode(self.data.get(key, {}), self.source, self._line(key), self._below(key))

    def items(self, key: str) -> list["YamlNode"]:
        """A list of mappings, empty where it is absent."""
        value = self._typed(key, list, [], "a list")
        lines = [self._item_line(key, value, index) for index in range(len(value))]
        return [YamlNode(v, self.source, lines[i], f"{self._below(key)}[{i}]") for i, v in enumerate(value)]

    def plain(self) -> dict[str, Any]:
        """The mapping as plain Python data."""
        return {str(key): _plain(value) for key, value in self.data.items()}

    def _below(self, key: str) -> str:
        return f"{self.path}.{key}" if self.path else key

    def _line(self, key: str) -> int:
        return int(self.where(key).rpartition(":")[2])

    def _item_line(self, key: str, value: Any, index: int) -> int:
        item = value[index]
        if isinstance(item, _Mapping):
            return item.line
        try:
            return int(value.lc.item(index)[0]) + 1
        except (AttributeError, KeyError, TypeError):
            return self._line(key)


class _Mapping(dict[Any, Any]):
    """A mapping of a file that is read fast."""

    line = 1  # on which it begins


def _quick_load(text: str, source: str) -> Any:
    from ruamel.yaml.error import YAMLError  # noqa: PLC0415 - 30 ms, and most commands read no YAML

    if _CONFLICT.search(text):
        raise RulecError("a merge conflict stands here", where=source)
    try:
        data = _fast_yaml().load(text)
    except (YAMLError, ValueError, TypeError, RecursionError) as error:
        raise RulecError(f"not valid YAML: {' '.join(str(error).split())[:160]}", where=source) from None
    if _size(data, MOST_VALUES) >= MOST_VALUES:
        raise RulecError("holds too much", where=source)
    return data


def _fast_yaml() -> Any:
    from ruamel.yaml import YAML  # noqa: PLC0415 - 30 ms, and most commands read no YAML

    yaml = YAML(typ="safe")
    yaml.Constructor = _constructor()
    return yaml


@cache
def _constructor() -> Any:
    from ruamel.yaml.constructor import SafeConstructor  # noqa: PLC0415 - as above

    class Constructor(SafeConstructor):
        def construct_yaml_map(self, node: Any) -> Iterator[_Mapping]:
            made = _Mapping()
            made.line = node.start_mark.line + 1
            yield made
            made.update(self.construct_mapping(node))

    Constructor.add_constructor("tag:yaml.org,2002:map", Constructor.construct_yaml_map)
    return Constructor


def _kind(value: Any) -> str:
    names = {bool: "yes/no", int: "a number", float: "a number", list: "a list", dict: "a mapping", type(None): "empty"}
    return next((name for kind, name in names.items() if isinstance(value, kind)), "text")


def _plain(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {str(key): _plain(item) for key, item in value.items()}
    if isinstance(value, list):
        return [_plain(item) for item in value]
    for kind in (bool, int, float, str):
        if isinstance(value, kind):
            return kind(value)
    return None if value is None else str(value)


def _yaml() -> Any:
    from ruamel.yaml import YAML  # noqa: PLC0415 - 30 ms, and most commands read no YAML

    yaml = YAML()
    yaml.width = 110
    yaml.indent(mapping=2, sequence=4, offset=2)
    yaml.preserve_quotes = True
    yaml.allow_unicode = True
    yaml.brace_single_entry_mapping_in_flow_sequence = True  # as whoever wrote the file before
    return yaml


def _round_trip(text: str, source: str) -> Any:
    from ruamel.yaml.error import MarkedYAMLError, YAMLError  # noqa: PLC0415 - as above

    if found := _CONFLICT.search(text):
        line = text.count("\n", 0, found.start()) + 1
        hint = "finish the merge: settle it, then git add"
        raise RulecError("a merge conflict stands here", where=f"{source}:{line}", hint=hint)
    try:
        data = _yaml().load(text)
    except MarkedYAMLError as error:
        line = error.problem_mark.line + 1 if error.problem_mark else 1
        raise RulecError(f"not valid YAML: {error.problem}", where=f"{source}:{line}", hint="mend that line") from None
    except (YAMLError, ValueError, TypeError, RecursionError) as error:
        problem = " ".join(str(error).split())[:160]
        raise RulecError(f"not valid YAML: {problem}", where=f"{source}:1", hint="mend the file") from None
    if _size(data, MOST_VALUES) >= MOST_VALUES:
        raise RulecError("holds too much", where=f"{source}:1", hint="write it out plainly, without nested anchors")
    return data


def _size(value: Any, left: int) -> int:
    """How many values there are, anchors written out, counted no further than ``left``."""
    waiting, seen = [value], 0
    while waiting and seen < left:
        item = waiting.pop()
        seen += 1
        if isinstance(item, Mapping):
            waiting += item.values()
        elif isinstance(item, list):
            waiting += item
    return seen


def load_yaml(text: str, source: str) -> Any:
    """The file as plain Python data; RulecError with file:line where it is not valid YAML."""
    try:
        return _plain(_quick_load(text, source))
    except RulecError:
        return _plain(_round_trip(text, source))


def top_level_list(text: str, key: str, source: str) -> tuple[int, int, int] | None:
    """Where an item may be added to a block-style list: line index to insert at, column of its dashes, length.

    None where the key is absent or has no value. An empty flow list ``[]`` gives length 0 and the key's own line.
    """
    data = _round_trip(text, source)
    if not isinstance(data, Mapping) or data.get(key) is None:
        return None
    line = data.lc.key(key)[0]  # type: ignore[attr-defined]  # ruamel's own mapping knows its lines
    value = data[key]
    if not isinstance(value, list):
        raise RulecError(f"{key} must be a list", where=f"{source}:{line + 1}", hint="mend the file first")
    if not value:
        return line, 0, 0
    if value.fa.flow_style():  # type: ignore[attr-defined]  # as above
        raise RulecError(f"{key} is in flow style", where=f"{source}:{line + 1}", hint="write its items as '- ' lines")
    first, column = value.lc.item(0)  # type: ignore[attr-defined]  # as above
    lines = text.splitlines()
    dash = lines[first].rfind("-", 0, column)
    end = first
    for index in range(first, len(lines)):
        bare = lines[index].lstrip(" ")
        if not bare or bare.startswith("#"):
            continue
        indent = len(lines[index]) - len(bare)
        if indent < dash or (indent == dash and not bare.startswith("-")) or bare.startswith(("---", "...")):
            break
        end = index
    return end + 1, dash, len(value)


def rewrite_yaml(data: Mapping[str, Any], old: str) -> str:
    """The mapping as YAML; what stands in ``old`` with the same value keeps its place, style and comments."""
    yaml = _yaml()
    target = yaml.load(old) if old.strip() else None
    merged = _merged(target, data)
    text = _dumped(yaml, merged)
    suspect = "\\t" in text or " \n" in text or "\\\n" in text
    if not suspect or _plain(_yaml().load(text)) == _plain(merged):
        return text
    yaml.width = _UNFOLDED
    return _dumped(yaml, merged)


_UNFOLDED = 1_000_000  # ruamel loses blanks where it folds behind a tab or between two, and adds one behind a backslash


def _dumped(yaml: Any, data: Any) -> str:
    out = io.StringIO()
    yaml.dump(data, out)
    return out.getvalue()


_WIDE = 90  # signs of what is written in one line


def _merged(old: Any, new: Any) -> Any:
    if isinstance(old, Mapping) and isinstance(new, Mapping):
        for key in [key for key in old if key not in new]:
            del old[key]  # type: ignore[attr-defined]  # ruamel's mapping is mutable
        for key, value in new.items():
            old[key] = _merged(old.get(key), value)  # type: ignore[index]  # as above
        return old
    if isinstance(old, list) and isinstance(new, list):
        if len(new) > len(old) and len(repr(new)) > _WIDE and any(isinstance(item, Mapping) for item in new):
            old.fa.set_block_style()  # type: ignore[attr-defined]  # it fits no line any more; ruamel's own list
        for index, value in enumerate(new):
            if index < len(old):
                old[index] = _merged(old[index], value)
            else:
                old.append(_fresh(value, inside=True))
        del old[len(new) :]
        return old
    return old if old is not None and _plain(old) == new else _fresh(new)


def _fresh(value: Any, *, inside: bool = False) -> Any:
    from ruamel.yaml.comments import CommentedMap, CommentedSeq  # noqa: PLC0415 - as in _yaml
    from ruamel.yaml.scalarstring import DoubleQuotedScalarString, LiteralScalarString  # noqa: PLC0415 - as in _yaml

    if isinstance(value, Mapping):
        mapping = CommentedMap((key, _fresh(item, inside=True)) for key, item in value.items())
        if inside and _short(value):
            mapping.fa.set_flow_style()
        return mapping
    if isinstance(value, list):
        sequence = CommentedSeq(_fresh(item, inside=True) for item in value)
        if _short(value) and not any(isinstance(item, Mapping) for item in value):
            sequence.fa.set_flow_style()
        return sequence
    if not isinstance(value, str):
        return value
    if _literal(value):
        return LiteralScalarString(value)
    return value if _PLAIN.fullmatch(value) else DoubleQuotedScalarString(value)


# ruamel writes some texts plain that it cannot read back ("{a: ?b}"); whatever is not clearly plain gets quotes.
_PLAIN = re.compile(r"""[^\W\d_](?:[\w ./(),'"=+@*;$<>`~^-]*[\w./()'"=+*;$`~^-])?""")


def _literal(text: str) -> bool:
    lines = text.split("\n")
    plain = all(line == line.rstrip() and line.replace("\t", "").isprintable() for line in lines)
    return len(lines) > 2 and text.endswith("\n") and plain and not text.startswith((" ", "\n", "\t"))


def _short(value: Any) -> bool:
    return "\n" not in repr(value).replace("\\n", "\n") and len(repr(value)) < _WIDE and _depth(value) <= 2


def _depth(value: Any) -> int:
    below = value.values() if isinstance(value, Mapping) else value if isinstance(value, list) else None
    return 0 if below is None else 1 + max(map(_depth, below), default=0)
