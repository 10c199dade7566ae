"""YAML text <-> Rule; refusals name file and line, and a rewrite keeps people's comments."""

import re
from collections.abc import Callable, Mapping
from dataclasses import fields
from typing import Any, cast, get_args

from rulec.domain.enforcement import ENFORCEMENTS, PINNED_LEVELS, PINS, SEVERITIES, SHOWN
from rulec.domain.patterns.command_patterns import pattern_programs
from rulec.domain.patterns.safety import glob_problem
from rulec.domain.rule import (
    AUDIENCES,
    CATEGORIES,
    ENVIRONMENTS,
    LONGEST_SLUG,
    Check,
    CheckKind,
    Exemption,
    Rule,
    Scope,
)
from rulec.errors import RulecError
from rulec.rulebook import example_file, yaml_text
from rulec.rulebook.yaml_text import YamlNode

SLUG_PATTERN = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")
_TEXTS = ("statement", "rationale", "when", "do", "superseded_by", "retired", "origin")
_CHOICES: dict[str, tuple[str, ...]] = {
    "category": CATEGORIES,
    "severity": SEVERITIES,
    "enforcement": PINS,
    "on_error": SHOWN,
    "on_unsure": ENFORCEMENTS,
    "level": PINNED_LEVELS,
}
RULE_KEYS = (
    "schema",
    "slug",
    "revision",
    *_TEXTS,
    *_CHOICES,
    "scope",
    "checks",
    "not_checked",
    "examples",
    "refines",
    "supersedes",
    "formerly",
    "exceptions",
)
_BOUNDS = ("include", "exclude", "agents", "environments")  # of an exception
_CHECK_KINDS: tuple[str, ...] = get_args(CheckKind)
LONGEST = LONGEST_SLUG


def checked_slug(text: str, where: str = "") -> str:
    """The text as a slug, or a refusal: a slug is also a file name, so nothing else may pass."""
    if not SLUG_PATTERN.fullmatch(text) or len(text) > LONGEST or text == "config":
        raise RulecError(
            f"{text!r} is no slug", where=where, hint="use lower-case ASCII words joined by '-', such as use-pnpm"
        )
    return text


TemplateKind = Callable[[str], CheckKind | None]  # the kind of check that a template makes; None: it is not known


def unknown_kind(_: str) -> CheckKind | None:
    """Of no template it is known what it makes."""
    return None


def parse_rule(text: str, *, source: str, kind_of: TemplateKind = unknown_kind) -> Rule:
    """A rule from the text of its file; RulecError with file:line where a key, type or value is wrong."""
    return YamlNode.read(text, source, lambda top: rule_from_node(top, kind_of))


def rule_from_node(top: YamlNode, kind_of: TemplateKind = unknown_kind) -> Rule:
    """The same from what was read of it; a check without a kind has that of its template."""
    top.known(RULE_KEYS)
    slug = checked_slug(top.text("slug", required=True), top.where("slug"))
    if not top.text("statement", required=True).strip():
        raise top.error("statement", "is empty", "say in one sentence what must hold")
    where, examples = top.mapping("scope"), top.mapping("examples")
    examples.known(("invalid", "valid"))
    return Rule(
        slug=slug,
        revision=top.integer("revision", 1, least=1),
        **cast("dict[str, Any]", {key: top.text(key) for key in _TEXTS}),
        **cast("dict[str, Any]", {key: top.choice(key, allowed) for key, allowed in _CHOICES.items() if top.has(key)}),
        scope=scope_from_node(where),
        checks=tuple(_check(node, kind_of) for node in top.items("checks")),
        not_checked=top.texts("not_checked"),
        invalid=tuple(example_file.read_example(node) for node in examples.items("invalid")),
        valid=tuple(example_file.read_example(node) for node in examples.items("valid")),
        refines=checked_slug(top.text("refines"), top.where("refines")) if top.has("refines") else "",
        supersedes=top.texts("supersedes"),
        formerly=top.texts("formerly"),
        exceptions=tuple(_exemption(node) for node in top.items("exceptions")),
        source=top.source,
    )


def scope_from_node(node: YamlNode) -> Scope:
    """A rule's scope from its file."""
    node.known([field.name for field in fields(Scope)])
    found = Scope(**{f.name: node.texts(f.name, getattr(Scope(), f.name)) for f in fields(Scope)})
    for key in ("include", "exclude", "projects"):
        for glob in getattr(found, key):
            if wrong := glob_problem(glob):
                raise node.error(key, f"{glob[:200]!r} {wrong[0]}", wrong[1])
    for name in found.environments:
        if name not in ENVIRONMENTS:
            raise node.error("environments", f"{name[:200]!r} is none of {', '.join(ENVIRONMENTS)}", "choose of them")
    if found.who not in ((), AUDIENCES):
        raise node.error("who", "is not [agents]", "write who: [agents], or leave it out for everyone")
    return found


def _exemption(node: YamlNode) -> Exemption:
    node.known(("because", "when", "scope", "commands", "arguments", "examples"))
    bounds, examples = node.mapping("scope"), node.mapping("examples")
    bounds.known(_BOUNDS)
    examples.known(("valid",))
    found = Exemption(
        because=node.text("because", required=True),
        when=node.text("when"),
        scope=scope_from_node(bounds),
        commands=node.texts("commands"),
        arguments=node.texts("arguments"),
        valid=tuple(example_file.read_example(one) for one in examples.items("valid")),
    )
    if not found.because.strip():
        raise node.error("because", "is empty", "say why the rule does not hold there")
    for pattern in found.commands:
        if not pattern.strip() or pattern_programs(pattern) is None:
            raise node.error("commands", f"{pattern[:200]!r} names no program", "begin with one, such as: npm ci")
    for glob in found.arguments:
        if wrong := glob_problem(glob):
            raise node.error("arguments", f"{glob[:200]!r} {wrong[0]}", wrong[1])
    if not found.bounded:
        raise node.error(
            "", "excepts everything", f"give it commands, arguments, or a scope of some {', '.join(_BOUNDS)}"
        )
    return found


def _check(node: YamlNode, kind_of: TemplateKind) -> Check:
    node.known(("kind", "template", "with"))
    template = node.text("template", required=True)
    parameters = node.mapping("with").plain()
    kind = node.choice("kind", _CHECK_KINDS) if node.has("kind") else kind_of(template)
    if kind is None:
        hint = f"rulec templates lists them; of a template of your own say its kind: {' or '.join(_CHECK_KINDS)}"
        raise node.error("template", f"no template {template!r} of rulec's own", hint)
    return Check(kind=cast("CheckKind", kind), template=template, parameters=parameters, line=node.line)


def _plain(rule: Rule) -> dict[str, Any]:
    default = Rule(slug="x", statement="x")
    data: dict[str, Any] = {
        "schema": yaml_text.SCHEMA_VERSION,
        "slug": rule.slug,
        "revision": rule.revision,
        "statement": rule.statement,
    }
    for key in ("rationale", "category", "severity", "enforcement", "on_error", "on_unsure", "level", "when", "do"):
        value = getattr(rule, key)
        if value != getattr(default, key) or key in ("category", "severity", "enforcement"):
            data[key] = value
    bounds = {f.name: list(getattr(rule.scope, f.name)) for f in fields(Scope)}
    data["scope"] = {key: value for key, value in bounds.items() if value != list(getattr(default.scope, key))}
    data["checks"] = [{"kind": c.kind, "template": c.template, "with": _listed(c.parameters)} for c in rule.checks]
    data["not_checked"] = list(rule.not_checked)
    data["examples"] = {
        "invalid": [example_file.example_data(e) for e in rule.invalid],
        "valid": [example_file.example_data(e) for e in rule.valid],
    }
    data["refines"] = rule.refines
    data["supersedes"], data["formerly"] = list(rule.supersedes), list(rule.formerly)
    data["exceptions"] = [_plain_exemption(one) for one in rule.exceptions]
    data |= {key: value for key in ("superseded_by", "retired", "origin") if (value := getattr(rule, key))}
    return {key: value for key, value in data.items() if value or key == "checks"}


def _plain_exemption(one: Exemption) -> dict[str, Any]:
    bounds = {key: list(getattr(one.scope, key)) for key in _BOUNDS}
    data: dict[str, Any] = {
        "because": one.because,
        "when": one.when,
        "scope": {key: value for key, value in bounds.items() if value != list(getattr(Scope(), key))},
        "commands": list(one.commands),
        "arguments": list(one.arguments),
        "examples": {"valid": [example_file.example_data(example) for example in one.valid]} if one.valid else {},
    }
    return {key: value for key, value in data.items() if value}


def _listed(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {key: _listed(item) for key, item in value.items()}
    return [_listed(item) for item in value] if isinstance(value, tuple | list) else value


def dump_rule(rule: Rule, old: str = "", kind_of: TemplateKind = unknown_kind) -> str:
    """The text of a rule's file; given its old text, what did not change keeps its bytes' style and its comments."""
    data = _plain(rule)
    for check in data["checks"]:
        if kind_of(check["template"]) == check["kind"]:
            del check["kind"]
    return yaml_text.rewrite_yaml(data, old)
