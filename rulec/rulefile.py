"""YAML text <-> Rule and Evidence; refusals name file and line, and a rewrite keeps people's comments."""

import hashlib
import re
from collections.abc import Mapping, Sequence
from dataclasses import fields
from typing import Any, cast, get_args

from rulec import yamltext
from rulec.errors import RulecError
from rulec.model.evidence import Evidence, EvidenceKind
from rulec.model.rule import (
    CATEGORIES,
    Check,
    CheckKind,
    Example,
    ExampleKind,
    OnError,
    OnUnsure,
    Pinned,
    Rule,
    Scope,
    Severity,
)
from rulec.patterns.safety import wrong_glob
from rulec.yamltext import Node, load_yaml, top_level_list

__all__ = [
    "dumps",
    "dumps_evidence",
    "evidence_id",
    "example",
    "load_yaml",
    "loads",
    "loads_evidence",
    "slug_of",
    "top_level_list",
]

SLUG = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")
_TEXTS = ("statement", "rationale", "when", "do", "origin")
_CHOICES: dict[str, tuple[str, ...]] = {
    "category": CATEGORIES,
    "severity": get_args(Severity),
    "enforcement": get_args(Pinned),
    "on_error": get_args(OnError),
    "on_unsure": get_args(OnUnsure),
}
_KEYS = ("schema", "slug", "revision", *_TEXTS, *_CHOICES, "scope", "checks", "examples", "supersedes")
_CHECK_KINDS: tuple[str, ...] = get_args(CheckKind)
SCHEMA = 1
HEAVIEST = 3  # what one observation may weigh: a person's yes
LONGEST = 80  # a slug is a file name too


def slug_of(text: str, where: str = "") -> str:
    """The text as a slug, or a refusal: a slug is also a file name, so nothing else may pass."""
    if not SLUG.fullmatch(text) or len(text) > LONGEST or text == "config":
        raise RulecError(
            f"{text!r} is no slug", where=where, hint="use lower-case ASCII words joined by '-', such as use-pnpm"
        )
    return text


def loads(text: str, *, source: str) -> Rule:
    """A rule from the text of its file; RulecError with file:line where a key, type or value is wrong."""
    top = Node.load(text, source)
    top.known(_KEYS)
    if top.integer("schema", SCHEMA) != SCHEMA:
        raise top.error("schema", f"is not {SCHEMA}", "upgrade rulec, or set schema: 1")
    slug = slug_of(top.text("slug", required=True), top.where("slug"))
    if not top.text("statement", required=True).strip():
        raise top.error("statement", "is empty", "say in one sentence what must hold")
    scope, examples = top.mapping("scope"), top.mapping("examples")
    scope.known([field.name for field in fields(Scope)])
    examples.known(("invalid", "valid"))
    return Rule(
        slug=slug,
        revision=top.integer("revision", 1, least=1),
        **cast("dict[str, Any]", {key: top.text(key) for key in _TEXTS}),
        **cast("dict[str, Any]", {key: top.choice(key, allowed) for key, allowed in _CHOICES.items() if top.has(key)}),
        scope=_scope(scope),
        checks=tuple(_check(node) for node in top.items("checks")),
        invalid=tuple(example(node) for node in examples.items("invalid")),
        valid=tuple(example(node) for node in examples.items("valid")),
        supersedes=top.texts("supersedes"),
        source=source,
    )


def _scope(node: Node) -> Scope:
    found = Scope(**{f.name: node.texts(f.name, getattr(Scope(), f.name)) for f in fields(Scope)})
    for key in ("include", "exclude"):
        for glob in getattr(found, key):
            if wrong := wrong_glob(glob):
                raise node.error(key, f"{glob[:200]!r} {wrong[0]}", wrong[1])
    return found


def _check(node: Node) -> Check:
    node.known(("kind", "template", "with"))
    kind = node.choice("kind", _CHECK_KINDS, required=True)
    parameters = node.mapping("with").plain()
    return Check(
        kind=cast("CheckKind", kind),
        template=node.text("template", required=True),
        parameters=parameters,
        line=node.line,
    )


_EXAMPLE_KEYS = {
    "command": ("command",),
    "file": ("file", "content"),
    "edit": ("edit", "old", "new"),
    "message": ("message",),
    "commit": ("commit", "files"),
    "session": ("session",),
}
_STEP_KEYS = {
    "command": ("command", "failed"),
    "file": _EXAMPLE_KEYS["file"],
    "edit": _EXAMPLE_KEYS["edit"],
    "read": ("read",),
    "says": ("says",),
    "stop": ("stop",),
}
_JUDGED = ("command", "file", "edit", "stop")


def example(node: Node) -> Example:
    """One example: command, file + content, edit + old + new, message, commit + files, or the steps of a session."""
    kind = _kind(node, _EXAMPLE_KEYS, "example")
    if kind == "session":
        return Example(kind="session", text="", steps=_steps(node))
    if kind == "commit":
        files = node.mapping("files").plain()
        return Example(kind="commit", text=node.text("commit"), files=tuple((k, str(v)) for k, v in files.items()))
    return _plain_step(node, kind)


def _kind(node: Node, known: Mapping[str, Sequence[str]], what: str) -> str:
    kind = next((key for key in known if node.has(key)), None)
    if kind is None:
        raise node.error("", f"is no {what}", f"write one of {', '.join(known)}")
    node.known(known[kind])
    return kind


def _plain_step(node: Node, kind: str) -> Example:
    match kind:
        case "file":
            return Example(kind="file", path=node.text("file"), text=node.text("content"))
        case "edit":
            return Example(kind="edit", path=node.text("edit"), old=node.text("old"), text=node.text("new"))
        case "read":
            return Example(kind="read", path=node.text("read"), text="")
        case _:
            return Example(kind=cast("ExampleKind", kind), text=node.text(kind), failed=node.flag("failed"))


def _steps(node: Node) -> tuple[Example, ...]:
    """The steps of a session; the last one must be something that can be judged."""
    nodes = node.items("session")
    steps = tuple(_plain_step(one, _kind(one, _STEP_KEYS, "step of a session")) for one in nodes)
    if not steps:
        raise node.error("session", "has no step", "write what happened in its order, last what is judged")
    last = steps[-1]
    if last.kind not in _JUDGED or last.failed:
        what = "failed" if last.failed else f"is {last.kind!r}"
        hint = f"end it with one of {', '.join(_JUDGED)}"
        raise nodes[-1].error("", f"{what}, and the last step of a session is the one that is judged", hint)
    return steps


def _plain_example(item: Example) -> dict[str, Any]:
    match item.kind:
        case "file":
            return {"file": item.path, "content": item.text}
        case "edit":
            return {"edit": item.path, "old": item.old, "new": item.text}
        case "commit":
            return {"commit": item.text, "files": dict(item.files)}
        case "session":
            return {"session": [_plain_example(step) for step in item.steps]}
        case "read":
            return {"read": item.path}
        case _:
            return {item.kind: item.text, **({"failed": True} if item.failed else {})}


def _plain(rule: Rule) -> dict[str, Any]:
    default = Rule(slug="x", statement="x")
    data: dict[str, Any] = {"schema": SCHEMA, "slug": rule.slug, "revision": rule.revision, "statement": rule.statement}
    for key in ("rationale", "category", "severity", "enforcement", "on_error", "on_unsure", "when", "do"):
        value = getattr(rule, key)
        if value != getattr(default, key) or key in ("category", "severity", "enforcement"):
            data[key] = value
    scope = {f.name: list(getattr(rule.scope, f.name)) for f in fields(Scope)}
    data["scope"] = {key: value for key, value in scope.items() if value != list(getattr(default.scope, key))}
    data["checks"] = [{"kind": c.kind, "template": c.template, "with": _listed(c.parameters)} for c in rule.checks]
    data["examples"] = {
        "invalid": [_plain_example(e) for e in rule.invalid],
        "valid": [_plain_example(e) for e in rule.valid],
    }
    if rule.supersedes:
        data["supersedes"] = list(rule.supersedes)
    if rule.origin:
        data["origin"] = rule.origin
    return {key: value for key, value in data.items() if value or key == "checks"}


def _listed(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {key: _listed(item) for key, item in value.items()}
    return [_listed(item) for item in value] if isinstance(value, tuple | list) else value


def dumps(rule: Rule, old: str = "") -> str:
    """The text of a rule's file; given its old text, what did not change keeps its bytes' style and its comments."""
    return yamltext.rewrite(_plain(rule), old)


def evidence_id(item: Evidence) -> str:
    """Twelve hex digits of what was observed: the same observation has the same id on every branch."""
    proved = item.kind == "proved"
    seen = (item.revision, item.digest) if proved else (item.transcript, item.turn, item.quote)
    what = (item.slug, item.kind, *seen)
    return hashlib.sha256(repr(what).encode()).hexdigest()[:12]


def dumps_evidence(item: Evidence) -> str:
    """The text of an evidence file."""
    default = Evidence(slug="", kind="correction")
    data = {f.name: getattr(item, f.name) for f in fields(Evidence)}
    kept = {k: v for k, v in data.items() if k in ("slug", "kind") or v != getattr(default, k)}
    return yamltext.rewrite({"schema": SCHEMA, **kept}, "")


def loads_evidence(text: str, *, source: str) -> Evidence:
    """One observation from its file, which must be named by its content."""
    top = Node.load(text, source)
    top.known(["schema", *(f.name for f in fields(Evidence))])
    kind = top.choice("kind", get_args(EvidenceKind), required=True)
    item = Evidence(
        slug=slug_of(top.text("slug", required=True), top.where("slug")),
        kind=cast("EvidenceKind", kind),
        weight=top.number("weight"),
        **{key: top.text(key) for key in ("at", "quote", "agent", "transcript", "offence", "accepted", "digest")},
        turn=top.integer("turn", -1),
        revision=top.integer("revision", 0),
        replayed=top.integer("replayed", -1),
    )
    if not 0 <= item.weight <= HEAVIEST:
        raise top.error("weight", f"must lie between 0 and {HEAVIEST}", "restore the file with git checkout")
    name = re.split(r"[/\\]", source)[-1].removesuffix(".yaml")
    if name != evidence_id(item):
        raise RulecError(
            f"is not the evidence {evidence_id(item)} that its content says",
            where=source,
            hint="evidence never changes: restore it with git checkout, or delete it",
        )
    return item
