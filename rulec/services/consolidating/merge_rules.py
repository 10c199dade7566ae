"""rulec consolidate A B: shows one rule in place of two and, on a person's word, writes it as one commit."""

import shlex
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

from rulec.domain.outcome import Outcome
from rulec.domain.rule import Rule
from rulec.errors import RulecError
from rulec.infra.rulebooks import rule_reading
from rulec.reports.rule_lines import example_line
from rulec.resolving.rule_pairs import SURE_CONTRARY
from rulec.rulebook import evidence_file, rulebook
from rulec.rulebook.dated_exceptions import DatedException
from rulec.rulebook.rulebook import Rulebook
from rulec.services import rulebook_commit
from rulec.services.consolidating import merge_plan, near_rules, rejected_pairs
from rulec.services.consolidating.merge_plan import MergePlan
from rulec.services.consolidating.near_rules import RulePair
from rulec.services.proposals import proposal_editor
from rulec.services.rulebook_commit import ChangeTarget, supersession_files

Answer = Callable[[str, bool], str]  # the card, and whether it may be accepted -> accept, edit, reject, later


@dataclass(frozen=True, slots=True, kw_only=True)
class MergeOptions:
    """How a person decides on a merge."""

    answer: Answer
    edit: proposal_editor.Editor
    statement: str = ""  # their wording of the merged rule
    because: str = ""
    onto: ChangeTarget = rulebook_commit.HEAD


def merge_rules(top: Path, slugs: tuple[str, str], options: MergeOptions, echo: Callable[[str], None]) -> Outcome:
    """Show the merged rule and carry out what the person answers; contraries are refused."""
    with rulebook_commit.open_rulebook(top, options.onto) as book:
        pair = _pair(top, book, slugs)
        plan = merge_plan.plan_merge(top, book, pair, options.statement)
        while True:
            card = "\n".join(_card(top, plan, options.onto))
            ask = partial(options.answer, card, not plan.obstacle)
            answer, same = rulebook_commit.ask_unlocked(top, options.onto, ask)
            if answer in ("accept", "edit") and not same:
                raise RulecError(
                    "the rules were changed meanwhile", hint=f"run rulec consolidate {' '.join(slugs)} again"
                )
            if answer == "edit":
                plan = _edited(top, book, plan, options, echo)
            elif answer == "accept" and plan.obstacle:
                raise RulecError(
                    f"not merged: {plan.obstacle}", hint="rulec consolidate at a terminal lets you edit it"
                )
            else:
                break
        if answer == "accept":
            return _write(top, plan, options)
        if answer == "reject":
            rejected_pairs.reject_pair(top, pair.first, pair.second)
            return Outcome(f"{pair.first.slug} and {pair.second.slug} stay apart until one of them changes")
        return Outcome("nothing was written")


def show_merge(top: Path, slugs: tuple[str, str], statement: str = "") -> Outcome:
    """The merged rule, its diff and what changes, without a question; nothing is written."""
    with rulebook_commit.open_rulebook(top, rulebook_commit.HEAD, writes=False) as book:
        plan = merge_plan.plan_merge(top, book, _pair(top, book, slugs), statement)
    return Outcome(
        "\n".join([*_card(top, plan, rulebook_commit.HEAD), f"next: rulec consolidate --accept {' '.join(slugs)}"])
    )


def reject_merge(top: Path, slugs: tuple[str, str]) -> Outcome:
    """Remember that the two are to stay apart, until one of them changes."""
    with rulebook_commit.open_rulebook(top, rulebook_commit.HEAD, writes=False) as book:
        one, other = (rulebook.require_team_rule(book, slug) for slug in slugs)
    rejected_pairs.reject_pair(top, one, other)
    return Outcome(f"{one.slug} and {other.slug} stay apart until one of them changes")


def _pair(top: Path, book: Rulebook, slugs: tuple[str, str]) -> RulePair:
    """The two rules, the first named one kept; RulecError where they certainly contradict each other."""
    if slugs[0] == slugs[1]:
        raise RulecError(f"{slugs[0]} cannot be merged with itself", hint="name two rules")
    kept, other = (rulebook.require_team_rule(book, slug) for slug in slugs)
    found = near_rules.relate_pairs(book, [(kept, other)], top)[0]
    said = found.relation
    if said.kind == "contrary" and said.score >= SURE_CONTRARY:
        witness = f": `{' '.join(example_line(said.witness).split())}`" if said.witness else ""
        what = f"{kept.slug} and {other.slug} contradict each other: {said.because}{witness}"
        raise RulecError(what, hint="rulec retire OLD --for NEW settles it")
    contained = said.contained and said.contained in (kept.slug, other.slug)
    return RulePair(first=kept, second=other, relation=said if contained else replace(said, contained=""))


def _card(top: Path, plan: MergePlan, onto: ChangeTarget) -> Iterator[str]:
    kept, other, said = plan.kept, plan.other, plan.pair.relation
    yield f"{other.slug} goes into {kept.slug}"
    yield from (f"  {rule.slug}: {' '.join(rule.statement.split())}" for rule in (kept, other))
    doubt = {"contrary": "perhaps they contradict each other: ", "other": "perhaps two wishes: "}.get(said.kind, "")
    yield f"  because: {doubt}{said.because}"
    text = rulebook_commit.rule_text(top, onto, kept.slug)
    yield from (f"  {line}" for line in merge_plan.diff_lines(plan, text, merge_plan.merged_text(plan, text)))
    joined = [item for item in plan.evidence if item.kind != "proved"]
    yield f"  evidence: {len(joined)} of {other.slug} joined"
    yield from (f"  exception: {old.slug} -> {new.slug}, {new.told}" for old, new in plan.exceptions)
    for one in plan.ended:
        where = f"in {', '.join(one.paths)}" if one.paths else "everywhere"
        yield f"  exception ends: {one.slug} {where}, {one.told}; what {kept.slug} refuses there stays refused"
        yield f"    to except it anew: {_except_command(kept.slug, one)}"
    yield from (f"  changes: {line}" for line in plan.flips)
    if not plan.flips and not plan.ended and not plan.obstacle:
        yield "  changes: no verdict"
    if plan.obstacle:
        yield f"  not possible as it is: {plan.obstacle}"


def _except_command(slug: str, one: DatedException) -> str:
    words = ["rulec", "except", slug, *(word for path in one.paths for word in ("--path", path))]
    return shlex.join([*words, "--until", one.until, "--reason", " ".join(one.reason.split())])


def _edited(
    top: Path, book: Rulebook, plan: MergePlan, options: MergeOptions, echo: Callable[[str], None]
) -> MergePlan:
    """The plan for the rule as the person edited it; unchanged where they gave up."""

    def read(text: str) -> MergePlan:
        rule = rule_reading.read_rule(proposal_editor.without_notes(text), source=proposal_editor.EDITED_RULE)
        if rule.slug != plan.kept.slug:
            hint = f"rulec edit {plan.kept.slug} renames a rule"
            raise RulecError(f"the merged rule is {plan.kept.slug}", where=proposal_editor.EDITED_RULE, hint=hint)
        found = merge_plan.check_merge(top, book, plan.pair, _as_merged(rule, plan.rule))
        if found.obstacle:
            raise RulecError(found.obstacle, where=proposal_editor.EDITED_RULE, hint="change the check or its examples")
        return found

    old = rulebook_commit.rule_text(top, options.onto, plan.kept.slug)
    return proposal_editor.edit_until_valid(merge_plan.merged_text(plan, old), options.edit, echo, read) or plan


def _as_merged(rule: Rule, merged: Rule) -> Rule:
    """What a person edited, with what makes it the merged rule."""
    return replace(
        rule, revision=merged.revision, origin=merged.origin, supersedes=merged.supersedes, formerly=merged.formerly,
        source="",
    )  # fmt: skip


def _write(top: Path, plan: MergePlan, options: MergeOptions) -> Outcome:
    kept, other = plan.kept, replace(plan.other, revision=plan.other.revision + 1)
    rule = replace(plan.rule, origin=plan.rule.origin or _origin(plan))
    texts = [rulebook_commit.rule_text(top, options.onto, one.slug) for one in (other, kept)]
    changes = supersession_files(other, rule, *texts) | merge_plan.exception_changes(plan)
    because = rulebook_commit.clean_reason(options.because) or plan.pair.relation.because
    return rulebook_commit.commit_rule_change(
        top, options.onto, rule, changes, subject=_subject(other.slug, kept.slug), decision=f"MERGE {other.slug}",
        because=because, done=f"{other.slug} went into {kept.slug}, revision {rule.revision}",
        evidence=plan.evidence, others=[other],
    )  # fmt: skip


_LONGEST_SUBJECT = 72


def _subject(other: str, kept: str) -> str:
    whole = f"Merge {other} into {kept}"
    return whole if len(whole) <= _LONGEST_SUBJECT else f"Merge a rule into {kept}"[:_LONGEST_SUBJECT]


def _origin(plan: MergePlan) -> str:
    first = next((item for item in plan.evidence if item.kind != "proved"), None)
    return evidence_file.evidence_id(first) if first else ""
