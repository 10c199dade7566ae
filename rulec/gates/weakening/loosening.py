"""Everything that a change takes from the gates, and the verdicts on it.

Four questions: is an invalid example of an old rule no longer caught; is enforcement, severity or scope lower; was a
file of the gate touched; did a template or a check change, unless it surely holds to more.
"""

import hashlib
import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path, PurePosixPath

from rulec import registry
from rulec.checks.proving.example_changes import change_of
from rulec.checks.proving.variants import make_variants
from rulec.compiling import artifacts, bundle, compile_planning
from rulec.domain.artifact import COMPILED_FOLDER, Artifact, RuleFacts, slug_of_artifact
from rulec.domain.change import Change, FileChange
from rulec.domain.enforcement import (
    ENFORCEMENTS,
    LEVELS,
    MODES,
    SEVERITIES,
    Enforcement,
    level_at_steps,
    level_to_note,
    refuses,
    strictness,
)
from rulec.domain.files import globs
from rulec.domain.finding import Finding, Outcome, Verdict, Weakening
from rulec.domain.prompt import ModelSettings
from rulec.domain.rule import ENVIRONMENTS, WEAKENED, WEAKENED_STATEMENT, Check, Example, Exemption, Rule, Scope
from rulec.errors import RulecError
from rulec.gates.findings.check_runs import run_checks_each
from rulec.gates.findings.verdicts import facts_by_slug
from rulec.gates.weakening import approvals, gate_files
from rulec.gates.weakening.committer import is_made_by_person
from rulec.gates.weakening.gate_states import GateState, slug_of_path
from rulec.guard import exceptions
from rulec.infra import clock, install_source, text_files
from rulec.infra.git import git_contents, git_session
from rulec.infra.git.git_refs import Range
from rulec.infra.rulebooks import extensions
from rulec.integrations import code_owners
from rulec.reports.rule_lines import describe_exemption, example_line
from rulec.reports.wording import clip_line
from rulec.rulebook import file_paths
from rulec.rulebook.config import Config, ExtendedRulebook
from rulec.rulebook.dated_exceptions import DatedException
from rulec.rulebook.test_suites import Suite

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


_LISTS = ("emitters", "protected", "owners", "extends", "tests")
_STRICTEST = {"weakened": "block", "on_missing": "deny"}
_LIMITS = ("seconds", "tokens", "money")  # of judges, who fall silent beyond them


def weakened_settings(was: Config, now: Config, *, proofs: bool) -> Iterator[Weakening]:
    """What the settings no longer enforce; ``proofs``: some rule asks already for a proof by tests.

    A suite of tests that is new proves rules from the next change on, so it counts where a rule asks for that already.
    """
    told = [*_changed_lists(was, now), *_changed_values(was, now), *_changed_models(was.models, now.models)]
    if proofs:
        told += [(f"tests {one}", f"tests: {one} is new") for one in {*_entries(now.tests)} - {*_entries(was.tests)}]
    for key, text in told:
        yield Weakening(subject=f"settings {key}", text=f"settings: {text}", path=file_paths.CONFIG)


def _changed_lists(was: Config, now: Config) -> Iterator[tuple[str, str]]:
    """Entries of lists that are gone or another; one more takes nothing."""
    for key in _LISTS:
        before, after = _entries(getattr(was, key)), _entries(getattr(now, key))
        for name, one in before.items():
            if after.get(name) != one:
                yield f"{key} {name}", f"{key}: {name} is {'another' if name in after else 'gone'}"
    kept = [one for one in now.extends if one in was.extends]
    if kept != [one for one in was.extends if one in kept]:
        yield "extends", "extends in another order, so that other rules win"


def _entries(some: Sequence[str | ExtendedRulebook | Suite]) -> dict[str, object]:
    """The entries of a list by name; how long a suite may take changes nothing that its run shows."""
    return {
        one if isinstance(one, str) else one.name: replace(one, seconds=0) if isinstance(one, Suite) else one
        for one in some
    }


def _changed_values(was: Config, now: Config) -> Iterator[tuple[str, str]]:
    for key, strictest in _STRICTEST.items():
        old, new = getattr(was, key), getattr(now, key)
        if old != new != strictest:
            yield key, f"{key} {old} -> {new}"
    if was.install != now.install and not _runs_here(now.install):
        yield "install", f"others install {now.install or 'no rulec'}, not {was.install or 'none'}"


def _runs_here(requirement: str) -> bool:
    """Whether it is the source of the rulec that runs here: that one judges already."""
    return bool(requirement) and requirement == install_source.installed_source().requirement


def _changed_models(was: ModelSettings, now: ModelSettings) -> Iterator[tuple[str, str]]:
    """Which judges are asked no longer, or others in their place."""
    if gone := [gate for gate in was.judges if gate not in now.judges]:
        yield "judges", f"judges are asked no longer at {', '.join(gone)}"
    if was.backend and was.judges:
        for key in ("backend", "model", *_LIMITS):
            old, new = getattr(was, key), getattr(now, key)
            if new < old if key in _LIMITS else new != old:
                yield key, f"models: {key} {old or 'any'} -> {new or 'none'}"


def new_exceptions(was: Sequence[DatedException], now: Sequence[DatedException]) -> Iterator[Weakening]:
    """Each exception file that leaves alone more than before, or for longer."""
    for one in now:
        known = [old for old in was if old.slug == one.slug and _paths_within(one.paths, old.paths)]
        if not any(old.until >= one.until for old in known):
            where = ", ".join(one.paths) or "everywhere"
            until = f"until {one.until}" + (f", not {max(old.until for old in known)}" if known else "")
            told = f"{one.slug} is excepted in {where} {until} ({one.reason})"
            yield Weakening(subject=f"exception {one.slug} {where}", text=told, path=one.source)


def _paths_within(few: Sequence[str], wide: Sequence[str]) -> bool:
    return not wide or (bool(few) and set(few) <= set(wide))


def exceptions_in_place(change: Change, slugs: frozenset[str], today: str) -> Iterator[Weakening]:
    """Each exception in a comment that would count from the next change on, with its line."""
    mark = exceptions.MARK.encode()
    for file in change.files:
        if file.content is not None and mark in file.content:
            yield from _exceptions_in_file(file, slugs, today)


def _exceptions_in_file(file: FileChange, slugs: frozenset[str], today: str) -> Iterator[Weakening]:
    lines = file.lines
    for number, slug in sorted(exceptions.newly_excepted(lines, file.lines_before, file.added_lines)):
        said = exceptions.parse_line(lines[number - 1])
        if slug not in slugs or said is None or said.wrong or said.until < today:
            continue
        text = f"{slug} is excepted in place until {said.until} ({said.reason})"
        yield Weakening(subject=f"exception {slug} {file.path}", text=text, path=file.path, line=number, in_place=True)


_MOST = 40  # variants of one rule's examples that are tried on both its checks
Asked = list[tuple[str, Example]]


def no_longer_caught(
    before: GateState, after: GateState, was: Mapping[str, RuleState], now: Mapping[str, RuleState]
) -> Iterator[Weakening]:
    """Each invalid example or variant of an old rule that its changed checks let pass.

    The later rules are compiled anew, for their artifacts may be anybody's. Scripts are not run: whatever changes in
    one needs a person anyway.
    """
    both = [slug for slug in was if slug in now and was[slug].rule.checks != now[slug].rule.checks]
    changed = [slug for slug in both if "pass" not in (was[slug].acts, now[slug].acts)]
    new = [one for slug in changed for one in artifacts.compile_rule(after.book([slug]), now[slug].rule, after.top)]
    asked = [(slug, example) for slug in changed for example in _examples(before, was[slug], now[slug])]
    caught = _caught(before.artifacts(changed), asked)
    lost = caught - _caught(new, list(caught))
    for slug, example in asked:  # one each, so that in a merge those count that neither side let pass
        if (slug, example) in lost and example not in was[slug].rule.valid:
            text = f"{slug}: lets pass `{clip_line(example_line(example), _LONGEST)}`, which it caught"
            yield Weakening(subject=text, text=text, path=now[slug].rule.source)


def _examples(before: GateState, was: RuleState, now: RuleState) -> Iterator[Example]:
    variants = make_variants(was.rule, before.artifacts([was.rule.slug]))
    made = [variant.example for variant in variants if variant.invalid][:_MOST]
    yield from dict.fromkeys([*was.rule.invalid, *now.rule.valid, *made])


def _caught(checks: Sequence[Artifact], asked: Asked) -> set[tuple[str, Example]]:
    """The examples in which the checks of their rule find something: one process for each kind of check."""
    plain = [one for one in checks if one.kind != "shell"]
    seen = run_checks_each(plain, [change_of(example) for _, example in asked]) if asked else []
    return {
        (slug, example)
        for (slug, example), found in zip(asked, seen, strict=True)
        if any(isinstance(one, Finding) and one.slug == slug for one in found)
    }


_TEMPLATES = f"{file_paths.RULES}/templates/"
_CHECK_TEMPLATES = f"{_TEMPLATES}checks/"
_SOURCES = (  # what may stand in .rules, and is not generated
    *file_paths.RULEBOOK_GLOBS, extensions.LOCK_NAME, f"extends/*/{extensions.LOCK_NAME}", "*.md", "LICENSE",
    "templates/**", gate_files.ATTRIBUTES,
)  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class GateChange:
    """What a change weakens, and the state of the gate before and after."""

    before: GateState
    after: GateState
    change: Change
    all: tuple[Weakening, ...]
    on: str = ""  # the commit that the change is to go on top of

    def owners(self, path: str) -> str:
        """The owners who have to approve a change of a path, by the side that the change cannot edit."""
        files = self.before.files
        text = next((files[one] for one in code_owners.CODEOWNERS_PATHS if one in files), "")
        return ", ".join(code_owners.owners_of(text, path) or self.before.config.owners) or "the team"

    def digest(self, one: Weakening) -> str:
        """A name for exactly this weakening on this commit: the next commit ends it, and it cannot be replayed."""
        files = [side.files.get(one.path) for side in (self.before, self.after)]
        code = [_file_digest(file) for file in self.change.files if file.path == one.path]
        what = json.dumps([self.on, one.subject, one.text, one.path, one.line, *files, *code])
        return hashlib.sha256(what.encode("utf-8", "surrogatepass")).hexdigest()


@cache
def _file_digest(file: FileChange) -> str:
    return hashlib.sha256(repr((file.base, file.content)).encode()).hexdigest()


def gate_change_staged(top: Path, change: Change) -> GateChange:
    """What the index weakens compared with HEAD; in a merge only what neither side had done."""
    paths = (file_paths.RULES, *gate_files.gate_file_paths(change))
    here = GateState(top=top, files=text_files.read_existing(top, _template_paths(top)))
    after = GateState(top=top, files=git_contents.files_in_index(top, *paths))
    head = git_session.head_commit(top)
    before = _state_at(top, head, paths) if head else GateState(top=top, files={})
    found = list(weakenings(before, after, change, here.files))
    for other in git_session.merge_heads(top) if found else ():
        known = {(one.subject, one.path) for one in weakenings(_state_at(top, other, paths), after, change, here.files)}
        found = [one for one in found if (one.subject, one.path) in known]
    return GateChange(before=before, after=after, change=change, all=tuple(found), on=head or "")


def gate_change_between(top: Path, start: str, end: str, change: Change) -> GateChange:
    """What one commit weakens compared with another; no template that it brings is rendered."""
    paths = (file_paths.RULES, *gate_files.gate_file_paths(change))
    before, after = _state_at(top, start, paths), _state_at(top, end, paths)
    return GateChange(before=before, after=after, change=change, all=tuple(weakenings(before, after, change)))


def _state_at(top: Path, revision: str, paths: Sequence[str]) -> GateState:
    return GateState(top=top, files=git_contents.files_at_commit(top, revision, *paths))


def _template_paths(top: Path) -> list[str]:
    found = (top / _CHECK_TEMPLATES).glob("*.j2")
    return [path.relative_to(top).as_posix() for path in found if path.is_file()]


def weakenings(
    before: GateState, after: GateState, change: Change, here: Mapping[str, str] | None = None
) -> Iterator[Weakening]:
    """What the change takes from the gates; ``here``: the templates of the work tree, if the change is judged there."""
    if file_paths.CONFIG not in before.files:
        return
    yield from exceptions_in_place(change, before.slugs, clock.now()[:10])
    if file_paths.CONFIG not in after.files:
        yield Weakening(subject="settings", text="settings: the file is gone", path=file_paths.CONFIG)
        return
    try:
        touched = {path for file in change.files for path in (file.path, file.old_path)}
        touched = {path for path in touched if path.startswith(f"{file_paths.RULES}/")}
        # in CI nothing is rendered that the change itself may say
        renders = here is not None or not any(path.startswith(_TEMPLATES) for path in touched)
        yield from gate_files.touched_gate_files(before, after, change, renders=renders)
        if touched:
            found = _weakened_rulebook(before, after, touched, here or {}, renders=renders)
            yield from (_with_line(one, after.files) for one in found)
    except RulecError as error:
        path, _, line = error.where.partition(":")
        told = f"cannot be compared: {error}"
        yield Weakening(subject="rulebook", text=told, path=path, line=int(line) if line.isdigit() else 0)


def _weakened_rulebook(
    before: GateState, after: GateState, touched: set[str], here: Mapping[str, str], *, renders: bool
) -> Iterator[Weakening]:
    if any("formerly" in text for path, text in after.files.items() if slug_of_path(path)):
        compile_planning.require_former_names(after.whole)
    yield from weakened_settings(_gates_of(before), _gates_of(after), proofs=_asks_for_proofs(before))
    was_excepted, excepted = before.book(()).dated_exceptions, after.book(()).dated_exceptions
    yield from new_exceptions(was_excepted, excepted)
    slugs = {slug for path in touched if (slug := slug_of_path(path))}
    yield from _changed_templates(before, after, touched, slugs, here)
    if renders:
        yield from _edited_by_hand(after, touched, slugs)
    if before.config.extends != after.config.extends:
        slugs = {*before.slugs, *after.slugs}
    was, now = rule_states(before, slugs), rule_states(after, slugs)
    yield from weakened_rules(was, now, after.archive(slugs))
    yield from inherited_exceptions(was, now, frozenset(one.slug for one in excepted))
    if renders:
        yield from no_longer_caught(before, after, was, now)


def _gates_of(side: GateState) -> Config:
    """The settings with those integrations alone that set up a gate, or that nobody knows."""
    others = {one.name for one in registry.emitters().values() if one.document or one.tells}
    return replace(side.config, emitters=tuple(name for name in side.config.emitters if name not in others))


def _asks_for_proofs(side: GateState) -> bool:
    """Whether a rule file may ask for a proof by tests; more than those that do may say these words."""
    return any("testable" in text or "proved_by" in text for path, text in side.files.items() if slug_of_path(path))


def _changed_templates(
    before: GateState, after: GateState, touched: set[str], slugs: set[str], here: Mapping[str, str]
) -> Iterator[Weakening]:
    """Templates that are new, changed or gone, and those of the work tree that make other checks of touched rules."""
    changed = {
        path for path in touched if path.startswith(_TEMPLATES) and before.files.get(path) != after.files.get(path)
    }
    beside = {path for path, text in here.items() if text != after.files.get(path)}
    for path in sorted(changed | beside):
        name = PurePosixPath(path).stem
        book = before.whole if path in changed else before.book(slugs)
        users = [
            rule.slug
            for rule in book.rules
            if (path in changed or rule.slug in slugs) and any(check.template == name for check in rule.checks)
        ]
        if users or not path.startswith(_CHECK_TEMPLATES):
            more = f", which makes the check of {', '.join(users[:3])}" + f" and {len(users) - 3} more" * (
                len(users) > 3
            )
            text = f"template {name} changed" + more * bool(users)
            yield Weakening(subject=f"template {path}", text=text, path=path)


def _edited_by_hand(after: GateState, touched: Iterable[str], slugs: set[str]) -> Iterator[Weakening]:
    """Generated files that the change touched and that are not what rulec generates from the rules."""
    paths = sorted(path for path in touched if _is_generated(path))
    if not paths:
        return
    made = {
        slug for path in paths if path.startswith(f"{COMPILED_FOLDER}/") and (slug := slug_of_artifact(path)) in slugs
    }
    book = after.book(made)
    files = [*bundle.shared_files(after.top, after.book(())), *artifacts.compile_all_words(book)]
    files += [one for rule in book.rules if rule.slug in made for one in artifacts.compile_rule(book, rule, after.top)]
    wanted = {file.path: file.text for file in files}
    for path in paths:
        text = after.files.get(path)
        if not bundle.same_text(text, wanted.get(path)):
            told = (
                "is none of rulec's files" if path not in wanted else "is not what rulec writes" if text else "is gone"
            )
            yield Weakening(subject=f"artifact {path}", text=told, path=path)


def _is_generated(path: str) -> bool:
    return not globs.match([f"/{one}" for one in _SOURCES], path.removeprefix(f"{file_paths.RULES}/"))


def _with_line(one: Weakening, files: Mapping[str, str]) -> Weakening:
    """The weakening with its line, where the file has one."""
    key = "until" if one.path.startswith(f"{file_paths.RULES}/exceptions/") else one.subject.rpartition(" ")[2]
    text = files.get(one.path, "")
    if one.line or not text or not key.isidentifier():
        return one
    found = re.search(rf"(?m)^[^#\n]*?\b{re.escape(key)}\b['\"]?:", text)
    return replace(one, line=text.count("\n", 0, found.start()) + 1) if found else one


def weakened_by_index(top: Path, change: Change) -> list[Verdict]:
    """Verdicts on what the index weakens, blocked until a person of this machine approves it.

    An exception in place counts at once, and is told, where a person commits it.
    """
    found = gate_change_staged(top, change)
    by = "a person commits it at a terminal" if any(one.in_place for one in found.all) and is_made_by_person() else ""
    known = approvals.approved(top) if found.all else {}
    return _verdicts(found, "block", ": they run rulec approve", known, approved=by)


def weakened_since(top: Path, span: Range, change: Change) -> list[Verdict]:
    """Verdicts on what HEAD weakens since a base: its review approves that, unless the base's settings forbid it.

    Who committed an exception in place cannot be known here, so the review decides about it, too.
    """
    ends = (span.start, "HEAD")
    return weakened_between(top, span.base, ends, change, approved="the review decides about it")


def weakened_between(
    top: Path, base: str, ends: tuple[str, str], change: Change, *, approved: str = ""
) -> list[Verdict]:
    """Verdicts on what one commit weakens of another, by a base's settings; ``approved`` where these do not block."""
    act = approvals.enforcement_in_review(top, base)
    found = gate_change_between(top, *ends, change)
    return _verdicts(found, act, " in the review", {}, approved="" if refuses(act) else approved)


def _verdicts(found: GateChange, act: Enforcement, how: str, known: dict[str, str], *, approved: str) -> list[Verdict]:
    """A verdict for each weakening; ``approved`` says why exceptions in place count already, "" where they do not."""
    facts = RuleFacts(
        slug=WEAKENED, revision=1, statement=WEAKENED_STATEMENT, severity="must", enforcement=act, on_error="block"
    )
    who = ", ".join(dict.fromkeys(owner for one in found.all for owner in found.owners(one.path).split(", ")))
    cure = f"take it back, or let {who} approve it{how}"
    mild = replace(facts, enforcement="warn")
    return [
        _verdict(one, mild, "", approved, "warn")
        if one.in_place and approved and not by
        else _verdict(one, facts, cure, by, "excepted" if by else act)
        for one in found.all
        for by in [known.get(found.digest(one), "")]
    ]


def _verdict(one: Weakening, facts: RuleFacts, cure: str, because: str, outcome: Outcome) -> Verdict:
    finding = Finding(slug=WEAKENED, path=one.path, line=one.line, text=one.text, cure=cure)
    return Verdict(outcome=outcome, facts=facts, finding=finding, because=because)
