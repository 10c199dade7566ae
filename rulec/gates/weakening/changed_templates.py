"""The team's check templates that a change alters, and what that makes of the rules that use them."""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import Any

from rulec.compiling import artifacts
from rulec.domain.finding import Weakening
from rulec.domain.rule import Rule
from rulec.gates.weakening.gate_states import GateState
from rulec.infra import text_files
from rulec.rulebook import file_paths

_FOLDER = f"{file_paths.RULES}/templates/checks/"


@dataclass(frozen=True, slots=True, kw_only=True)
class ChangedTemplates:
    """Templates by name, and the rules of before that use them."""

    rules: Mapping[str, tuple[Rule, ...]]

    @property
    def slugs(self) -> frozenset[str]:
        """The rules whose checks may be other ones although their files say the same."""
        return frozenset(rule.slug for rules in self.rules.values() for rule in rules)


def changed_templates(before: GateState, after: GateState, slugs: Sequence[str], *, scripts: bool) -> ChangedTemplates:
    """Templates that are new, changed or gone; of those that stand only in the work tree, for the touched rules."""
    here = _here(after) if scripts else {}
    names = dict.fromkeys(p for files in (before.files, after.files, here) for p in files if p.startswith(_FOLDER))
    changed = {p for p in names if before.files.get(p) != after.files.get(p)}
    beside = {p for p in here if here[p] != after.files.get(p)}
    if not changed and not beside:
        return ChangedTemplates(rules={})
    book = before.whole if changed else before.book(slugs)
    used = {
        path: tuple(
            rule
            for rule in book.rules
            if (path in changed or rule.slug in slugs)
            and any(check.template == PurePosixPath(path).stem for check in rule.checks)
        )
        for path in sorted(changed | beside)
    }
    return ChangedTemplates(rules={path: rules for path, rules in used.items() if rules})


def _here(side: GateState) -> dict[str, str]:
    """The team's templates in the work tree: what is rendered."""
    found = (side.top / _FOLDER).glob("*.j2")
    return {path.relative_to(side.top).as_posix(): text_files.read_text(path) for path in found if path.is_file()}


def template_weakenings(
    of: ChangedTemplates, before: GateState, after: GateState, *, rendered: bool
) -> Iterator[Weakening]:
    """Each template that makes another check of a rule that stands, unless that one is sure to be firmer."""
    for path, rules in of.rules.items():
        other = [rule.slug for rule in rules if not rendered or _other(before, after, rule)]
        if other:
            more = f" and {len(other) - 3} more" * (len(other) > 3)
            text = f"template {PurePosixPath(path).stem} changed, and what it makes of {', '.join(other[:3])}{more}"
            yield Weakening(subject=f"template {path}", text=text, path=path)


def _other(before: GateState, after: GateState, rule: Rule) -> bool:
    now = next((one for one in after.book([rule.slug]).rules if one.slug == rule.slug), None)
    if now is None or now.checks != rule.checks:  # told as that
        return False
    was = {artifact.path: artifact.text or "" for artifact in before.artifacts([rule.slug])}
    made = {a.path: a.text or "" for a in artifacts.compile_rule(after.book([rule.slug]), now, after.top)}
    return any(not looks_for_no_less(text, made.get(path, "")) for path, text in was.items())


_SPARES = ("except", "unless", "allowed", "passing", "since_except")
_GROWS = ("forbid", "require", "commands", "patterns", "texts", "names", "modules", "flags", "branches", "functions")


def looks_for_no_less(was: str, now: str) -> bool:
    """Whether all of an artifact stands in the later one and nothing more is left alone; unsure counts as no."""
    try:
        return _firmer(json.loads(was)["check"], json.loads(now)["check"], "")
    except (ValueError, KeyError, TypeError):
        return was == now


def _firmer(was: Any, now: Any, key: str) -> bool:
    if isinstance(was, dict) and isinstance(now, dict):
        return was.keys() == now.keys() and all(_firmer(was[name], now[name], name) for name in was)
    if isinstance(was, list) and isinstance(now, list) and was != now:
        lost, more = ([one for one in few if one not in many] for few, many in ((was, now), (now, was)))
        return (key in _SPARES and not more) or (key in _GROWS and bool(was) and not lost)
    return bool(was == now)
