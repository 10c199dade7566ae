"""One rule in place of two, never less than either did, and what accepting it writes."""

import shlex
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import cast

from rulec.domain.enforcement import PinnedEnforcement, strictness
from rulec.domain.evidence import Evidence
from rulec.domain.outcome import Outcome
from rulec.domain.rule import Rule
from rulec.domain.text.one_line import shorten
from rulec.domain.text.redaction import redact
from rulec.errors import RulecError
from rulec.gates.findings import rule_proof
from rulec.infra.rulebooks import rule_reading
from rulec.reports.rule_lines import example_line, exemption_words, scope_words
from rulec.resolving.updates import merged_rules
from rulec.rulebook import evidence_file
from rulec.rulebook.dated_exceptions import DatedException
from rulec.rulebook.rulebook import Rulebook
from rulec.services import rulebook_commit
from rulec.services.evolving import similar_rules
from rulec.services.evolving.change_card import REJECTED, ChangeCard, TargetRulebook, because_by_hand
from rulec.services.evolving.comparison import compare_rules
from rulec.services.evolving.rule_trials import decide_examples
from rulec.services.evolving.similar_rules import RulePair
from rulec.services.proposals.decision import What

_LONGEST_SUBJECT = 72


@dataclass(frozen=True, slots=True, kw_only=True)
class Merge(ChangeCard):
    """Two rules that become one."""

    pair: RulePair
    evidence: tuple[Evidence, ...] = ()  # what is written for the merged rule, its proof included
    ended: tuple[DatedException, ...] = ()  # of the other rule: nobody said that the kept rule is to be silent there
    changes: tuple[str, ...] = ()  # of force, scope and exceptions, in words

    @property
    def name(self) -> str:
        """Of both rules."""
        return self.pair.name

    @property
    def what(self) -> What:
        """The other rule goes into the kept one."""
        return "MERGE"

    def known(self) -> Iterator[str]:
        """Both rules, and what speaks for one wish."""
        for rule in (self.pair.first, self.pair.second):
            yield f"{rule.slug}: {' '.join(rule.statement.split())}"
        doubt = {"contrary": "perhaps they contradict each other: ", "other": "perhaps two wishes: "}
        yield f"because: {doubt.get(self.pair.relation.kind, '')}{self.pair.relation.because}"

    def more(self) -> Iterator[str]:
        """What else changes, the evidence and the exceptions."""
        kept, other = self.pair.first.slug, self.pair.second.slug
        yield from (f"changes: {line}" for line in self.changes)
        yield f"evidence: {sum(item.kind != 'proved' for item in self.evidence)} of {other} joined"
        for one in self.ended:
            where = f"in {', '.join(one.paths)}" if one.paths else "everywhere"
            yield f"exception ends: {one.slug} {where}, {one.told}; what {kept} refuses there stays refused"
            yield f"  to except it anew: {_except_command(kept, one)}"

    def with_rule(self, rule: Rule, text: str) -> "Merge":
        """The merge with the rule that a person typed, and what makes it the merged one."""
        mine = replace(
            rule, revision=self.rule.revision, origin=self.rule.origin, supersedes=self.rule.supersedes,
            formerly=self.rule.formerly, source="",
        )  # fmt: skip
        made = _checked(replace(self, rule=mine, by_hand=True, because=because_by_hand(self, "")), text)
        if made.obstacle:
            raise RulecError(made.obstacle, where=rule.slug, hint="change the check or its examples")
        return made

    def write(self) -> Outcome:
        """The merged rule with its proof and the evidence of both, and the other in the archive, as one commit."""
        target, kept, other = self.target, self.pair.first.slug, self.pair.second
        archived = replace(other, revision=other.revision + 1)
        said = next((evidence_file.evidence_id(item) for item in self.evidence if item.kind != "proved"), "")
        rule = replace(self.rule, origin=self.rule.origin or said)
        changes = rulebook_commit.supersession_files(archived, rule, target.text(other.slug), self.after)
        changes |= dict.fromkeys(one.source for one in self.ended)
        subject = f"Merge {other.slug} into {kept}"
        if len(subject) > _LONGEST_SUBJECT:
            subject = f"Merge a rule into {kept}"[:_LONGEST_SUBJECT]
        return rulebook_commit.commit_rule_change(
            target.top, target.onto, rule, changes, subject=subject, decision=f"MERGE {other.slug}",
            because=self.because, done=f"{other.slug} went into {kept}, revision {rule.revision}",
            evidence=self.evidence, others=[archived],
        )  # fmt: skip

    def reject(self) -> str:
        """The two stay apart until one of them changes."""
        similar_rules.keep_apart(self.target.top, self.pair.first, self.pair.second)
        return REJECTED


def propose_merge(target: TargetRulebook, pair: RulePair) -> Merge:
    """The simplest rule that holds to all that either did; with an obstacle where none is proved."""
    failed: list[Merge] = []
    for rule in merged_rules(pair.first, pair.second, pair.relation):
        before = target.text(rule.slug)
        one = _checked(Merge(
            target=target, pair=pair, rule=rule, before=before, because=redact(pair.relation.because),
        ))  # fmt: skip
        if not one.obstacle:
            return one
        failed.append(one)
    return failed[-1]


def _checked(one: Merge, typed: str = "") -> Merge:
    """The merge, proved and as strict as the stricter of both; with an obstacle where it lets pass what was refused."""
    target, kept, other, rule = one.target, one.pair.first, one.pair.second, one.rule
    top, book = target.top, target.book
    evidence, obstacle, proof = tuple(_joined_evidence(book, kept, other)), "", None
    if rule.checks:
        proof = rule_proof.prove_with_tools(_merged_book(one, rule, evidence), rule, top)
        evidence = (*evidence, proof.as_evidence()) if proof.holds else evidence
        obstacle = "" if proof.holds else f"the check of both fails at {redact(proof.failure)}; {proof.cure}"
    acted = [(was, rulebook_commit.enforcement_in_effect(book, was, top)) for was in (kept, other)]
    strictest = max((acts for _, acts in acted), key=strictness)
    after = _merged_book(one, rule, evidence)
    if not obstacle and strictness(rulebook_commit.enforcement_in_effect(after, rule, top)) < strictness(strictest):
        rule = replace(rule, enforcement=cast("PinnedEnforcement", strictest))
        after = _merged_book(one, rule, evidence)
    acts = rulebook_commit.enforcement_in_effect(after, rule, top)
    offences = list(dict.fromkeys((*kept.invalid, *other.invalid)))
    mine, theirs, now = decide_examples(top, book, [kept, other, rule], offences) if offences else ([], [], [])
    lost = [bad for bad, *was, is_ in zip(offences, mine, theirs, now, strict=True) if any(was) and not is_]
    if lost and not obstacle:
        obstacle = f"it would let pass `{shorten(example_line(lost[0]))}`, which is refused now"
    return replace(
        one,
        rule=rule,
        after=rule_reading.write_rule(rule, typed or one.before),
        evidence=evidence,
        ended=tuple(some for some in book.dated_exceptions if some.slug == other.slug),
        changes=tuple(dict.fromkeys(_changes(acted, rule, acts))),
        compared=compare_rules(top, book, [kept, other], rule),
        proof=proof,
        obstacle=obstacle,
    )


def _merged_book(one: Merge, rule: Rule, evidence: Iterable[Evidence]) -> Rulebook:
    book, kept, other = one.target.book, one.pair.first.slug, one.pair.second.slug
    rules = sorted([*(some for some in book.rules if some.slug not in (kept, other)), rule], key=lambda some: some.slug)
    known = {slug: items for slug, items in book.evidence.items() if slug != other}
    return replace(book, rules=tuple(rules), evidence={**known, kept: (*book.observed(kept), *evidence)})


def _joined_evidence(book: Rulebook, kept: Rule, other: Rule) -> Iterator[Evidence]:
    """The other's observations as the kept rule's own, each once: what a turn said twice is not counted twice."""
    known, theirs = book.observed(kept.slug), book.observed(other.slug)
    ids = set(map(evidence_file.evidence_id, known))
    for item, moved in zip(theirs, evidence_file.under_another_slug(theirs, kept.slug), strict=True):
        twin = item.transcript and any(
            (one.kind, one.transcript, one.turn) == (item.kind, item.transcript, item.turn)
            and one.weight >= item.weight
            for one in known
        )
        if item.kind != "proved" and not twin and evidence_file.evidence_id(moved) not in ids:
            yield moved


def _except_command(slug: str, one: DatedException) -> str:
    words = ["rulec", "except", slug, *(word for path in one.paths for word in ("--path", path))]
    return shlex.join([*words, "--until", one.until, "--reason", " ".join(one.reason.split())])


def _changes(acted: Iterable[tuple[Rule, str]], rule: Rule, acts: str) -> Iterator[str]:
    """What differs from either rule in force, scope and exceptions."""
    for was, did in acted:
        if did and did != acts:
            yield f"what {was.slug} finds: {did} -> {acts or 'a reminder'}"
        elif acts and not did:
            yield f"{was.slug} was a reminder; it is checked now ({acts})"
        if was.scope != rule.scope:
            yield f"{was.slug} held in {scope_words(was.scope)}; now {scope_words(rule.scope)}"
        for one in (some for some in rule.exceptions if some not in was.exceptions):
            yield f"looser than {was.slug}: leaves alone {exemption_words(one)}"
