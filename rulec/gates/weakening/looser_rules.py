"""Two states of the rules: what the later ones enforce less."""

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from rulec.domain.enforcement import (
    ENFORCEMENTS,
    LEVELS,
    MODES,
    SEVERITIES,
    in_minutes,
    level_at_steps,
    level_to_note,
    strictness,
)  # fmt: skip
from rulec.domain.finding import Weakening
from rulec.domain.rule import ENVIRONMENTS, RAW_TEMPLATES, Check, Example, Exemption, Rule, Scope
from rulec.language.semantics.meaning import meaning_of
from rulec.language.semantics.relation import relate

_SPARES = ("except", "unless", "allowed", "passing", "since_except")  # parameters of what a check leaves alone
_BOUNDS = ("globs", "inside", "endings", "on_branch", "of")  # that say where it looks at all; empty is everywhere
_FORBIDS = (
    "commands", "patterns", "texts", "modules", "names", "functions", "flags", "branches", "from", "forbid",
    "forbid_subject", "forbid_trailers", "require", "require_subject", "subjects", "folders", "files", "lists", "what",
    "where", "how", "copies", "needs", "before_commands", "before_edits",
    "packages",
)  # fmt: skip
_LONGEST = 80
_SURE = 0.85  # checks hold a rule to more than its words, so that a doubtful reading of these tells nothing
_WORD = re.compile(r"\w+")


@dataclass(frozen=True, slots=True, kw_only=True)
class RuleState:
    """A rule in one of two states: its enforcement, and what its checks found in the compared examples."""

    rule: Rule
    acts: str = "pass"
    decided: Mapping[Example, str] = field(default_factory=dict)
    weight: float = 0.0  # of what was observed
    mean: float = 0.0  # how sure that makes
    spoken: frozenset[str] = frozenset()  # the files of its evidence
    held: bool = True  # by its evidence or by a person, at the moment at which both states are compared
    until: str = ""  # when that ends, "" where it does not


def weakened_rules(
    before: Mapping[str, RuleState], after: Mapping[str, RuleState], archive: Mapping[str, Rule]
) -> Iterator[Weakening]:
    """What is weaker, rule by rule; new and stricter rules are left out."""
    for slug, was in sorted(before.items()):
        now = after.get(slug)
        yield from _changed_rule(was, now) if now else _gone_rules(was, after, archive.get(slug))


def taken_exceptions(
    before: Mapping[str, RuleState], after: Mapping[str, RuleState], excepted: Collection[str]
) -> Iterator[Weakening]:
    """Each former name that a rule gained whose exceptions become its own.

    Told are the names that are ``excepted``, and those of rules that were not in force before: of these nothing
    else tells that they were merged, and code may hold exceptions of them still.
    """
    for slug, now in sorted(after.items()):
        known = before[slug].rule.formerly if slug in before else ()
        for name in now.rule.formerly:
            came_along = any(name in state.rule.formerly for state in before.values())
            if name in known or not (name in excepted or (name not in before and not came_along)):
                continue
            text = f"{slug}: was formerly {name}, whose exceptions become its own"
            yield Weakening(subject=f"{slug} formerly", text=text, path=now.rule.source)


def _gone_rules(was: RuleState, after: Mapping[str, RuleState], kept: Rule | None) -> Iterator[Weakening]:
    rule, heir = was.rule, after.get(kept.superseded_by) if kept and kept.superseded_by else None
    if heir and _only_renamed(was, heir):
        return
    if heir and rule.slug in heir.rule.formerly:
        yield from _changed_rule(was, heir)  # merged: weaker is what the rule of both holds to less
        return
    how = "removed" if not kept else "retired"
    if kept and kept.superseded_by:
        how = f"superseded by {kept.superseded_by}" + ", which is not in force" * (heir is None)
    did = MODES[was.acts].did if was.acts in MODES else "reminded"
    yield Weakening(subject=f"{rule.slug} stands", text=f"{rule.slug}: {how} (it {did})", path=rule.source)


def _only_renamed(was: RuleState, heir: RuleState) -> bool:
    """Whether a rule only has another name now."""
    one, two = was.rule, heir.rule
    firm = strictness(heir.acts) >= strictness(was.acts)
    same = (one.checks, one.scope) == (two.checks, two.scope)
    judged = any(check.kind == "judge" for check in one.checks)
    return firm and same and (not judged or _judge_instructions(one) == _judge_instructions(two))


def _judge_instructions(rule: Rule) -> tuple[object, ...]:
    """What decides beside the check itself, which is the same for all judges: the words of the rule."""
    return rule.statement, rule.when, rule.do, rule.exceptions


def _changed_rule(was: RuleState, now: RuleState) -> Iterator[Weakening]:
    one, two = was.rule, now.rule
    for subject, text in (
        *_lower_force(was, now),
        *_narrower_scope(one, two),
        *_bound_to(one, two),
        *_fewer_checks(one, two),
        *_changed_words(one, two),
    ):
        name = was.rule.slug
        yield Weakening(subject=f"{name} {subject}", text=f"{name}: {text}", path=now.rule.source)
    yield from _now_let_pass(was, now)
    yield from _other_changes(was, now)


Observed = Iterator[tuple[str, str]]


def _lower_force(was: RuleState, now: RuleState) -> Observed:
    """What was stricter: outcome, pinned enforcement, severity, on_error."""
    one, two = was.rule, now.rule
    if strictness(now.acts) < strictness(was.acts):
        yield "enforcement", f"{was.acts} -> {now.acts}"
    elif "auto" not in (one.enforcement, two.enforcement):
        yield from _lowered("enforcement", "pinned to ", one.enforcement, two.enforcement, ENFORCEMENTS)
    if was.held and not now.held and strictness(now.acts) >= strictness(was.acts):
        yield "held", "its evidence does not carry it any longer"
    elif was.held and now.held and now.until and (not was.until or now.until < was.until):
        yield "until", f"holds until {in_minutes(now.until)}" + f", not {in_minutes(was.until)}" * bool(was.until)
    yield from _lowered("severity", "severity ", one.severity, two.severity, SEVERITIES[::-1])
    yield from _lowered("on_error", "on_error ", one.on_error, two.on_error, ENFORCEMENTS)
    yield from _lowered("on_unsure", "on_unsure ", one.on_unsure, two.on_unsure, ENFORCEMENTS)
    if one.level != two.level:  # where only severity or enforcement is lower, that is told above
        yield from _lowered("level", "level ", _level(one), _level(two), LEVELS)


def _level(rule: Rule) -> str:
    return level_at_steps(level_to_note(rule.level, rule.severity, rule.enforcement), rule.severity)


def _lowered(subject: str, told: str, was: str, now: str, order: Sequence[str]) -> Observed:
    if order.index(now) < order.index(was):
        yield subject, f"{told}{was} -> {now}"


def _narrower_scope(was: Rule, now: Rule) -> Observed:
    yield from _scope(was.scope, now.scope)
    for one in now.exceptions:
        if one.bounded and not any(_was_spared_before(one, known) for known in was.exceptions):
            yield f"exceptions {_bounds(one)}", f"leaves alone {_bounds(one)} ({_clip(one.because)})"


def _scope(was: Scope, now: Scope) -> Observed:
    lost = [] if "**" in now.include else [one for one in was.include if one not in now.include]
    if lost:
        yield "include", f"holds no longer in {_list_some(lost)}, only in {_list_some(now.include)}"
    more = [one for one in now.exclude if one not in was.exclude]
    if more:
        yield "exclude", f"excludes {_list_some(more)}"
    for name in ("agents", "environments", "projects", "who"):
        old, new = _named(name, was), _named(name, now)
        if new and (not old or not set(old) <= set(new)):
            whom = "" if name == "who" else f"the {name} "
            yield name, f"holds only for {whom}{_list_some(new)}" + (f", not {_list_some(old)}" if old else "")


def _bound_to(was: Rule, now: Rule) -> Observed:
    """A rule that holds only as long as another one does."""
    if now.refines and now.refines != was.refines:
        yield "refines", f"holds only with {now.refines}"


def _named(name: str, scope: Scope) -> tuple[str, ...]:
    """What a scope is limited to, () where it has no limit."""
    found: tuple[str, ...] = getattr(scope, name)
    return () if name == "environments" and set(found) >= set(ENVIRONMENTS) else found


def _was_spared_before(one: Exemption, known: Exemption) -> bool:
    """Whether everything that an exception excludes was excluded before."""
    new, old = one.scope, known.scope
    places = (_named("environments", new), _named("environments", old))
    lists = ((one.commands, known.commands), (one.arguments, known.arguments), (new.agents, old.agents), places)
    fits = all(not wide or (few and set(few) <= set(wide)) for few, wide in lists)
    return (
        known.bounded
        and fits
        and ("**" in old.include or set(new.include) <= set(old.include))
        and set(old.exclude) <= set(new.exclude)
    )


def _bounds(one: Exemption) -> str:
    scope = one.scope
    parts = (
        ("", one.commands), ("commands on ", one.arguments), ("", tuple(p for p in scope.include if p != "**")),
        ("all but ", scope.exclude),
        ("agents ", scope.agents), ("environments ", scope.environments),
    )  # fmt: skip
    return " in ".join(f"{word}{_list_some(some)}" for word, some in parts if some)


def _changed_words(was: Rule, now: Rule) -> Observed:
    """Changed wording: for a rule without checks it is all that the rule consists of."""
    words = all(check.kind == "judge" for check in now.checks)  # a judge reads them, too
    if _may_be_contrary(was.statement, now.statement, words=words):
        yield "statement", f"says {_quoted(now.statement)}, not {_quoted(was.statement)}"
    if was.do and now.do and _may_be_contrary(was.do, now.do, words=words):
        yield "do", f"tells to {_quoted(now.do)}, not to {_quoted(was.do)}"
    if now.when and now.when != was.when and words:
        yield "when", f"holds only when {_quoted(now.when)}"


def _may_be_contrary(was: str, now: str, *, words: bool) -> bool:
    """Whether the later words may mean the contrary or add an exception; without checks any change counts."""
    if was == now:
        return False
    found = relate(meaning_of(was), meaning_of(now))
    if found.kind == "strangers":  # perhaps in words that nobody can read, and then they must all be there still
        return words and not set(_WORD.findall(was.casefold())) <= set(_WORD.findall(now.casefold()))
    return found.kind in ("contrary", "exception") and (words or found.score >= _SURE)


def _quoted(text: str) -> str:
    return f"`{_clip(text)}`"


def _fewer_checks(was: Rule, now: Rule) -> Observed:
    """Checks and examples that are gone, and entries that a check's lists lost."""
    left = list(now.checks)
    for check in was.checks:
        if check in left:
            left.remove(check)
            continue
        heir = next((c for c in left if (c.kind, c.template) == (check.kind, check.template)), None)
        if heir is None:
            yield f"check {check.template}", f"loses its check {check.kind} {check.template}"
        else:
            left.remove(heir)
            yield from _parameters(check, heir)
    for example in was.invalid:
        if example not in now.invalid:
            yield f"example {example_in_words(example)}", f"loses the invalid example {example_in_words(example)}"


def _parameters(was: Check, now: Check) -> Observed:
    for name in sorted({*was.parameters, *now.parameters}):
        old, new = _strings_in(was.parameters.get(name)), _strings_in(now.parameters.get(name))
        lost, more = [one for one in old if one not in new], [one for one in new if one not in old]
        where = f"{was.template}: {name}"
        if was.kind == "judge" and was.parameters.get(name) != now.parameters.get(name):
            yield f"{was.template} {name}", f"asks its judge otherwise ({name})"
        if was.template in RAW_TEMPLATES and was.parameters.get(name) != now.parameters.get(name):
            yield f"{was.template} {name}", f"{where} has changed, and what it lets pass is unknown"
        if name == "proved_by" and was.parameters.get(name) and was.parameters.get(name) != now.parameters.get(name):
            told = now.parameters.get(name) or "nothing that rulec runs"
            yield f"{was.template} {name}", f"{where} is {_clip(str(told))}, not {_clip(str(was.parameters[name]))}"
        if name in _SPARES and more:
            yield f"{was.template} {name}", f"{where} gains {_list_some(more)}"
        elif name in _BOUNDS and ((lost and new) or (new and not old)):
            yield f"{was.template} {name}", f"{where} is only {_list_some(new)} now"
        elif name in _FORBIDS and lost:
            yield (
                f"{was.template} {name}",
                f"{where} loses {_list_some(lost)}" + (f", gains {_list_some(more)}" if more else ""),
            )


def _strings_in(value: object) -> list[str]:
    return [str(one) for one in value] if isinstance(value, list | tuple) else []


def _now_let_pass(was: RuleState, now: RuleState) -> Iterator[Weakening]:
    """What the old check caught and the new one does not, except what the old rule called valid."""
    lost = [
        example
        for example, did in was.decided.items()
        if did != "pass" and now.decided.get(example, did) == "pass" and example not in was.rule.valid
    ]
    for example in lost:  # one each, so that in a merge those count that neither side let pass
        text = f"lets pass {example_in_words(example)}, which it caught"
        yield Weakening(subject=f"{was.rule.slug} {text}", text=f"{was.rule.slug}: {text}", path=now.rule.source)


def _other_changes(was: RuleState, now: RuleState) -> Iterator[Weakening]:
    if now.weight >= was.weight and now.mean >= was.mean:
        return
    for path in sorted(was.spoken - now.spoken):
        yield Weakening(
            subject=f"{was.rule.slug} evidence",
            text=f"{was.rule.slug}: evidence is gone, confidence {was.mean:.2f} -> {now.mean:.2f}",
            path=path,
        )


def example_in_words(example: Example) -> str:
    """An example in a few words."""
    names = [example.path, *(path for path, _ in example.files)]
    text = (
        example.text or next(filter(None, names), "") or (example_in_words(example.steps[-1]) if example.steps else "")
    )
    return f"`{_clip(text)}`"


def _clip(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= _LONGEST else f"{line[: _LONGEST - 1]}…"


def _list_some(some: Sequence[str]) -> str:
    shown = ", ".join(_clip(one) for one in some[:3])
    return shown + f" and {len(some) - 3} more" * (len(some) > 3)
