"""The check options of rulec add (--check, --with, --invalid, ...) -> a rule as plain data."""

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from rulec.domain.template import Template, TemplateParameter
from rulec.errors import RulecError
from rulec.rulebook.yaml_text import YamlNode, load_yaml

_TRUE, _FALSE = ("true", "yes", "1"), ("false", "no", "0")


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckOptions:
    """The options of ``rulec add``, as they were typed."""

    checks: Sequence[str] = ()
    parameters: Sequence[tuple[int, str]] = ()  # the number of the check that one stands behind, and NAME=VALUE
    invalid: Sequence[str] = ()
    valid: Sequence[str] = ()
    scope: Sequence[str] = ()
    not_checked: Sequence[str] = ()

    def __bool__(self) -> bool:
        """Whether anything was said beside the sentence."""
        return any((self.checks, self.parameters, self.invalid, self.valid, self.scope, self.not_checked))


def rule_from_options(statement: str, given: CheckOptions, template: Callable[[str], Template]) -> dict[str, Any]:
    """The rule that the options describe, with each value in the type that its template declares."""
    if not given.checks:
        raise RulecError("no check is named", hint="--check TEMPLATE says how; see rulec templates --catalogue")
    checks = []
    for number, name in enumerate(given.checks, 1):
        kind, _, bare = name.rpartition(":")  # guard:forbid-text, where a template makes several kinds
        known = template(bare)
        own = [text for place, text in given.parameters if place == number]
        checks.append({"template": bare, "with": _parameters(own, known), **({"kind": kind} if kind else {})})
    first = [text for place, text in given.parameters if not place]
    if first:
        raise RulecError(f"--with {first[0]} stands before any --check", hint="write --check TEMPLATE --with k=v")
    return {
        "statement": statement,
        "checks": checks,
        "examples": {"invalid": list(map(_example, given.invalid)), "valid": list(map(_example, given.valid))},
        "scope": _scope(given.scope),
        "not_checked": list(given.not_checked),
    }


def _parameters(texts: Iterable[str], template: Template) -> dict[str, Any]:
    declared = {parameter.name: parameter for parameter in template.parameters}
    found: dict[str, Any] = {}
    for text in texts:
        name, sign, value = text.partition("=")
        if not sign or name not in declared:
            what = f"{template.name} has no parameter {name!r}" if sign else f"--with {text!r} is not NAME=VALUE"
            raise RulecError(what, hint=f"it takes {', '.join(declared) or 'none'}")
        one = declared[name]
        if name in found and not _several(one):
            raise RulecError(f"{template.name}.{name} is given twice", hint="it takes one value")
        read = _value(one, value, f"{template.name}.{name}")
        found[name] = _joined(found[name], read) if name in found else read
    return found


def _several(one: TemplateParameter) -> bool:
    return one.type.startswith(("list[", "map["))


def _joined(old: Any, new: Any) -> Any:
    return {**old, **new} if isinstance(old, dict) else [*old, *new]


def _value(one: TemplateParameter, text: str, name: str) -> Any:
    if one.type.startswith("map["):
        key, sign, value = text.partition("=")
        return dict(_flow(text, name, "{k: kubectl}")) if text.startswith("{") or not sign else {key: value}
    if one.type.startswith("list["):
        return _list(one, text, name)
    if one.type == "bool":
        if text.lower() not in (*_TRUE, *_FALSE):
            raise RulecError(f"{name} must be true or false, not {text!r}", hint=one.doc)
        return text.lower() in _TRUE
    if one.type == "int":
        try:
            return int(text)
        except ValueError:
            raise RulecError(f"{name} must be a whole number, not {text!r}", hint=one.doc) from None
    if one.type == "semgrep" and text.lstrip().startswith("{"):
        return _flow(text, name, "{...}")
    return _flow(text, name, "{...}") if one.type == "guard" else text


def _list(one: TemplateParameter, text: str, name: str) -> list[Any]:
    """``[a, b]`` is a list; of patterns only where they are quoted, for [ab] is a pattern, too."""
    quoted = text[1:].lstrip()[:1] in ("'", '"')
    if text.startswith("[") and text.endswith("]") and (quoted or one.type != "list[regex]"):
        return [str(item) for item in _flow(text, name, "[a, b]")]
    return [text]


def _flow(text: str, name: str, form: str) -> Any:
    try:
        value = load_yaml(text, name)
    except RulecError:
        example = '["*.md"]' if form.startswith("[") else '{k: "a*"}'
        bare = f", or one item alone: --with '{name.rpartition('.')[2]}=*.md'" if form.startswith("[") else ""
        hint = f"quote each item that begins with a sign: {example}{bare}"
        raise RulecError(f"{name}: {text!r} cannot be read as {form}", hint=hint) from None
    if not isinstance(value, dict if form.startswith("{") else list):
        raise RulecError(f"{name} must be written as {form}, not {text!r}")
    return value


def _example(text: str) -> Mapping[str, Any]:
    """A mapping as in rule files, or else a command."""
    if not text.lstrip().startswith("{"):
        return {"command": text}
    try:
        found = json.loads(text)
    except ValueError:
        found = load_yaml(text, "example")
    return YamlNode(found, "example").plain()


def _scope(globs: Sequence[str]) -> dict[str, Any]:
    include = [glob for glob in globs if not glob.startswith("!")]
    exclude = [glob[1:] for glob in globs if glob.startswith("!")]
    return {**({"include": include} if include else {}), **({"exclude": exclude} if exclude else {})}
