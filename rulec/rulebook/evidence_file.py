"""YAML text <-> evidence: files that never change, each named by its content."""

import hashlib
import json
import re
from collections.abc import Iterable, Sequence
from dataclasses import fields, replace
from typing import Any, cast, get_args

from rulec.domain.evidence import Evidence, EvidenceKind, FiringCount, Should
from rulec.errors import RulecError
from rulec.rulebook import example_file, yaml_text
from rulec.rulebook.confidence import to_seconds
from rulec.rulebook.rule_file import checked_slug
from rulec.rulebook.yaml_text import YamlNode

_TEXTS = ("at", "quote", "agent", "transcript", "offence", "accepted", "path", "digest", "about")
_LISTS = ("answers", "unmet", "told")
HEAVIEST_EVIDENCE = 3  # what one observation may weigh: a person's yes
_SEEN = re.compile(r"(\d{4}-\d\d-\d\d) ([\w-]{1,20}) ([\w.-]{1,40}) ([a-z]{1,20})( unsure)?")
NO_AGENT = "-"  # in place of an agent
_ENTRY = re.compile(_SEEN.pattern + r": ([1-9]\d{0,8})")
_COUNTED = re.compile(
    r"schema: 1\nslug: ([a-z][a-z0-9-]*)\nkind: (fired|fixed|excepted)\n"
    r'at: "(\d{4}-\d\d-\d\dT[\d:]{8}Z)"\ndigest: "?([0-9a-f]{12})"?\n'
    r"seen:(?: \{([^{}\n]+)\}|((?:\n  [^\n]+)+))\n"
)


def evidence_id(item: Evidence) -> str:
    """Twelve hex digits of an observation's content: the same one has the same id on every branch."""
    what = json.dumps(_said(item), sort_keys=True, ensure_ascii=False)
    return hashlib.sha256(what.encode("utf-8", "surrogatepass")).hexdigest()[:12]


def _said(item: Evidence) -> dict[str, Any]:
    """What the file holds: nothing that is at its default, so that a later field changes no id."""
    default = Evidence(slug="", kind="correction")
    data = {f.name: getattr(item, f.name) for f in fields(Evidence)} | {"weight": float(item.weight)}
    data["seen"] = {_words(count): count.times for count in item.seen} or ()
    data["example"] = example_file.example_data(item.example) if item.example else None
    data |= {key: list(getattr(item, key)) or () for key in _LISTS}
    return {key: value for key, value in data.items() if key in ("slug", "kind") or value != getattr(default, key)}


def _words(count: FiringCount) -> str:
    """All of a count but how often, as one key."""
    return f"{count.day} {count.gate} {count.agent or NO_AGENT} {count.outcome}" + " unsure" * count.unsure


def under_another_slug(items: Sequence[Evidence], slug: str) -> list[Evidence]:
    """The same observations about a rule of another name, which gives them other ids; revisions name the new ones."""
    ids = {evidence_id(item): evidence_id(replace(item, slug=slug)) for item in items}

    def named(names: Iterable[str]) -> tuple[str, ...]:
        return tuple(ids.get(name, name) for name in names)

    return [replace(item, slug=slug, answers=named(item.answers), unmet=named(item.unmet)) for item in items]


def dump_evidence(item: Evidence) -> str:
    """The text of an evidence file."""
    return yaml_text.rewrite_yaml({"schema": yaml_text.SCHEMA_VERSION, **_said(item)}, "")


def parse_evidence(text: str, *, source: str) -> Evidence:
    """One observation from its file, which must be named by its content."""
    name = re.split(r"[/\\]", source)[-1].removesuffix(".yaml")
    item = _counted(text)
    if item is None or name != evidence_id(item):
        item = YamlNode.read(text, source, _evidence)
    if name != evidence_id(item):
        raise RulecError(
            f"is not the evidence {evidence_id(item)} that its content says",
            where=source,
            hint="evidence never changes: restore it with git checkout, or delete it",
        )
    return item


def _counted(text: str) -> Evidence | None:
    """What gates saw, as we write it, without a YAML parser: such files may well be thousands, and each costs 3 ms."""
    form = _COUNTED.fullmatch(text)
    if not form:
        return None
    slug, kind, at, digest, inside, below = form.groups()
    entries = [_ENTRY.fullmatch(entry.strip()) for entry in (inside.split(", ") if inside else below.split("\n")[1:])]
    seen = tuple(_count(entry, int(entry[6])) for entry in entries if entry)
    if len(seen) < len(entries) or any(to_seconds(count.day) is None for count in seen):
        return None
    return Evidence(slug=slug, kind=cast("EvidenceKind", kind), at=at, digest=digest, seen=seen)


def _evidence(top: YamlNode) -> Evidence:
    top.known(["schema", *(f.name for f in fields(Evidence))])
    kind = top.choice("kind", get_args(EvidenceKind), required=True)
    item = Evidence(
        slug=checked_slug(top.text("slug", required=True), top.where("slug")),
        kind=cast("EvidenceKind", kind),
        weight=top.number("weight"),
        **{key: top.text(key) for key in _TEXTS},
        turn=top.integer("turn", -1),
        revision=top.integer("revision", 0),
        replayed=top.integer("replayed", -1),
        seen=_seen(top),
        should=cast("Should", top.choice("should", get_args(Should)) if top.has("should") else ""),
        example=example_file.read_example(top.mapping("example")) if top.has("example") else None,
        answers=top.texts("answers"),
        unmet=top.texts("unmet"),
        told=top.texts("told"),
    )
    if not 0 <= item.weight <= HEAVIEST_EVIDENCE:
        raise top.error("weight", f"must lie between 0 and {HEAVIEST_EVIDENCE}", "restore the file with git checkout")
    return item


def _seen(top: YamlNode) -> tuple[FiringCount, ...]:
    found = top.mapping("seen")
    counts = []
    for key in found.data:
        words = _SEEN.fullmatch(str(key))
        if not words or to_seconds(words[1]) is None:
            raise found.error(str(key)[:80], "is no day, gate, agent and outcome", "restore the file with git checkout")
        counts.append(_count(words, found.integer(key, 1, 1)))
    return tuple(counts)


def _count(words: re.Match[str], times: int) -> FiringCount:
    day, gate, agent, outcome, unsure = words.groups()[:5]
    agent = "" if agent == NO_AGENT else agent
    return FiringCount(day=day, gate=gate, agent=agent, outcome=outcome, unsure=bool(unsure), times=times)
