"""Reads rule files, with the kind that its template gives each check, and caches them by their text."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import fields, is_dataclass
from pathlib import Path
from typing import Any, TypeVar

from rulec.checks import template_library
from rulec.domain.evidence import Evidence, FiringCount
from rulec.domain.rule import Check, CheckKind, Example, Exemption, Rule, Scope
from rulec.errors import RulecError
from rulec.infra.kept_results import KeptResults, kept_results
from rulec.rulebook import rule_file


def read_rule(text: str, *, source: str) -> Rule:
    """A rule from the text of its file, in which a check may leave out its kind."""
    return rule_file.parse_rule(text, source=source, kind_of=template_kind)


def write_rule(rule: Rule, old: str = "") -> str:
    """The text of a rule's file, in the style and with the comments of its old text."""
    return rule_file.dump_rule(rule, old, template_kind)


def template_kind(template: str) -> CheckKind | None:
    """The kind of check that a built-in template makes; None where it is none.

    A rule file means the same in every clone and at every commit, whatever templates of the team's own lie beside it.
    """
    try:
        return template_library.open_library().template(template).kind
    except RulecError:
        return None


def read_heirs(rules: Iterable[Rule], archive: Mapping[str, tuple[str, str]]) -> dict[str, str]:
    """What superseded the rules that others say they formerly were, and so on; ``archive`` has path and text by slug.

    No other file of the archive is read.
    """
    found: dict[str, str] = {}
    left = [name for rule in rules for name in rule.formerly]
    while left:
        name = left.pop()
        if name in archive and name not in found:
            path, text = archive[name]
            found[name] = read_rule(text, source=path).superseded_by
            left.append(found[name])
    return found


_PIECE = "parsed"
_LEAST = 10  # files from which on it pays
_KINDS = {kind.__name__: kind for kind in (Check, FiringCount, Evidence, Example, Exemption, Rule, Scope)}
Value = TypeVar("Value", Rule, Evidence)
_OPEN: list[KeptResults] = []  # at most one: where a rulebook is being read


@contextmanager
def parse_cache(top: Path, many: int) -> Iterator[None]:
    """Within this context each file is parsed once; with ``many`` files the results are stored for later commands."""
    if many < _LEAST:
        yield
        return
    with kept_results(top, _PIECE) as results:
        _OPEN.append(results)
        try:
            yield
        finally:
            _OPEN.pop()


def parse_once(path: str, text: str, how: Callable[..., Value]) -> Value:
    """The parsed content of a file, from the cache or by ``how``."""
    if not _OPEN:
        return how(text, source=path)
    found: Value = _whole(_OPEN[-1].find(f"{path}\0{text}", lambda: _plain(how(text, source=path))))
    return found


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
