"""Two states of the rulebook -> what became of each rule, tighter or looser by what its examples say."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, fields
from typing import Literal

from rulec.model.rule import Example, Rule

Kind = Literal["added", "superseded", "retired", "removed", "tightened", "loosened", "changed", "reworded"]
ACTS = ("pass", "audit", "warn", "block")  # what a rule does with an action, from the loosest
_TOLD = ("revision", "origin", "source", "slug")  # no news by themselves


@dataclass(frozen=True, slots=True, kw_only=True)
class Held:
    """A rule in one of two states: what it does on a finding, and with each example of either state."""

    rule: Rule
    acts: str = "pass"  # audit, warn or block; pass where it has no check and only reminds
    decided: Mapping[Example, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Difference:
    """What became of one rule."""

    kind: Kind
    slug: str
    before: Held | None
    after: Held | None
    turned: tuple[tuple[Example, str, str], ...] = ()  # examples that are decided otherwise: what it did, what it does
    parts: tuple[str, ...] = ()  # of the rule's file that changed


def compare(
    before: Mapping[str, Held], after: Mapping[str, Held], archive: Mapping[str, Rule]
) -> tuple[Difference, ...]:
    """Each rule that is not as it was, by name; ``archive`` says what became of those that are gone."""
    return tuple(
        found
        for slug in sorted({*before, *after})
        if (found := _one(slug, before.get(slug), after.get(slug), archive.get(slug)))
    )


def _one(slug: str, was: Held | None, now: Held | None, gone: Rule | None) -> Difference | None:
    if was is None:
        return Difference(kind="added", slug=slug, before=None, after=now)
    if now is None:
        kind: Kind = "superseded" if gone and gone.superseded_by else "retired" if gone else "removed"
        return Difference(kind=kind, slug=slug, before=was, after=Held(rule=gone) if gone else None)
    turned = tuple((example, was.decided[example], did) for example, did in _turned(was, now))
    parts = tuple(_parts(was.rule, now.rule))
    if not turned and not parts and was.acts == now.acts:
        return None
    return Difference(kind=_kind(was, now, turned), slug=slug, before=was, after=now, turned=turned, parts=parts)


def _turned(was: Held, now: Held) -> Iterator[tuple[Example, str]]:
    return ((example, did) for example, did in now.decided.items() if was.decided.get(example, did) != did)


def _kind(was: Held, now: Held, turned: tuple[tuple[Example, str, str], ...]) -> Kind:
    steps = [ACTS.index(did) - ACTS.index(was_did) for _, was_did, did in turned]
    steps.append(ACTS.index(now.acts) - ACTS.index(was.acts))
    up, down = any(step > 0 for step in steps), any(step < 0 for step in steps)
    if up and down:
        return "changed"
    return "tightened" if up else "loosened" if down else "reworded"


def _parts(was: Rule, now: Rule) -> Iterator[str]:
    names = (one.name for one in fields(Rule) if one.name not in _TOLD)
    return (name for name in names if getattr(was, name) != getattr(now, name))
