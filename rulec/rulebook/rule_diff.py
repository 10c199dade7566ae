"""Two states of the rulebook: what became of each rule, tighter or looser by what its examples say."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, fields
from typing import Literal

from rulec.domain.enforcement import strictness
from rulec.domain.rule import Example, Rule

ChangeKind = Literal["added", "superseded", "retired", "removed", "tightened", "loosened", "changed", "reworded"]
_NO_NEWS = ("revision", "origin", "source", "slug")  # no news by themselves


@dataclass(frozen=True, slots=True, kw_only=True)
class ComparedRule:
    """A rule in one of two states: what it does on a finding, and with each example of either state."""

    rule: Rule
    acts: str = "pass"  # audit, warn or block; pass where it has no check and only reminds
    decided: Mapping[Example, str] = field(default_factory=dict)
    quote: str = ""  # a person's words from which it comes
    said: str = ""  # when, and to which agent


@dataclass(frozen=True, slots=True, kw_only=True)
class RuleDifference:
    """What became of one rule."""

    kind: ChangeKind
    slug: str
    before: ComparedRule | None
    after: ComparedRule | None
    turned: tuple[tuple[Example, str, str], ...] = ()  # examples that are decided otherwise: what it did, what it does
    parts: tuple[str, ...] = ()  # of the rule's file that changed


def compare_rulebooks(
    before: Mapping[str, ComparedRule], after: Mapping[str, ComparedRule], archive: Mapping[str, Rule]
) -> tuple[RuleDifference, ...]:
    """Each rule that is not as it was, by name; ``archive`` says what became of those that are gone."""
    return tuple(
        found
        for slug in sorted({*before, *after})
        if (found := _difference_of(slug, before.get(slug), after.get(slug), archive.get(slug)))
    )


def _difference_of(
    slug: str, was: ComparedRule | None, now: ComparedRule | None, gone: Rule | None
) -> RuleDifference | None:
    if was is None:
        return RuleDifference(kind="added", slug=slug, before=None, after=now)
    if now is None:
        kind: ChangeKind = "superseded" if gone and gone.superseded_by else "retired" if gone else "removed"
        return RuleDifference(kind=kind, slug=slug, before=was, after=ComparedRule(rule=gone) if gone else None)
    turned = tuple((example, was.decided[example], did) for example, did in _turned_examples(was, now))
    parts = tuple(_changed_parts(was.rule, now.rule))
    if not turned and not parts and was.acts == now.acts:
        return None
    return RuleDifference(
        kind=_kind_of_change(was, now, turned), slug=slug, before=was, after=now, turned=turned, parts=parts
    )


def _turned_examples(was: ComparedRule, now: ComparedRule) -> Iterator[tuple[Example, str]]:
    return ((example, did) for example, did in now.decided.items() if was.decided.get(example, did) != did)


def _kind_of_change(was: ComparedRule, now: ComparedRule, turned: tuple[tuple[Example, str, str], ...]) -> ChangeKind:
    steps = [strictness(did) - strictness(was_did) for _, was_did, did in turned]
    steps.append(strictness(now.acts) - strictness(was.acts))
    up, down = any(step > 0 for step in steps), any(step < 0 for step in steps)
    if up and down:
        return "changed"
    return "tightened" if up else "loosened" if down else "reworded"


def _changed_parts(was: Rule, now: Rule) -> Iterator[str]:
    names = (one.name for one in fields(Rule) if one.name not in _NO_NEWS)
    return (name for name in names if getattr(was, name) != getattr(now, name))
