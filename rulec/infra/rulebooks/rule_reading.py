"""Reads rule files, with the kinds that templates give their checks, and caches them by their text."""

import hashlib
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import fields, is_dataclass
from functools import cache
from pathlib import Path
from typing import Any, TypeVar

from rulec.checks import template_library
from rulec.domain.evidence import Evidence, FiringCount, JudgeMeasure
from rulec.domain.rule import Check, CheckKind, Example, Exemption, Rule, Scope
from rulec.errors import RulecError
from rulec.infra import fast_files, state, text_files
from rulec.rulebook import rule_file


def read_rule(text: str, *, source: str) -> Rule:
    """A rule from the text of its file, in which a check may leave out its kind."""
    return rule_file.parse_rule(text, source=source, kinds=template_kinds)


def write_rule(rule: Rule, old: str = "") -> str:
    """The text of a rule's file, in the style and with the comments of its old text."""
    return rule_file.dump_rule(rule, old, template_kinds)


@cache
def template_kinds(template: str) -> Sequence[CheckKind]:
    """The kinds of check that a built-in template makes; () where it is none.

    A rule file means the same in every clone and at every commit, whatever templates of the team's own lie beside it.
    """
    try:
        return template_library.open_library().template(template).kinds
    except RulecError:
        return ()


_PIECE = "parsed"
_LEAST = 100  # files from which on it pays
_KINDS = {kind.__name__: kind for kind in (Check, FiringCount, Evidence, Example, Exemption, JudgeMeasure, Rule, Scope)}
Value = TypeVar("Value", Rule, Evidence)


class _ParseCache:
    """What was parsed while a rulebook is read."""

    def __init__(self) -> None:
        self.open = False
        self.known: dict[str, Any] = {}
        self.used: dict[str, Any] = {}
        self.fresh = False  # something was read that was not known


_PARSED = _ParseCache()


@contextmanager
def parse_cache(top: Path, many: int) -> Iterator[None]:
    """Within this context each file is parsed once; with ``many`` files the results are stored for later commands."""
    if many < _LEAST:
        yield
        return
    place, program = str(state.state_dir(top) / _PIECE), text_files.digest_program(Path(fast_files.PACKAGE_FOLDER))
    _PARSED.known, _PARSED.used = fast_files.load_piece(place, program) or {}, {}
    _PARSED.open, _PARSED.fresh = True, False
    try:
        yield
    finally:
        if _PARSED.fresh:
            fast_files.store_piece(place, program, _PARSED.used)
        _PARSED.open, _PARSED.known, _PARSED.used = False, {}, {}


def parse_once(path: str, text: str, how: Callable[..., Value]) -> Value:
    """The parsed content of a file, from the cache or by ``how``."""
    if not _PARSED.open:
        return how(text, source=path)
    name = hashlib.sha256(f"{path}\0{text}".encode("utf-8", "surrogatepass")).hexdigest()
    if name in _PARSED.known:
        _PARSED.used[name] = _PARSED.known[name]
        found: Value = _whole(_PARSED.known[name])
        return found
    value = how(text, source=path)
    _PARSED.used[name], _PARSED.fresh = _plain(value), True
    return value


def _plain(value: Any) -> Any:
    """A value in a form that marshal can store; no text of a file can look like the mark of a dataclass."""
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
