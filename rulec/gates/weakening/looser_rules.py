"""Two states of the rules: whose enforcement, severity or scope is lower, and whose check is another."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from rulec.domain.enforcement import (
    ENFORCEMENTS,
    LEVELS,
    MODES,
    SEVERITIES,
    level_at_steps,
    level_to_note,
    strictness,
)  # fmt: skip
from rulec.domain.finding import Weakening
from rulec.domain.rule import ENVIRONMENTS, Check, Exemption, Rule, Scope
from rulec.gates.findings.verdicts import facts_by_slug
from rulec.gates.weakening.gate_states import GateState
from rulec.reports.rule_lines import describe_exemption, example_line
from rulec.reports.wording import clip_line
from rulec.rulebook import file_paths

# The lists of templates that surely hold to more the longer they are, and those that surely do the shorter they are.
_FORBIDDING = (
    "commands", "copies", "forbid", "functions", "globs", "leftovers", "markdown", "modules", "packages", "patterns",
    "pin", "push_to", "require", "tools",
)  # fmt: skip
_SPARING = ("except", "unless", "allowed", "passing", "since_except")
_LONGEST = 80
_WORD = re.compile(r"\w+")
Told = Iterator[tuple[str, str]]  # what it is about, and what is weaker


@dataclass(frozen=True, slots=True, kw_only=True)
class RuleState:
    """A rule in one of two states, with its enforcement and what bears it."""

    rule: Rule
    acts: str = "pass"
    weight: float = 0.0  # of what was observed
    mean: float = 0.0  # how sure that makes
    evidence: frozenset[str] = frozenset()  # its files
    held: bool = True  # by its evidence or by a person


def rule_states(side: GateState, slugs: Iterable[str]) -> dict[str, RuleState]:
    """The rules of one side by slug."""
    wanted = frozenset(slugs)
    book, facts = side.book(wanted), facts_by_slug(side.artifacts(wanted))
    found = {}
    for rule in (rule for rule in book.rules if rule.slug in wanted):
        sure = book.sure(rule)
        found[rule.slug] = RuleState(
            rule=rule,
            acts=facts[rule.slug].enforcement if rule.slug in facts else "pass",
            weight=sure.weight,
            mean=sure.mean,
            evidence=frozenset(file_paths.evidence_path(item) for item in book.observed(rule.slug)),
            held=rule.enforcement != "auto" or sure.active,
        )
    return found


def weakened_rules(
    before: Mapping[str, RuleState], after: Mapping[str, RuleState], archive: Mapping[str, Rule]
) -> Iterator[Weakening]:
    """What is weaker, rule by rule; new and stricter rules are left out."""
    for slug, was in sorted(before.items()):
        now = after.get(slug)
        yield from _changed_rule(was, now) if now else _gone_rule(was, after, archive.get(slug))


def inherited_exceptions(
    before: Mapping[str, RuleState], after: Mapping[str, RuleState], excepted: frozenset[str]
) -> Iterator[Weakening]:
    """Each former name that a rule gained, whose exceptions become its own.

    Told are the ``excepted`` names, and those of rules that were not in force before, which code may except still.
    """
    known = {name for state in before.values() for name in state.rule.formerly}
    for slug, now in sorted(after.items()):
        own = before[slug].rule.formerly if slug in before else ()
        for name in now.rule.formerly:
            if name not in own and (name in excepted or not (name in before or name in known)):
                text = f"{slug}: was formerly {name}, whose exceptions become its own"
                yield Weakening(subject=f"{slug} formerly", text=text, path=now.rule.source)


def _gone_rule(was: RuleState, after: Mapping[str, RuleState], kept: Rule | None) -> Iterator[Weakening]:
    rule, heir = was.rule, after.get(kept.superseded_by) if kept and kept.superseded_by else None
    if heir and (rule.slug in heir.rule.formerly or rule.checks == heir.rule.checks):
        yield from _changed_rule(was, heir)  # merged or renamed: weaker is what the other holds to less
        return
    how = "removed" if not kept else "retired"
    if kept and kept.superseded_by:
        how = f"superseded by {kept.superseded_by}" + ", which is not in force" * (heir is None)
    did = MODES[was.acts].did if was.acts in MODES else "reminded"
    yield Weakening(subject=f"{rule.slug} stands", text=f"{rule.slug}: {how} (it {did})", path=rule.source)


def _changed_rule(was: RuleState, now: RuleState) -> Iterator[Weakening]:
    one, two = was.rule, now.rule
    told = (*_lower_force(was, now), *_narrower_scope(one, two), *_changed_checks(one, two), *_changed_words(one, two))
    for subject, text in told:
        yield Weakening(subject=f"{one.slug} {subject}", text=f"{one.slug}: {text}", path=two.source)
    if now.weight < was.weight or now.mean < was.mean:
        for path in sorted(was.evidence - now.evidence):
            text = f"{one.slug}: evidence is gone, confidence {was.mean:.2f} -> {now.mean:.2f}"
            yield Weakening(subject=f"{one.slug} evidence", text=text, path=path)


def _lower_force(was: RuleState, now: RuleState) -> Told:
    one, two = was.rule, now.rule
    if strictness(now.acts) < strictness(was.acts):
        yield "enforcement", f"{was.acts} -> {now.acts}"
    elif "auto" not in (one.enforcement, two.enforcement):
        yield from _lowered("enforcement", "pinned to ", one.enforcement, two.enforcement, ENFORCEMENTS)
    if was.held and not now.held and strictness(now.acts) >= strictness(was.acts):
        yield "held", "its evidence does not carry it any longer"
    yield from _lowered("severity", "severity ", one.severity, two.severity, SEVERITIES[::-1])
    yield from _lowered("on_error", "on_error ", one.on_error, two.on_error, ENFORCEMENTS)
    yield from _lowered("on_unsure", "on_unsure ", one.on_unsure, two.on_unsure, ENFORCEMENTS)
    if one.level != two.level:  # where only severity or enforcement is lower, that is told above
        yield from _lowered("level", "level ", _level(one), _level(two), LEVELS)


def _level(rule: Rule) -> str:
    return level_at_steps(level_to_note(rule.level, rule.severity, rule.enforcement), rule.severity)


def _lowered(subject: str, told: str, was: str, now: str, order: Sequence[str]) -> Told:
    if order.index(now) < order.index(was):
        yield subject, f"{told}{was} -> {now}"


def _narrower_scope(was: Rule, now: Rule) -> Told:
    lost = [] if "**" in now.scope.include else [one for one in was.scope.include if one not in now.scope.include]
    if lost:
        yield "include", f"holds no longer in {_listed(lost)}, only in {_listed(now.scope.include)}"
    if more := [one for one in now.scope.exclude if one not in was.scope.exclude]:
        yield "exclude", f"excludes {_listed(more)}"
    for name in ("agents", "environments", "projects", "who"):
        old, new = _limit(name, was.scope), _limit(name, now.scope)
        if new and (not old or not set(old) <= set(new)):
            whom = "" if name == "who" else f"the {name} "
            yield name, f"holds only for {whom}{_listed(new)}" + (f", not {_listed(old)}" if old else "")
    if now.refines and now.refines != was.refines:
        yield "refines", f"holds only with {now.refines}"
    for exception in now.exceptions:
        if exception.bounded and not any(_within(exception, known) for known in was.exceptions):
            bounds = describe_exemption(exception)
            yield f"exceptions {bounds}", f"leaves alone {bounds} ({_clip(exception.because)})"


def _limit(name: str, scope: Scope) -> tuple[str, ...]:
    """What a scope is limited to, () where it has no limit."""
    found: tuple[str, ...] = getattr(scope, name)
    return () if name == "environments" and set(found) >= set(ENVIRONMENTS) else found


def _within(few: Exemption, wide: Exemption) -> bool:
    """Whether everything that an exception leaves alone another one left alone before."""
    one, two = few.scope, wide.scope
    pairs = [(few.commands, wide.commands), (few.arguments, wide.arguments), (one.agents, two.agents)]
    pairs += [(_limit("environments", one), _limit("environments", two)), (one.include, tuple({*two.include} - {"**"}))]
    narrower = all(not limit or (own and {*own} <= {*limit}) for own, limit in pairs)
    return wide.bounded and narrower and {*two.exclude} <= {*one.exclude}


def _changed_checks(was: Rule, now: Rule) -> Told:
    """Checks that are gone or changed, unless the new one surely holds to more; and examples that are gone."""
    left = list(now.checks)
    for check in was.checks:
        heir = check if check in left else next((c for c in left if _kind(c) == _kind(check)), None)
        if heir is None:
            yield f"check {check.template}", f"loses its check {check.kind} {check.template}"
            continue
        left.remove(heir)
        for name in sorted({*check.parameters, *heir.parameters}):
            old, new = check.parameters.get(name), heir.parameters.get(name)
            if old != new and not _surely_holds_to_more(name, old, new):
                yield f"{check.template} {name}", f"{check.template}: {name} {_difference(old, new)}"
    for text in [example_line(example) for example in was.invalid if example not in now.invalid]:
        yield f"example {text}", f"loses the invalid example `{_clip(text)}`"


def _kind(check: Check) -> tuple[str, str]:
    return check.kind, check.template


def _surely_holds_to_more(name: str, old: object, new: object) -> bool:
    was, now = _strings(old), _strings(new)
    if name in _SPARING:
        return set(now) <= set(was)
    return name in _FORBIDDING and bool(was) and set(was) <= set(now)  # an empty list may stand for everything


def _strings(value: object) -> list[str]:
    return [str(one) for one in value] if isinstance(value, list | tuple) else []


def _difference(old: object, new: object) -> str:
    was, now = _strings(old), _strings(new)
    lost, more = [one for one in was if one not in now], [one for one in now if one not in was]
    if lost or more:
        parts = [f"loses {_listed(lost)}"] * bool(lost) + [f"gains {_listed(more)}"] * bool(more)
        return ", ".join(parts)
    return f"is {_value(new)}, not {_value(old)}"


def _value(value: object) -> str:
    return "unset" if value is None else f"`{_clip(str(value))}`"


def _changed_words(was: Rule, now: Rule) -> Told:
    """Changed wording: where no machine checks a rule, its words are all that it consists of."""
    decide = all(check.kind == "judge" for check in now.checks)
    if decide and now.statement != was.statement:
        yield "statement", f"says `{_clip(now.statement)}`, not `{_clip(was.statement)}`"
    if was.do and now.do != was.do and (decide or (now.do and not _words(was.do) <= _words(now.do))):
        yield "do", f"tells to `{_clip(now.do)}`, not to `{_clip(was.do)}`"
    if decide and now.when and now.when != was.when:
        yield "when", f"holds only when `{_clip(now.when)}`"


def _words(text: str) -> set[str]:
    return set(_WORD.findall(text.casefold()))


def _clip(text: str) -> str:
    return clip_line(text, _LONGEST)


def _listed(some: Sequence[str]) -> str:
    return ", ".join(_clip(one) for one in some[:3]) + f" and {len(some) - 3} more" * (len(some) > 3)
