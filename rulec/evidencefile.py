"""YAML text <-> evidence: files that never change, each named by its content."""

import hashlib
import json
import re
from dataclasses import fields
from typing import Any, cast, get_args

from rulec import yamltext
from rulec.errors import RulecError
from rulec.model.evidence import Evidence, EvidenceKind
from rulec.rulefile import SCHEMA, slug_of
from rulec.yamltext import Node

_TEXTS = ("at", "quote", "agent", "transcript", "offence", "accepted", "path", "digest")
HEAVIEST = 3  # what one observation may weigh: a person's yes


def identity(item: Evidence) -> str:
    """Twelve hex digits of all that the observation says: the same one has the same id on every branch."""
    what = json.dumps(_said(item), sort_keys=True, ensure_ascii=False)
    return hashlib.sha256(what.encode("utf-8", "surrogatepass")).hexdigest()[:12]


def _said(item: Evidence) -> dict[str, Any]:
    """What the file holds: nothing that is at its default, so that a later field changes no id."""
    default = Evidence(slug="", kind="correction")
    data = {f.name: getattr(item, f.name) for f in fields(Evidence)} | {"weight": float(item.weight)}
    return {key: value for key, value in data.items() if key in ("slug", "kind") or value != getattr(default, key)}


def dumps(item: Evidence) -> str:
    """The text of an evidence file."""
    return yamltext.rewrite({"schema": SCHEMA, **_said(item)}, "")


def loads(text: str, *, source: str) -> Evidence:
    """One observation from its file, which must be named by its content."""
    top = Node.load(text, source)
    top.known(["schema", *(f.name for f in fields(Evidence))])
    kind = top.choice("kind", get_args(EvidenceKind), required=True)
    item = Evidence(
        slug=slug_of(top.text("slug", required=True), top.where("slug")),
        kind=cast("EvidenceKind", kind),
        weight=top.number("weight"),
        **{key: top.text(key) for key in _TEXTS},
        turn=top.integer("turn", -1),
        revision=top.integer("revision", 0),
        replayed=top.integer("replayed", -1),
    )
    if not 0 <= item.weight <= HEAVIEST:
        raise top.error("weight", f"must lie between 0 and {HEAVIEST}", "restore the file with git checkout")
    name = re.split(r"[/\\]", source)[-1].removesuffix(".yaml")
    if name != identity(item):
        raise RulecError(
            f"is not the evidence {identity(item)} that its content says",
            where=source,
            hint="evidence never changes: restore it with git checkout, or delete it",
        )
    return item
