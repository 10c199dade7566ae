"""What merging two rules would write: the rule, its evidence, what moves with it, and every verdict that changes."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from difflib import unified_diff
from pathlib import Path
from typing import cast

from rulec.checks.proving.example_changes import change_of
from rulec.compiling.artifacts import compile_rule
from rulec.domain.artifact import is_judge_check
from rulec.domain.enforcement import PinnedEnforcement, strictness
from rulec.domain.evidence import Evidence
from rulec.domain.finding import Finding
from rulec.domain.rule import Example, Rule
from rulec.domain.text.one_line import shorten
from rulec.domain.text.redaction import redact
from rulec.errors import RulecError
from rulec.gates.findings import rule_proof
from rulec.gates.findings.check_runs import run_checks_each
from rulec.gates.findings.verdicts import facts_now
from rulec.infra.rulebooks import rule_reading
from rulec.reports.rule_lines import example_line, exemption_words, scope_words
from rulec.resolving.merged_rule import merged_rules
from rulec.rulebook import dated_exceptions, evidence_file
from rulec.rulebook.dated_exceptions import DatedException
from rulec.rulebook.rulebook import Rulebook
from rulec.services.consolidating.near_rules import RulePair


@dataclass(frozen=True, slots=True, kw_only=True)
class MergePlan:
    """One rule in place of two, proved; and what it changes."""

    pair: RulePair
    rule: Rule
    evidence: tuple[Evidence, ...] = ()  # what is written for the merged rule, its proof included
    exceptions: tuple[tuple[DatedException, DatedException], ...] = ()  # of the other rule, each with what it becomes
    ended: tuple[DatedException, ...] = ()  # of the other rule, that would silence the kept rule's own checks
    flips: tuple[str, ...] = ()  # what is decided otherwise afterwards, in words
    obstacle: str = ""  # why it cannot be written, "" where it can

    @property
    def kept(self) -> Rule:
        """The rule whose name stays."""
        return self.pair.first

    @property
    def other(self) -> Rule:
        """The rule that goes into it."""
        return self.pair.second


def plan_merge(top: Path, book: Rulebook, pair: RulePair, statement: str = "") -> MergePlan:
    """The simplest rule that holds to all that either did; with an obstacle where none is proved."""
    failed: list[MergePlan] = []
    for rule in merged_rules(pair.first, pair.second, pair.relation, " ".join(redact(statement).split())):
        plan = check_merge(top, book, pair, rule)
        if not plan.obstacle:
            return plan
        failed.append(plan)
    return failed[-1]


def check_merge(top: Path, book: Rulebook, pair: RulePair, rule: Rule) -> MergePlan:
    """The plan for a given merged rule, as it was computed or as a person edited it."""
    kept, other = pair.first, pair.second
    joined = tuple(_joined_evidence(book, kept, other))
    after = _rulebook_after(book, pair, rule, joined)
    proof, obstacle = [], ""
    if rule.checks:
        held = rule_proof.prove_with_tools(after, rule, top)
        if held.holds:
            proof = [held.as_evidence()]
        else:
            obstacle = f"the check of both fails at {redact(held.failure)}; {held.cure}"
    after = _rulebook_after(book, pair, rule, (*joined, *proof))
    before = [_Decided.of(book, one, pair, top) for one in (kept, other)]
    now = _Decided.of(after, rule, pair, top)
    stricter = max(before, key=lambda one: strictness(one.acts) if one.acts else -1)
    if not obstacle and stricter.acts and _looser(now.acts, stricter.acts):
        rule = replace(rule, enforcement=cast("PinnedEnforcement", stricter.acts))
        after = _rulebook_after(book, pair, rule, (*joined, *proof))
        now = _Decided.of(after, rule, pair, top)
    lost = [one for one in (*kept.invalid, *other.invalid) if now.acts and one not in now.caught]
    lost = [one for one in lost if any(one in was.caught for was in before)]
    if lost and not obstacle:
        obstacle = f"it would let pass {_shown(lost[0])}, which is refused now"
    moved = tuple(_moved_exceptions(book, kept, other))
    return MergePlan(
        pair=pair,
        rule=rule,
        evidence=(*joined, *proof),
        exceptions=tuple((one, new) for one, new in moved if new),
        ended=tuple(one for one, new in moved if new is None),
        flips=tuple(dict.fromkeys(_flips(before, now, pair, rule))),
        obstacle=obstacle,
    )


def _looser(now: str, before: str) -> bool:
    return strictness(now) < strictness(before) if now else True


@dataclass(frozen=True, slots=True)
class _Decided:
    """What a rule does with each example of both rules."""

    rule: Rule
    acts: str  # "" for a reminder
    caught: frozenset[Example]

    @classmethod
    def of(cls, book: Rulebook, rule: Rule, pair: RulePair, top: Path) -> "_Decided":
        """Decide the examples of both rules of the pair by this rule."""
        try:
            artifacts = compile_rule(book, rule, top) if rule.checks else []
        except RulecError:
            artifacts = []
        acts = facts_now(artifacts)[rule.slug].enforcement if artifacts else ""
        machines = [one for one in artifacts if not is_judge_check(one)]
        examples = list(dict.fromkeys(_examples(pair.first, pair.second, rule)))
        seen = run_checks_each(machines, [change_of(one) for one in examples]) if machines else []
        found = zip(examples, seen, strict=False)
        return cls(rule, acts, frozenset(one for one, some in found if any(isinstance(i, Finding) for i in some)))


def _examples(*rules: Rule) -> Iterator[Example]:
    for rule in rules:
        yield from (*rule.invalid, *rule.valid)
        yield from (example for one in rule.exceptions for example in one.valid)


def _rulebook_after(book: Rulebook, pair: RulePair, rule: Rule, evidence: Iterable[Evidence]) -> Rulebook:
    gone = (pair.first.slug, pair.second.slug)
    rules = tuple(sorted([*(one for one in book.rules if one.slug not in gone), rule], key=lambda one: one.slug))
    known = {slug: items for slug, items in book.evidence.items() if slug != pair.second.slug}
    return replace(book, rules=rules, evidence={**known, rule.slug: (*book.observed(rule.slug), *evidence)})


def _joined_evidence(book: Rulebook, kept: Rule, other: Rule) -> Iterator[Evidence]:
    """The other's observations as the kept rule's own, each once: what a turn said twice is not counted twice."""
    known = book.observed(kept.slug)
    ids = set(map(evidence_file.evidence_id, known))
    theirs = book.observed(other.slug)
    for item, moved in zip(theirs, evidence_file.under_another_slug(theirs, kept.slug), strict=True):
        twin = item.transcript and any(
            (one.kind, one.transcript, one.turn) == (item.kind, item.transcript, item.turn)
            and one.weight >= item.weight
            for one in known
        )
        if item.kind != "proved" and not twin and evidence_file.evidence_id(moved) not in ids:
            yield moved


def _moved_exceptions(
    book: Rulebook, kept: Rule, other: Rule
) -> Iterator[tuple[DatedException, DatedException | None]]:
    """Each exception of the other rule, and that of the kept rule for the same paths with the earlier last day.

    None where the kept rule has checks and no exception for these paths: nobody said that they are to be silent.
    """
    own = {one.paths: one for one in book.dated_exceptions if one.slug == kept.slug}
    for one in book.dated_exceptions:
        if one.slug == other.slug:
            moved = replace(one, slug=kept.slug, source="")
            known = own.get(one.paths)
            if known:
                yield one, min(known, moved, key=lambda each: each.until)
            else:
                yield one, None if kept.checks else moved


def _flips(before: Sequence[_Decided], now: _Decided, pair: RulePair, rule: Rule) -> Iterator[str]:
    """Every difference that a person should know of: force, scope, exceptions, examples."""
    for was in before:
        if was.acts and was.acts != now.acts:
            yield f"what {was.rule.slug} finds: {was.acts} -> {now.acts or 'a reminder'}"
        elif not was.acts and now.acts:
            yield f"{was.rule.slug} was a reminder; it is checked now ({now.acts})"
        if was.rule.scope != rule.scope:
            yield f"{was.rule.slug} held in {scope_words(was.rule.scope)}; now {scope_words(rule.scope)}"
        others = [one for one in rule.exceptions if one not in was.rule.exceptions]
        yield from (f"looser than {was.rule.slug}: leaves alone {exemption_words(one)}" for one in others)
    caught = frozenset(one for was in before for one in was.caught)
    for example in dict.fromkeys(_examples(pair.first, pair.second)):
        if example in caught and example not in now.caught:
            yield f"was found, passes now: {_shown(example)}"
        elif example not in caught and example in now.caught:
            yield f"passed, is found now: {_shown(example)}"


def _shown(example: Example) -> str:
    return f"`{shorten(example_line(example))}`"


def diff_lines(plan: MergePlan, old_text: str, new_text: str) -> list[str]:
    """The merged rule as a diff of the kept rule's file."""
    name = f".rules/{plan.kept.slug}.yaml"
    lines = unified_diff(old_text.splitlines(), new_text.splitlines(), name, name, lineterm="")
    return [redact(line) for line in lines]


def merged_text(plan: MergePlan, old_text: str) -> str:
    """The text of the merged rule's file; comments of the kept rule's stay."""
    return rule_reading.write_rule(plan.rule, old_text)


def exception_changes(plan: MergePlan) -> dict[str, str | None]:
    """The files of the exceptions that follow the rule into its new name, and of those that end."""
    gone: dict[str, str | None] = {old.source: None for old in (*(one for one, _ in plan.exceptions), *plan.ended)}
    return gone | {
        dated_exceptions.exception_path(new): dated_exceptions.dump_exception(new) for _, new in plan.exceptions
    }
